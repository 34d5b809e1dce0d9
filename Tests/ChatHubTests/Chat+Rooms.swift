/// Rooms, roles and measures in the words of the tests, which are kept at once. Asserts nothing.

import ChatHub
import ChatModel

extension Chat {
  /// Keeps all that is to be kept, and does all work on passwords, in order: in its place stands
  /// what follows from it.
  mutating func done(_ effects: [Effect]) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      switch effect {
      case .keep(let draft, let ticket): keep(draft, ticket)
      case .record, .hash: store(work([effect]))
      case _: [effect]
      }
    }
  }

  /// Asks, and keeps what is to be kept.
  @discardableResult
  mutating func demand(_ id: Int, _ request: Request) -> [Effect] { done(ask(id, request)) }

  /// A guest's program, in these rooms.
  @discardableResult
  mutating func come(_ id: Int, _ name: String, to rooms: String...) -> PersonID {
    let effects = logIn(id, name, .manyRooms)
    for room in rooms { join(id, room) }
    guard let person = effects.person(of: id) else { preconditionFailure("\(name) is free") }
    return person
  }

  /// Somebody with an account, by a connection of a program.
  @discardableResult
  mutating func come(_ id: Int, _ staff: Staff, to rooms: String...) -> PersonID {
    resume(id, staff.person, as: staff.rawValue, .manyRooms)
    for room in rooms { join(id, room) }
    return staff.person
  }

  /// Makes a room that stays, as its owner.
  @discardableResult
  mutating func found(_ id: Int, _ name: String, isPrivate: Bool = true) -> [Effect] {
    demand(id, .create(room(name), isPrivate: isPrivate, topic: nil))
  }

  mutating func invite(
    _ id: Int, to name: String, uses: Int? = nil, seconds: Int? = nil
  ) -> String {
    for answer in demand(id, .invite(room(name), uses: uses, seconds: seconds)).answers(to: id) {
      if case .invited(_, let code) = answer { return code }
    }
    preconditionFailure("\(id) may invite to \(name)")
  }

  /// Joins by a code; nothing is kept yet.
  mutating func use(_ code: String, _ id: Int, _ name: String) -> [Effect] {
    ask(id, .join(.room(room(name)), .now, code: code))
  }

  /// A ban; nothing is kept yet.
  mutating func ban(
    _ id: Int, _ name: String, in place: String? = nil, _ reason: String? = nil,
    seconds: Int? = nil
  ) -> [Effect] {
    ask(id, measure(.ban, name, in: place, reason, seconds: seconds))
  }

  mutating func history(_ id: Int, _ name: String) -> [Effect] {
    ask(id, .history(.room(room(name)), .before(nil), limit: 9))
  }

  /// What somebody is told to be in the rooms' list.
  mutating func listed(for id: Int) -> [Place] {
    for case .rooms(let rooms, _) in ask(id, .rooms).answers(to: id) { return rooms.map(\.place) }
    return []
  }

  mutating func sight(of id: Int) -> Sight? {
    for case .search(_, _, _, in: _, let sight) in ask(id, .search(Search("x"))) { return sight }
    return nil
  }

  func role(_ person: PersonID, in name: String) -> Role? {
    hub.registry.role(of: person, in: room(name))
  }
}

func measure(
  _ kind: Sanction.Kind, _ name: String, in place: String? = nil, _ reason: String? = nil,
  seconds: Int? = nil
) -> Request {
  .sanction(
    kind, place.map { room($0) }, .name(user(name)), reason.map { short($0) }, seconds: seconds)
}

private let secret = hash(of: "correct horse")

/// People with accounts, one of each role.
enum Staff: String, CaseIterable {
  case boss, mod, pat

  var person: PersonID {
    switch self {
    case .boss: PersonID(rawValue: 101)
    case .mod: PersonID(rawValue: 102)
    case .pat: PersonID(rawValue: 103)
    }
  }

  static var accounts: [Fact] {
    let roles: [Staff: Role] = [.boss: .owner, .mod: .moderator, .pat: .member]
    return allCases.map { one in
      .account(
        one.person,
        Account(
          name: user(one.rawValue), password: secret,
          role: roles[one] ?? .member))
    }
  }
}

extension [Effect] {
  /// Everything that reaches a connection, or concerns what it is given of rooms.
  func reaching(_ id: Int) -> [Effect] {
    let id = connection(id)
    return filter { effect in
      switch effect {
      case .answer(id, _, _), .tell(id, _), .replay(id, _, _), .fetch(id, _, _, _, limit: _),
        .search(id, _, _, in: _, _):
        true
      case .tellAll(let ids, _), .publish(let ids, _, in: _): ids.contains(id)
      case _: false
      }
    }
  }

  /// The lines of the log that are to be kept.
  var lines: [String] { records.compactMap { $0.record.line?.words } }
}
