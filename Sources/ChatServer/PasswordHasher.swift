/// Argon2id by libsodium, on threads that may block. Says nothing of who may ask.

import CSodium
package import ChatHub
import ChatModel
import Loop

/// Hashes passwords and checks them; each takes 19 MiB and some 30 ms, whatever comes of it.
///
/// The cost is that of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane.
package final class PasswordHasher: Sendable {
  static let bytesOfMemory = 19 << 20
  static let passes: UInt64 = 2

  /// Threads that do nothing at the moment; made when they are needed.
  private let idle = Guarded<[Worker]>([])

  package init() {}

  /// Does the work on a thread of its own. How much at once is the caller's affair.
  package func outcome(of work: PasswordWork) async -> PasswordOutcome {
    let worker = idle.withLock { $0.popLast() } ?? Worker()
    defer { idle.withLock { $0.append(worker) } }
    return await worker.run { Self.outcome(of: work) }
  }

  static func outcome(of work: PasswordWork) -> PasswordOutcome {
    switch work {
    case .check(let password, let hash?): isRight(password, hash) ? .right : .wrong
    case .check(let password, nil): isRightOfNobody(password)
    case .make(let password): make(password)
    case .replace(let old, let hash, let new): isRight(old, hash) ? make(new) : .wrong
    }
  }

  /// Of 32 random bytes that nobody knows, at the cost above.
  static let nobodys = PasswordHash(
    "$argon2id$v=19$m=19456,t=2,p=1$M6jm6m6+ar0fyGgAhxTEtA"
      + "$gFPkWFkG9tGctqMLt54ZGWuxX/3O0abu3quIN2RYtvw")

  private static let isReady = sodium_init() >= 0

  private static func isRight(_ password: Password, _ hash: PasswordHash?) -> Bool {
    guard isReady, let hash else { return false }
    return withBytes(of: password) { bytes, count in
      crypto_pwhash_str_verify(hash.string, bytes, count) == 0
    }
  }

  /// As much work as for an account that is there.
  private static func isRightOfNobody(_ password: Password) -> PasswordOutcome {
    _ = isRight(password, nobodys)
    return .wrong
  }

  private static func make(_ password: Password) -> PasswordOutcome {
    guard isReady else { return .refused(.busy) }
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let result = withBytes(of: password) { bytes, count in
      crypto_pwhash_str_alg(
        &text, bytes, count, passes, bytesOfMemory, crypto_pwhash_ALG_ARGON2ID13)
    }
    // It fails only where there is no memory for it.
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard result == 0, let hash = PasswordHash(String(decoding: bytes, as: UTF8.self)) else {
      return .refused(.busy)
    }
    return .made(hash)
  }

  private static func withBytes<Result>(
    of password: Password, _ body: (UnsafePointer<CChar>, UInt64) -> Result
  ) -> Result {
    var string = password.string
    return string.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else {
          preconditionFailure("a password has 8 bytes at least")
        }
        return body(start, UInt64(characters.count))
      }
    }
  }
}
