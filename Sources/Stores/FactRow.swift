/// Facts as rows of a table and as lines of an export. Reads none: see `FactRow+Reading`.

internal import ChatModel
internal import Wire

/// How a fact is written: which kind it is of, a text for what it is about, and its value in JSON.
enum FactRow {
  struct Key: Hashable {
    let kind: Kind
    let text: String
  }

  /// The number stands in the table, the name in exports. Neither is ever changed.
  enum Kind: Int64, CaseIterable {
    case account = 1
    case epoch, room, topic, member, invitation, sanction, partners, mark

    var name: String {
      switch self {
      case .account: "account"
      case .epoch: "epoch"
      case .room: "room"
      case .topic: "topic"
      case .member: "member"
      case .invitation: "invitation"
      case .sanction: "sanction"
      case .partners: "partners"
      case .mark: "mark"
      }
    }

    init?(name: String) {
      guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = kind
    }
  }

  /// What it is about is words with one blank between: names of rooms, numbers and networks have
  /// none. `*` is no room: the whole server.
  static func key(of key: Fact.Key) -> Key {
    switch key {
    case .account(let person): Key(kind: .account, text: String(person.rawValue))
    case .epoch(let person): Key(kind: .epoch, text: String(person.rawValue))
    case .room(let room): Key(kind: .room, text: room.string)
    case .topic(let room): Key(kind: .topic, text: room.string)
    case .member(let room, let person):
      Key(kind: .member, text: "\(room.string) \(person.rawValue)")
    case .invitation(let room, let code):
      Key(kind: .invitation, text: "\(room.string) \(code.string)")
    case .sanction(let key):
      Key(
        kind: .sanction,
        text: "\(key.kind.rawValue) \(key.room?.string ?? "*") \(text(of: key.subject))")
    case .partners(let room): Key(kind: .partners, text: room.string)
    case .mark(let room, let person):
      Key(kind: .mark, text: "\(room.string) \(person.rawValue)")
    }
  }

  private static func text(of subject: Sanction.Subject) -> String {
    switch subject {
    case .person(let person): "person \(person.rawValue)"
    case .network(let network): "network \(network.string)"
    }
  }

  /// Nil for a fact that removes.
  static func value(of fact: Fact) -> String? {
    guard !fact.isRemoval else { return nil }
    var json: [UInt8] = []
    switch fact {
    case .account(_, let account): account.map { append($0, to: &json) }
    case .epoch(_, let number), .mark(_, _, let number): number.map { json.append(decimal: $0) }
    case .room(_, let record): record.map { append($0, to: &json) }
    case .topic(_, let topic): topic.map { json.append(quoted: $0.string) }
    case .member(_, _, let role): role.map { json.append(quoted: $0.rawValue) }
    case .invitation(_, _, let invitation): invitation.map { append($0, to: &json) }
    case .sanction(_, let sanction): sanction.map { append($0, to: &json) }
    case .partners(_, let names): names.map { append($0, to: &json) }
    }
    return String(decoding: json, as: UTF8.self)
  }

  private static func append(_ account: Account, to json: inout [UInt8]) {
    json.append(ascii: #"{"name":"#)
    json.append(quoted: account.name.shown)
    json.append(ascii: #","password":"#)
    json.append(quoted: account.password.string)
    json.append(ascii: #","role":"#)
    json.append(quoted: account.role.rawValue)
    if account.isDisabled { json.append(ascii: #","disabled":true"#) }
    json.append(ascii: "}")
  }

  private static func append(_ record: RoomRecord, to json: inout [UInt8]) {
    json.append(ascii: record.isPrivate ? #"{"private":true"# : #"{"private":false"#)
    if record.isArchived { json.append(ascii: #","archived":true"#) }
    json.append(ascii: "}")
  }

  private static func append(_ invitation: Invitation, to json: inout [UInt8]) {
    json.append(ascii: "{")
    if let uses = invitation.usesLeft {
      json.append(ascii: #""uses":"#)
      json.append(decimal: Int64(uses))
    }
    if let until = invitation.until {
      json.append(ascii: invitation.usesLeft == nil ? #""until":"# : #","until":"#)
      append(until, to: &json)
    }
    json.append(ascii: "}")
  }

  private static func append(_ sanction: Sanction, to json: inout [UInt8]) {
    json.append(ascii: #"{"by":"#)
    json.append(quoted: sanction.by.shown)
    json.append(ascii: #","at":"#)
    append(sanction.at, to: &json)
    if let name = sanction.name {
      json.append(ascii: #","name":"#)
      json.append(quoted: name.shown)
    }
    if let reason = sanction.reason {
      json.append(ascii: #","reason":"#)
      json.append(quoted: reason.string)
    }
    if let until = sanction.until {
      json.append(ascii: #","until":"#)
      append(until, to: &json)
    }
    json.append(ascii: "}")
  }

  private static func append(_ names: PartnerNames, to json: inout [UInt8]) {
    json.append(ascii: #"{"lower":"#)
    json.append(quoted: names.lower.shown)
    json.append(ascii: #","higher":"#)
    json.append(quoted: names.higher.shown)
    json.append(ascii: "}")
  }

  private static func append(_ moment: Moment, to json: inout [UInt8]) {
    json.append(ascii: #"""#)
    json.append(timestamp: moment.milliseconds)
    json.append(ascii: #"""#)
  }
}
