/// What a server tells unasked, out of its fields.

internal import ChatModel

extension JSONFields {
  /// Nil for an event that a later version has.
  func event() throws(JSONMalformed) -> JSONClientCodec.Heard? {
    if let message = object("message") { return .event(try message.message()) }
    if let joined = object("joined") { return .event(try joined.came()) }
    if let left = object("left") { return .event(try left.went()) }
    if let notice = object("notice") { return .notice(try notice.string("text")) }
    if let closing = object("closing") {
      return .closing(
        reason: try closing.string("reason"), message: closing.optionalString("message") ?? "",
        retryAfter: try closing.wait())
    }
    return try otherEvent().map { .event($0) }
  }

  private func otherEvent() throws(JSONMalformed) -> Event? {
    if let caughtUp = object("caughtUp") {
      return .caughtUp(try caughtUp.place(), seq: try caughtUp.number("seq"))
    }
    if let gap = object("gap") { return .gap(try gap.place(), try gap.range()) }
    if let edited = object("edited") {
      return try edited.change(
        .edit(of: try edited.number("of"), try edited.messageText("text")))
    }
    if let deleted = object("deleted") {
      return try deleted.change(.deletion(of: try deleted.number("of")))
    }
    if let topic = object("topic") {
      guard topic.has("text") else { throw JSONMalformed("no string text") }
      return try topic.change(.topic(try topic.shortText("text")))
    }
    if let typing = object("typing") {
      return .typing(try typing.place(), try typing.name("name"), try typing.flag("on"))
    }
    if let presence = object("presence") {
      return .presence(try presence.name("name"), away: try presence.shortText("away"))
    }
    if let marked = object("marked") {
      return .marked(try marked.place(), seq: try marked.number("seq"))
    }
    if let kicked = object("kicked") {
      return .kicked(
        try kicked.room("room"), by: try kicked.name("by"), try kicked.shortText("reason"))
    }
    return nil
  }

  /// A message in its place, as an event or in a list.
  func message() throws(JSONMalformed) -> Event {
    let place = try place()
    return .message(try message(in: place), in: place)
  }

  func message(in place: Place) throws(JSONMalformed) -> Message {
    let isGone = try holds("deleted")
    let content: Content = isGone ? .gone : .text(try messageText("text"))
    let draft = Draft(
      room: JSONClientCodec.room(of: place), person: JSONClientCodec.nobody,
      from: try name("from"), content: content,
      key: optionalString("key").flatMap(MessageKey.init), replyTo: try optionalNumber("replyTo"))
    // What is gone has no text that could be another.
    let edited = isGone || !has("edited") ? nil : try moment("edited")
    return Message(draft, seq: try number("seq"), at: try moment("at"), edited: edited)
  }

  private func change(_ content: Content) throws(JSONMalformed) -> Event {
    let place = try place()
    let draft = Draft(
      room: JSONClientCodec.room(of: place), person: JSONClientCodec.nobody,
      from: try name("by"), content: content)
    return .message(Message(draft, seq: try number("seq"), at: try moment("at")), in: place)
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
}
