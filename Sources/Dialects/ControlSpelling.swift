/// What operators ask and are told, as lines of JSON. Judges nothing.

package import ChatModel
internal import Wire

/// Objects in the order of docs/wire/control.md. Of lists each row can be written alone.
package enum ControlSpelling {
  // MARK: Reports

  static func encode(_ report: Report, into out: inout [UInt8]) {
    switch report {
    case .status(let status): encode(status, into: &out)
    case .accounts(let rows, let next):
      list(#"{"accounts":["#, rows, next, &out) { row, out in encode(row, into: &out) }
    case .account(let account): encode(account, into: &out)
    case .token(let name, let token, let until):
      encode(token: token, of: name, until: until, into: &out)
    case .erased(let person, let messages, let next):
      JSONSpelling.string(#"{"person":"#, "\(person.rawValue)", &out)
      JSONSpelling.number(#","messages":"#, Int64(messages), &out)
      if let next { JSONSpelling.number(#","next":"#, next, &out) }
      out.append(UInt8(ascii: "}"))
    case .rooms(let rows, let next):
      list(#"{"rooms":["#, rows, next, &out) { row, out in encode(row, into: &out) }
    case .roomRemoved(let messages):
      JSONSpelling.number(#"{"messages":"#, Int64(messages), &out)
      out.append(UInt8(ascii: "}"))
    case .sanctions(let rows, let next):
      list(#"{"sanctions":["#, rows, next, &out) { row, out in encode(row, into: &out) }
    }
  }

  private static func list<Row>(
    _ field: StaticString, _ rows: [Row], _ next: String?, _ out: inout [UInt8],
    _ encode: (Row, inout [UInt8]) -> Void
  ) {
    out.append(ascii: field)
    for (index, row) in rows.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      encode(row, &out)
    }
    out.append(UInt8(ascii: "]"))
    if let next { JSONSpelling.string(#","next":"#, next, &out) }
    out.append(UInt8(ascii: "}"))
  }

  package static func encode(_ status: ServerStatus, into out: inout [UInt8]) {
    JSONSpelling.string(#"{"version":"#, status.version, &out)
    JSONSpelling.time(#","since":"#, status.since, &out)
    out.append(ascii: #","listening":["#)
    for (index, place) in status.listening.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(quoted: place)
    }
    let connections = status.connections
    JSONSpelling.number(#"],"connections":{"named":"#, Int64(connections.named), &out)
    JSONSpelling.number(#","nameless":"#, Int64(connections.nameless), &out)
    JSONSpelling.number(#","plain":"#, Int64(connections.plain), &out)
    JSONSpelling.number(#","json":"#, Int64(connections.json), &out)
    JSONSpelling.number(#","webSocket":"#, Int64(connections.webSocket), &out)
    JSONSpelling.number(#","http":"#, Int64(connections.http), &out)
    JSONSpelling.number(#","operators":"#, Int64(connections.operators), &out)
    JSONSpelling.number(#"},"people":"#, Int64(status.people), &out)
    JSONSpelling.number(#","accounts":"#, Int64(status.accounts), &out)
    JSONSpelling.number(#","rooms":"#, Int64(status.rooms), &out)
    JSONSpelling.number(#","conversations":"#, Int64(status.conversations), &out)
    JSONSpelling.number(#","kept":"#, status.kept, &out)
    JSONSpelling.number(#","waiting":"#, Int64(status.waiting), &out)
    if let store = status.store {
      JSONSpelling.string(#","store":{"path":"#, store.path, &out)
      JSONSpelling.number(#","bytes":"#, store.bytes, &out)
      out.append(UInt8(ascii: "}"))
    }
    JSONSpelling.number(#","memoryBytes":"#, status.memoryBytes, &out)
    out.append(UInt8(ascii: "}"))
  }

  package static func encode(_ account: AccountState, into out: inout [UInt8]) {
    JSONSpelling.string(#"{"person":"#, "\(account.person.rawValue)", &out)
    JSONSpelling.string(#","name":"#, account.name.shown, &out)
    JSONSpelling.string(#","role":"#, account.role.rawValue, &out)
    if account.isDisabled { out.append(ascii: #","disabled":true"#) }
    JSONSpelling.number(#","connections":"#, Int64(account.connections), &out)
    out.append(UInt8(ascii: "}"))
  }

  /// The fields of `Report.token`, also as `beck token --json` prints them.
  package static func encode(
    token: String, of name: UserName, until: Moment, into out: inout [UInt8]
  ) {
    JSONSpelling.string(#"{"name":"#, name.shown, &out)
    JSONSpelling.string(#","token":"#, token, &out)
    JSONSpelling.time(#","until":"#, until, &out)
    out.append(UInt8(ascii: "}"))
  }

  package static func encode(_ room: RoomState, into out: inout [UInt8]) {
    JSONSpelling.listed(room, &out)
  }

  package static func encode(_ state: SanctionState, into out: inout [UInt8]) {
    JSONSpelling.string(#"{"kind":"#, state.key.kind.rawValue, &out)
    if let room = state.key.room { JSONSpelling.string(#","room":"#, room.string, &out) }
    switch state.key.subject {
    case .person(let person):
      if let name = state.sanction.name { JSONSpelling.string(#","name":"#, name.shown, &out) }
      JSONSpelling.string(#","person":"#, "\(person.rawValue)", &out)
    case .network(let network): JSONSpelling.string(#","network":"#, network.string, &out)
    }
    JSONSpelling.string(#","by":"#, state.sanction.by.shown, &out)
    if let reason = state.sanction.reason {
      JSONSpelling.string(#","reason":"#, reason.string, &out)
    }
    JSONSpelling.time(#","at":"#, state.sanction.at, &out)
    if let until = state.sanction.until { JSONSpelling.time(#","until":"#, until, &out) }
    out.append(UInt8(ascii: "}"))
  }

  /// A line of the log of moderation.
  package static func encode(line message: Message, into out: inout [UInt8]) {
    JSONSpelling.message(message, in: .room(message.draft.room), isOwn: false, &out)
  }

  // MARK: Operations

  /// The method and its arguments, as a member of the request's object.
  static func encode(_ operation: ChatModel.Operation, into out: inout [UInt8]) {
    var fields = Fields()
    let method: ControlMethod
    switch operation {
    case .status: method = .status
    case .accounts(let after): (method, fields) = (.accounts, Fields(after: after))
    case .createAccount(let name, let password, let role):
      method = .createAccount
      fields.add("name", name.shown)
      fields.add("password", password.string)
      fields.add("role", role.rawValue)
    case .setPassword(let party, let password):
      (method, fields) = (.setPassword, Fields(party))
      fields.add("password", password.string)
    case .setDisabled(let party, let isDisabled):
      (method, fields) = (isDisabled ? .disable : .enable, Fields(party))
    case .removeAccount(let party): (method, fields) = (.removeAccount, Fields(party))
    case .token(let party, let days):
      (method, fields) = (.token, Fields(party))
      fields.add("days", Int64(days))
    case .erase(let party, let after):
      (method, fields) = (.erase, Fields(party))
      if let after { fields.add("after", after) }
    case .rooms(let after): (method, fields) = (.rooms, Fields(after: after))
    case .archive(let room):
      method = .archive
      fields.add("room", room.string)
    case .removeRoom(let room):
      method = .removeRoom
      fields.add("room", room.string)
    case .sanctions(let after): (method, fields) = (.sanctions, Fields(after: after))
    case .sanction(let kind, let room, let party, let reason, let seconds):
      (method, fields) = (kind == .ban ? .ban : .mute, Fields(party))
      if let room { fields.add("room", room.string) }
      if let reason { fields.add("reason", reason.string) }
      if let seconds { fields.add("seconds", Int64(seconds)) }
    case .lift(let kind, let room, let party):
      (method, fields) = (kind == .ban ? .unban : .unmute, Fields(party))
      if let room { fields.add("room", room.string) }
    case .audit(let before, let limit):
      method = .audit
      if let before { fields.add("before", before) }
      fields.add("limit", Int64(limit))
    }
    out.append(quoted: method.rawValue)
    out.append(ascii: ":{")
    out += fields.bytes
    out.append(UInt8(ascii: "}"))
  }

  /// What stands between an object's braces.
  private struct Fields {
    private(set) var bytes: [UInt8] = []

    init() {}

    init(after: String?) { if let after { add("after", after) } }

    init(_ party: ChatModel.Operation.Party) {
      switch party {
      case .name(let name): add("name", name.shown)
      case .person(let person): add("person", "\(person.rawValue)")
      case .network(let network): add("network", network.string)
      }
    }

    mutating func add(_ key: String, _ value: String) {
      begin(key)
      bytes.append(quoted: value)
    }

    mutating func add(_ key: String, _ value: Int64) {
      begin(key)
      bytes.append(decimal: value)
    }

    private mutating func begin(_ key: String) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes.append(quoted: key)
      bytes.append(UInt8(ascii: ":"))
    }
  }
}
