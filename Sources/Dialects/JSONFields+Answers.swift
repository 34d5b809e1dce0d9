/// What a server answers, out of its fields, by what was asked.

internal import ChatModel

extension JSONFields {
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
    case .create, .join:
      return .joined(
        try place(), seq: try number("seq"), members: try count("members"),
        topic: try shortText("topic"))
    case .leave(let room):
      return .left(room ?? .lobby)
    case .send(let place, _, _, _):
      guard let durability = Durability(rawValue: try string("durability")) else {
        throw JSONMalformed("a durability that is none")
      }
      return .sent(
        place ?? .room(.lobby), seq: try number("seq"), at: try moment("at"), durability)
    case .edit, .delete:
      return .changed(seq: try number("seq"))
    case .history(let place, _, _):
      let place = place ?? .room(.lobby)
      return .history(try page(of: place), in: place)
    case .search:
      return .found(try findings())
    case .rooms:
      let rooms = try array("rooms") { room throws(JSONMalformed) in try room.roomState() }
      return .rooms(rooms, count: try count("count"))
    case .who(let room):
      let members = try array("members") { member throws(JSONMalformed) in
        Member(
          try member.name("name"), role: member.role(), away: try member.shortText("away"))
      }
      return .members(room ?? .lobby, members, count: try count("count"))
    case .topic(let room):
      return .topic(room ?? .lobby, try shortText("topic"))
    case .invite(let room, _, _):
      return .invited(room, code: try string("code"))
    case .archive, .mark, .typing, .away, .setTopic, .uninvite, .kick, .sanction, .lift, .setRole:
      return .done
    case .ping(let text):
      return .pong(text)
    case .quit:
      return .quit
    case .operate(let operation):
      return try answer(to: operation)
    }
  }

  func page(of place: Place) throws(JSONMalformed) -> HistoryPage {
    HistoryPage(
      room: JSONClientCodec.room(of: place),
      messages: try array("messages") { message throws(JSONMalformed) in
        try message.message(in: try message.place())
      },
      more: try flag("more"), gap: try object("gap")?.range())
  }

  private func findings() throws(JSONMalformed) -> Findings {
    let messages = try array("messages") { message throws(JSONMalformed) in
      let place = try message.place()
      return Findings.Finding(try message.message(in: place), in: place)
    }
    return Findings(messages: messages, cursor: has("cursor") ? try string("cursor") : nil)
  }

  func roomState() throws(JSONMalformed) -> RoomState {
    var state = RoomState(
      place: try place(room: "name"), members: try count("members"), seq: try number("seq"))
    state.topic = try shortText("topic")
    state.isPrivate = try holds("private")
    state.isArchived = try holds("archived")
    state.mark = try optionalNumber("mark")
    return state
  }

  /// Nil for a role that a later version has, too.
  private func role() -> Role? { optionalString("role").flatMap { Role(rawValue: $0) } }
}
