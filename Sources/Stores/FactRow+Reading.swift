/// Facts from what was written of them. Trusts nothing that it reads.

internal import ChatModel
internal import Wire

extension FactRow {
  static func fact(
    _ kind: Kind, _ key: String, _ value: JSONDocument.Value, in document: JSONDocument
  ) throws(RowDamage) -> Fact {
    let words = key.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let value = FactValue(value, in: document)
    switch kind {
    case .account: return .account(try person(words, 0, of: 1), try account(value))
    case .epoch: return .epoch(try person(words, 0, of: 1), try value.number(from: 1))
    case .room: return .room(try room(words, 0, of: 1), try record(value))
    case .topic: return .topic(try room(words, 0, of: 1), try value.shortText())
    case .member:
      return .member(try room(words, 0, of: 2), try person(words, 1, of: 2), try value.role())
    case .invitation:
      let room = try room(words, 0, of: 2)
      guard let code = CodeHash(words[1]) else { throw RowDamage("its code's hash is none") }
      return .invitation(room, code, try invitation(value))
    case .sanction: return .sanction(try sanctionKey(words), try sanction(value))
    case .partners:
      let room = try room(words, 0, of: 1)
      guard room.people != nil else { throw RowDamage("its room is nobody's conversation") }
      let (lower, higher) = (try value.name("lower"), try value.name("higher"))
      return .partners(room, PartnerNames(lower: lower, higher: higher))
    case .mark:
      return .mark(
        try room(words, 0, of: 2), try person(words, 1, of: 2), try value.number(from: 0))
    }
  }

  /// Written as the key of a fact is, and no other way: two rows never have one key.
  private static func person(
    _ words: [String], _ place: Int, of count: Int
  ) throws(RowDamage) -> PersonID {
    guard words.count == count, let number = Int64(words[place]), number != 0,
      String(number) == words[place]
    else { throw RowDamage("its person is no number above or below 0") }
    return PersonID(rawValue: number)
  }

  private static func room(
    _ words: [String], _ place: Int, of count: Int
  ) throws(RowDamage) -> RoomName {
    guard words.count == count, let room = RoomName(kept: words[place]),
      room.string == words[place]
    else { throw RowDamage("its room's name cannot be one") }
    return room
  }

  private static func sanctionKey(_ words: [String]) throws(RowDamage) -> Sanction.Key {
    guard words.count == 4, let kind = Sanction.Kind(rawValue: words[0]) else {
      throw RowDamage("it is of no kind")
    }
    let room = words[1] == "*" ? nil : try room(words, 1, of: 4)
    switch words[2] {
    case "person": return Sanction.Key(kind, in: room, of: .person(try person(words, 3, of: 4)))
    case "network":
      guard let network = Network(words[3]), network.string == words[3] else {
        throw RowDamage("its network is none")
      }
      return Sanction.Key(kind, in: room, of: .network(network))
    case _: throw RowDamage("it is for nobody")
    }
  }

  private static func account(_ value: FactValue) throws(RowDamage) -> Account {
    let name = try value.name("name")
    guard let password = value.string("password").flatMap({ PasswordHash($0) }) else {
      throw RowDamage("its password's hash is none")
    }
    guard let role = value.string("role").flatMap({ Role(rawValue: $0) }) else {
      throw RowDamage("its role is none")
    }
    return Account(
      name: name, password: password, role: role, isDisabled: try value.flag("disabled") ?? false)
  }

  private static func record(_ value: FactValue) throws(RowDamage) -> RoomRecord {
    guard let isPrivate = try value.flag("private") else {
      throw RowDamage("it does not say whether it is private")
    }
    return RoomRecord(isPrivate: isPrivate, isArchived: try value.flag("archived") ?? false)
  }

  private static func invitation(_ value: FactValue) throws(RowDamage) -> Invitation {
    try value.checkObject()
    let uses = try value.member("uses").map { value throws(RowDamage) in
      Int(try value.number(from: 1))
    }
    return Invitation(usesLeft: uses, until: try value.moment("until"))
  }

  private static func sanction(_ value: FactValue) throws(RowDamage) -> Sanction {
    let by = try value.name("by")
    guard let at = try value.moment("at") else { throw RowDamage("its 'at' is no time") }
    let name = value.member("name") == nil ? nil : try value.name("name")
    let reason = try value.member("reason").map { value throws(RowDamage) in
      try value.shortText()
    }
    return Sanction(name: name, by: by, reason: reason, at: at, until: try value.moment("until"))
  }
}

/// A value in a document, asked for what a fact may have.
struct FactValue {
  private let value: JSONDocument.Value
  private let document: JSONDocument

  init(_ value: JSONDocument.Value, in document: JSONDocument) {
    self.value = value
    self.document = document
  }

  func member(_ key: String) -> FactValue? {
    document.member(key, of: value).map { FactValue($0, in: document) }
  }

  func checkObject() throws(RowDamage) {
    guard document.kind(of: value) == .object else { throw RowDamage("it is no object") }
  }

  func string(_ key: String) -> String? {
    document.member(key, of: value).flatMap { document.string($0) }
  }

  func number(from least: Int64) throws(RowDamage) -> Int64 {
    guard let number = document.integer(value), number >= least, number < .max else {
      throw RowDamage(least == 0 ? "it is no number from 0 on" : "it is no number above 0")
    }
    return number
  }

  func shortText() throws(RowDamage) -> ShortText {
    guard let text = document.string(value).flatMap({ ShortText($0) }) else {
      throw RowDamage("its text has not 1 to \(ShortText.bytesMax) bytes")
    }
    return text
  }

  func role() throws(RowDamage) -> Role {
    guard let role = document.string(value).flatMap({ Role(rawValue: $0) }) else {
      throw RowDamage("its role is none")
    }
    return role
  }

  func name(_ key: String) throws(RowDamage) -> UserName {
    let what = key == "name" ? "its name" : "its name '\(key)'"
    guard let shown = string(key) else {
      throw RowDamage(key == "name" ? "it has no name" : "it has no name '\(key)'")
    }
    let name: UserName
    do {
      name = try UserName(shown)
    } catch {
      throw RowDamage("\(what) cannot be one (\(error.words))")
    }
    // What is read must be what was shown.
    guard name.shown.utf8.elementsEqual(shown.utf8) else {
      throw RowDamage("\(what) has blanks around it")
    }
    return name
  }

  /// Nil where it is absent.
  func flag(_ key: String) throws(RowDamage) -> Bool? {
    guard let found = document.member(key, of: value) else { return nil }
    switch document.kind(of: found) {
    case .yes: return true
    case .no: return false
    case .object, .array, .string, .number, .null:
      throw RowDamage("its '\(key)' is neither true nor false")
    }
  }

  /// Nil where it is absent.
  func moment(_ key: String) throws(RowDamage) -> Moment? {
    guard let found = document.member(key, of: value) else { return nil }
    guard
      let milliseconds = document.string(found)
        .flatMap({ CalendarTime.milliseconds(ofTimestamp: $0) })
    else { throw RowDamage("its '\(key)' is no time") }
    return Moment(milliseconds: milliseconds)
  }
}
