/// Which facts were really kept, and when. Judges what follows from them by no server's word.

import ChatHub
import ChatModel
import Foundation

extension Ledger {
  /// As they are now, in the same order whenever the same was kept.
  var facts: [Fact] {
    told.values.compactMap { $0.last?.fact }.filter { !$0.isRemoval }
      .sorted { "\($0.key)" < "\($1.key)" }
  }

  /// Keeps facts as a store does.
  func keep(_ facts: [Fact], step: Int) throws(Violation) {
    for fact in facts {
      guard case .account(let person, let account?) = fact else {
        note(fact, step: step)
        continue
      }
      let other = self.account(named: account.name)
      note(fact, step: step)
      if let other, other.person != person {
        throw Violation(.oneAccount, "two accounts are called \(account.name.shown)")
      }
    }
  }

  /// Whose account has this name now?
  func account(named name: UserName) -> (person: PersonID, account: Account)? {
    guard let person = bearers[name], let account = account(of: person) else { return nil }
    return (person, account)
  }

  /// Whether an account of this name had this password at some moment from one step to another.
  func had(
    _ name: UserName, _ password: Password, from first: Int, to last: Int
  ) -> Bool {
    let hash = Secrets.hash(of: password)
    return told.values.contains { history in
      history.indices.contains { index in
        guard case .account(_, let account?) = history[index].fact, account.name == name,
          account.password == hash, history[index].step <= last
        else { return false }
        return index == history.count - 1 || history[index + 1].step >= first
      }
    }
  }
}

/// Passwords hashed as anybody could turn back.
enum Secrets {
  /// Who is let in by a token: its second to ninth byte.
  static func person(in token: String) -> PersonID? {
    let base64 = String(token.prefix(12)).replacing("-", with: "+").replacing("_", with: "/")
    guard let bytes = Data(base64Encoded: base64), bytes.count == 9 else { return nil }
    return PersonID(rawValue: bytes.dropFirst().reduce(0) { $0 << 8 | Int64($1) })
  }

  static func hash(of password: Password) -> PasswordHash? {
    PasswordHash("hash-of-\(password.string)")
  }

  static func outcome(of work: PasswordWork) -> PasswordOutcome {
    switch work {
    case .check(let password, let known): known == hash(of: password) ? .right : .wrong
    case .make(let password): hash(of: password).map { .made($0) } ?? .refused(.busy)
    case .replace(let old, let known, let new):
      known == hash(of: old) ? hash(of: new).map { .made($0) } ?? .refused(.busy) : .wrong
    }
  }
}
