/// Real hashes: right, wrong, nobody's, and what they cost.

import CSodium
import ChatHub
import ChatModel
import Testing

@testable import ChatServer

@Suite struct PasswordHasherTests {
  private func password(_ string: String) throws -> Password { try #require(Password(string)) }

  private func hash(_ string: String) throws -> PasswordHash {
    guard case .made(let hash) = PasswordHasher.outcome(of: .make(try password(string))) else {
      throw Problem()
    }
    return hash
  }

  private struct Problem: Error {}

  @Test(arguments: [
    "12345678", "pässwörd \u{1F600}", "with\u{0}zero", String(repeating: "x", count: 256),
  ])
  func theRightOneIsRightAndAnotherIsWrong(secret: String) throws {
    let hash = try hash(secret)
    let last = secret.dropLast() + "y"
    #expect(PasswordHasher.outcome(of: .check(try password(secret), hash)) == .right)
    #expect(PasswordHasher.outcome(of: .check(try password(String(last)), hash)) == .wrong)
    #expect(PasswordHasher.outcome(of: .check(try password(secret), nil)) == .wrong)
  }

  @Test func twoHashesOfOnePasswordDiffer() throws {
    #expect(try hash("correct horse") != hash("correct horse"))
  }

  @Test func anotherTakesThePlaceOfTheRightOneAlone() throws {
    let (old, new) = (try password("correct horse"), try password("battery staple"))
    let hash = try hash("correct horse")
    guard case .made(let made) = PasswordHasher.outcome(of: .replace(old, hash, by: new)) else {
      throw Problem()
    }
    #expect(PasswordHasher.outcome(of: .check(new, made)) == .right)
    #expect(PasswordHasher.outcome(of: .replace(new, hash, by: old)) == .wrong)
  }

  @Test func nobodysHashCostsWhatOthersDo() throws {
    let nobodys = try #require(PasswordHasher.nobodys)
    for hash in [nobodys, try hash("correct horse")] {
      #expect(hash.string.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
      let differs = crypto_pwhash_str_needs_rehash(
        hash.string, PasswordHasher.passes, PasswordHasher.bytesOfMemory)
      #expect(differs == 0)
    }
  }

  @Test func severalAtOnceEachHaveAThread() async throws {
    let hasher = PasswordHasher()
    let work = PasswordWork.make(try password("correct horse"))
    let outcomes = await withTaskGroup(of: PasswordOutcome.self) { group in
      for _ in 0..<3 { group.addTask { await hasher.outcome(of: work) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(outcomes).count == 3)
  }
}
