/// Work on passwords and a store for facts, as a hub asks for them; by hand. Asserts nothing.

import ChatHub
import ChatModel

extension Chat {
  mutating func register(
    _ id: Int, _ name: String, _ secret: String = "correct horse", code: String? = nil,
    _ asked: RequestID? = nil
  ) -> [Effect] {
    ask(id, .register(user(name), password(secret), code: code, .manyRooms), asked)
  }

  /// Registers, with all that it takes.
  @discardableResult
  mutating func enroll(
    _ id: Int, _ name: String, _ secret: String = "correct horse", code: String? = nil
  ) -> [Effect] {
    store(work(register(id, name, secret, code: code)))
  }

  mutating func logIn(
    _ id: Int, _ name: String, by secret: String, orAsGuest: Bool = false,
    _ manner: Manner = .manyRooms
  ) -> [Effect] {
    ask(id, .logInWithPassword(user(name), password(secret), orAsGuest: orAsGuest, manner))
  }

  /// Does the work on passwords: in its place stands what follows from it.
  mutating func work(_ effects: [Effect]) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      guard case .hash(let id, let work) = effect else { return [effect] }
      return hub.hashed(id, outcome(of: work), at: now)
    }
  }

  /// Keeps facts: in its place stands what follows from it.
  mutating func store(_ effects: [Effect]) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      guard case .record(let record, let ticket) = effect else { return [effect] }
      let outcome: RecordOutcome =
        record.line == nil ? .kept : .keptLine(seq: next(in: .audit), at: noon)
      return hub.recorded(record, ticket, outcome, at: now)
    }
  }

  /// Does not keep these facts, of all that these effects ask for.
  mutating func fail(_ effects: [Effect]) -> [Effect] {
    hub.takeBack(effects.records.map(\.record))
    return effects.records.flatMap { record, ticket in
      hub.recorded(record, ticket, .failed(.diskFull), at: now)
    }
  }
}

/// A hash that anybody could turn back.
func hash(of secret: String) -> PasswordHash {
  guard let hash = PasswordHash("hash-of-" + secret.replacing(" ", with: "_")) else {
    preconditionFailure("'\(secret)' has a hash")
  }
  return hash
}

func outcome(of work: PasswordWork) -> PasswordOutcome {
  switch work {
  case .check(let password, let known): known == hash(of: password.string) ? .right : .wrong
  case .make(let password): .made(hash(of: password.string))
  case .replace(let old, let known, let new):
    known == hash(of: old.string) ? .made(hash(of: new.string)) : .wrong
  }
}

func password(_ string: String) -> Password {
  guard let password = Password(string) else { preconditionFailure("'\(string)' is too short") }
  return password
}

extension [Effect] {
  var records: [(record: Record, ticket: Ticket)] {
    compactMap { effect in
      if case .record(let record, let ticket) = effect { (record, ticket) } else { nil }
    }
  }

  var works: [PasswordWork] {
    compactMap { effect in
      if case .hash(_, let work) = effect { work } else { nil }
    }
  }

  /// Who is let in by these effects, and as whom.
  var logins: [(id: ConnectionID, person: PersonID, name: UserName)] {
    compactMap { effect in
      if case .answerLogin(let id, _, let person, let name) = effect {
        (id, person, name)
      } else {
        nil
      }
    }
  }
}
