/// The fields of an object that a server sent, as values of the chat. Throws where one is missing
/// or cannot be what it should; fields it does not know are passed over.

internal import ChatModel
internal import Wire

struct JSONFields {
  private let document: JSONDocument
  private let place: JSONDocument.Value

  init(_ document: JSONDocument, _ place: JSONDocument.Value) {
    self.document = document
    self.place = place
  }

  var isObject: Bool { document.kind(of: place) == .object }

  func id() throws(JSONMalformed) -> RequestID? {
    let envelope = JSONEnvelope(document)
    guard envelope.isIDGood else { throw JSONMalformed("an id that cannot be one") }
    return envelope.id
  }

  // MARK: What a line can be

  /// Nil for an event that a later version has.
  func event() throws(JSONMalformed) -> JSONClientCodec.Heard? {
    if let message = object("message") { return .event(.message(try message.message())) }
    if let joined = object("joined") { return .event(try joined.came()) }
    if let left = object("left") { return .event(try left.went()) }
    if let caughtUp = object("caughtUp") {
      return .event(.caughtUp(try caughtUp.room("room"), seq: try caughtUp.number("seq")))
    }
    if let gap = object("gap") { return .event(.gap(try gap.room("room"), try gap.range())) }
    if let notice = object("notice") { return .notice(try notice.string("text")) }
    if let closing = object("closing") {
      return .closing(
        reason: try closing.string("reason"), message: closing.optionalString("message") ?? "",
        retryAfter: try closing.wait())
    }
    return nil
  }

  func refusal() throws(JSONMalformed) -> JSONRefusal {
    JSONRefusal(
      code: try string("code"), message: try string("message"), retryAfter: try wait())
  }

  func answer(to request: Request) throws(JSONMalformed) -> Answer {
    switch request {
    case .logIn, .logInWithPassword, .register, .changePassword, .resume:
      return .loggedIn(
        try name("name"), token: try string("token"), isGuest: try flag("guest"))
    case .logOut:
      return .loggedOut
    case .join:
      return .joined(try room("room"), seq: try number("seq"), members: try count("members"))
    case .leave(let room):
      return .left(room ?? .lobby)
    case .send(let room, _, _, _):
      guard let durability = Durability(rawValue: try string("durability")) else {
        throw JSONMalformed("a durability that is none")
      }
      return .sent(room ?? .lobby, seq: try number("seq"), at: try moment("at"), durability)
    case .history(let room, _, _):
      return .history(try page(of: room ?? .lobby))
    case .rooms:
      let rooms = try array("rooms") { room throws(JSONMalformed) in try room.roomState() }
      return .rooms(rooms, count: try count("count"))
    case .who(let room):
      let members = try array("members") { member throws(JSONMalformed) in
        Member(try member.name("name"), role: member.role())
      }
      return .members(room ?? .lobby, members, count: try count("count"))
    case .ping(let text):
      return .pong(text)
    case .quit:
      return .quit
    }
  }

  // MARK: Objects

  private func message() throws(JSONMalformed) -> Message {
    guard let text = MessageText(try string("text")) else {
      throw JSONMalformed("a text that cannot be one")
    }
    let draft = Draft(
      room: try room("room"), person: JSONClientCodec.nobody, from: try name("from"), text: text,
      key: optionalString("key").flatMap(MessageKey.init), replyTo: try optionalNumber("replyTo"))
    return Message(draft, seq: try number("seq"), at: try moment("at"))
  }

  private func page(of room: RoomName) throws(JSONMalformed) -> HistoryPage {
    HistoryPage(
      room: room,
      messages: try array("messages") { message throws(JSONMalformed) in try message.message() },
      more: try flag("more"), gap: try object("gap")?.range())
  }

  private func roomState() throws(JSONMalformed) -> RoomState {
    RoomState(
      name: try room("name"), members: try count("members"), seq: try number("seq"))
  }

  private func came() throws(JSONMalformed) -> Event {
    let (room, members) = (try room("room"), try count("members"))
    return has("count")
      ? .membersChanged(room, joined: try count("count"), left: 0, members: members)
      : .joined(room, try name("name"), members: members)
  }

  private func went() throws(JSONMalformed) -> Event {
    let (room, members) = (try room("room"), try count("members"))
    return has("count")
      ? .membersChanged(room, joined: 0, left: try count("count"), members: members)
      : .left(room, try name("name"), members: members)
  }

  private func range() throws(JSONMalformed) -> ClosedRange<Int64> {
    let (from, to) = (try number("from"), try number("to"))
    guard from <= to else { throw JSONMalformed("a gap that ends before it begins") }
    return from...to
  }

  private func wait() throws(JSONMalformed) -> Duration? {
    try optionalNumber("retryAfterMs").map { .milliseconds($0) }
  }

  // MARK: Values

  func object(_ key: String) -> JSONFields? {
    guard let value = document.member(key, of: place), document.kind(of: value) == .object else {
      return nil
    }
    return JSONFields(document, value)
  }

  private func has(_ key: String) -> Bool { document.member(key, of: place) != nil }

  private func array<Element>(
    _ key: String, _ element: (JSONFields) throws(JSONMalformed) -> Element
  ) throws(JSONMalformed) -> [Element] {
    guard let value = document.member(key, of: place), document.kind(of: value) == .array else {
      throw JSONMalformed("no array \(key)")
    }
    var elements: [Element] = []
    for place in document.elements(of: value) {
      elements.append(try element(JSONFields(document, place)))
    }
    return elements
  }

  /// Nil for a role that a later version has, too.
  private func role() -> Role? { optionalString("role").flatMap { Role(rawValue: $0) } }

  private func optionalString(_ key: String) -> String? {
    document.member(key, of: place).flatMap { document.string($0) }
  }

  private func string(_ key: String) throws(JSONMalformed) -> String {
    guard let string = optionalString(key) else { throw JSONMalformed("no string \(key)") }
    return string
  }

  private func optionalNumber(_ key: String) throws(JSONMalformed) -> Int64? {
    guard let value = document.member(key, of: place) else { return nil }
    guard let number = document.integer(value), number >= 0 else {
      throw JSONMalformed("\(key) is no whole number")
    }
    return number
  }

  private func number(_ key: String) throws(JSONMalformed) -> Int64 {
    guard let number = try optionalNumber(key) else { throw JSONMalformed("no number \(key)") }
    return number
  }

  private func count(_ key: String) throws(JSONMalformed) -> Int { Int(try number(key)) }

  private func flag(_ key: String) throws(JSONMalformed) -> Bool {
    switch document.member(key, of: place).map({ document.kind(of: $0) }) {
    case .yes: true
    case .no: false
    case .object, .array, .string, .number, .null, nil: throw JSONMalformed("no flag \(key)")
    }
  }

  private func room(_ key: String) throws(JSONMalformed) -> RoomName {
    guard let room = RoomName(try string(key)) else {
      throw JSONMalformed("\(key) is no name of a room")
    }
    return room
  }

  private func name(_ key: String) throws(JSONMalformed) -> UserName {
    guard let name = try? UserName(try string(key)) else {
      throw JSONMalformed("\(key) is no name")
    }
    return name
  }

  private func moment(_ key: String) throws(JSONMalformed) -> Moment {
    guard let milliseconds = CalendarTime.milliseconds(ofTimestamp: try string(key)) else {
      throw JSONMalformed("\(key) is no time")
    }
    return Moment(milliseconds: milliseconds)
  }
}
