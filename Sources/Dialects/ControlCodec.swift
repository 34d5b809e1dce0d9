/// The operator's side of the control socket: one request after the other as bytes, each answer as
/// a value. Knows no socket.

package import ChatModel
internal import Wire

/// What became of an operation.
package enum ControlHeard: Hashable, Sendable {
  case answer(Answer)
  /// What the server says of it, in its words.
  case refused(code: String, message: String)
  /// A line that is no answer; nothing can be relied on any more.
  case malformed(String)
  /// The server is about to close the connection, and says why.
  case closing(String)
}

/// One request is asked at a time.
package struct ControlCodec {
  private var lines = JSONLineReader(bytesMax: JSONLimits.lineBytesMax)
  private var asked: ChatModel.Operation?
  private var number = 0

  package init() {}

  /// The line that asks for it.
  package mutating func ask(_ operation: ChatModel.Operation) -> [UInt8] {
    precondition(asked == nil, "one request is asked at a time")
    asked = operation
    number += 1
    var out: [UInt8] = []
    out.append(UInt8(ascii: "{"))
    JSONSpelling.id(.number("\(number)"), &out)
    ControlSpelling.encode(operation, into: &out)
    JSONSpelling.end(&out)
    return out
  }

  package mutating func received(_ bytes: UnsafeRawBufferPointer) { unsafe lines.received(bytes) }

  /// Pull until nil, after each read.
  package mutating func next() -> ControlHeard? {
    do throws(JSONMalformed) {
      while let fields = try lines.nextFields() {
        if let heard = try heard(fields) { return heard }
      }
    } catch {
      return .malformed(error.reason)
    }
    return nil
  }

  /// Nil for what a later version may tell.
  private mutating func heard(_ fields: JSONFields) throws(JSONMalformed) -> ControlHeard? {
    if let error = fields.object("error") {
      asked = nil
      return .refused(code: try error.string("code"), message: try error.string("message"))
    }
    if let closing = fields.object("closing") {
      return .closing(closing.optionalString("message") ?? "the server closes the connection")
    }
    guard let ok = fields.object("ok"), let operation = asked else { return nil }
    asked = nil
    return .answer(try ok.answer(to: operation))
  }
}

extension JSONFields {
  func answer(to operation: ChatModel.Operation) throws(JSONMalformed) -> Answer {
    switch operation {
    case .status: return .report(.status(try serverStatus()))
    case .accounts:
      let rows = try array("accounts") { row throws(JSONMalformed) in try row.accountState() }
      return .report(.accounts(rows, next: optionalString("next")))
    case .createAccount: return .report(.account(try accountState()))
    case .token:
      return .report(
        .token(try name("name"), try string("token"), until: try moment("until")))
    case .erase:
      return .report(
        .erased(
          try person(), messages: try count("messages"), next: try optionalNumber("next")))
    case .rooms:
      let rows = try array("rooms") { row throws(JSONMalformed) in try row.roomState() }
      return .report(.rooms(rows, next: optionalString("next")))
    case .removeRoom: return .report(.roomRemoved(messages: try count("messages")))
    case .sanctions:
      let rows = try array("sanctions") { row throws(JSONMalformed) in try row.sanctionState() }
      return .report(.sanctions(rows, next: optionalString("next")))
    case .audit:
      let place = Place.room(.audit)
      return .history(try page(of: place), in: place)
    case .setPassword, .setDisabled, .removeAccount, .archive, .sanction, .lift:
      return .done
    }
  }

  private func serverStatus() throws(JSONMalformed) -> ServerStatus {
    var status = ServerStatus()
    status.version = try string("version")
    status.since = try moment("since")
    status.listening = try strings("listening")
    if let connections = object("connections") {
      status.connections.named = try connections.count("named")
      status.connections.nameless = try connections.count("nameless")
      status.connections.plain = try connections.count("plain")
      status.connections.json = try connections.count("json")
      status.connections.webSocket = try connections.count("webSocket")
      status.connections.http = try connections.count("http")
      status.connections.operators = try connections.count("operators")
    }
    status.people = try count("people")
    status.accounts = try count("accounts")
    status.rooms = try count("rooms")
    status.conversations = try count("conversations")
    status.kept = try number("kept")
    status.waiting = try count("waiting")
    if let store = object("store") {
      status.store = ServerStatus.Store(
        path: try store.string("path"), bytes: try store.number("bytes"))
    }
    status.memoryBytes = try number("memoryBytes")
    return status
  }

  private func accountState() throws(JSONMalformed) -> AccountState {
    AccountState(
      person: try person(), name: try name("name"), role: try role(),
      isDisabled: try holds("disabled"), connections: try count("connections"))
  }

  private func sanctionState() throws(JSONMalformed) -> SanctionState {
    guard let kind = Sanction.Kind(rawValue: try string("kind")) else {
      throw JSONMalformed("kind is none")
    }
    let subject: Sanction.Subject
    if has("network") {
      guard let network = Network(try string("network")) else {
        throw JSONMalformed("network is none")
      }
      subject = .network(network)
    } else {
      subject = .person(try person())
    }
    let sanction = Sanction(
      name: has("name") ? try name("name") : nil, by: try name("by"),
      reason: try shortText("reason"), at: try moment("at"),
      until: has("until") ? try moment("until") : nil)
    let room = has("room") ? try room("room") : nil
    return SanctionState(Sanction.Key(kind, in: room, of: subject), sanction)
  }

  private func person() throws(JSONMalformed) -> PersonID {
    guard let number = Int64(try string("person")) else { throw JSONMalformed("person is none") }
    return PersonID(rawValue: number)
  }

  private func role() throws(JSONMalformed) -> Role {
    guard let role = Role(rawValue: try string("role")) else { throw JSONMalformed("role is none") }
    return role
  }
}
