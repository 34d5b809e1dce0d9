/// What a JSON session is asked to do, and what of it is done again after a cut. Sends nothing.

import ChatModel

extension JSONSession {
  /// What stands in the queue until it is answered.
  enum Entry {
    case text(MessageText, Place, MessageKey, replyTo: Int64?)
    /// Of what it asks about a room, it is about this one.
    case question(ChatQuestion, RoomName)
    /// Into a room; where one stays, the room before is heard, too.
    case join(RoomName, code: String?, stays: Bool)
    case request(Request)
    /// A request that may have been carried out before a cut.
    case again(Request)
  }

  /// What a request was made for.
  enum Asked {
    case logIn
    case resume
    /// The room that the conversation is in, at the beginning of each connection.
    case enter(Beginning)
    /// One of the rooms that are heard besides, or a conversation.
    case resumePlace(Place, Beginning)
    /// How far the conversations are; the first time what was missed may be of no interest.
    case list(isFirst: Bool)
    case entry(Entry, Request, Beginning? = nil)
    /// A further page of a history that did not fit into one: so many messages at most, and what
    /// the pages before it have, to be shown behind it.
    case olderPage(Entry, left: Int, newer: [ServerLine])
    /// Nobody waits for this answer.
    case aside
    /// Behind everything said: its answer says that all that came of it was shown.
    case lastWord
    case quit
  }

  /// What has no answer at a cut: what is asked again, and what a second time would do harm.
  var underWay: (again: [Entry], lost: [Request]) {
    var lost: [Request] = []
    let again = asked.compactMap(\.1.entry).compactMap { entry -> Entry? in
      guard case .request(let request) = entry else { return entry }
      switch request.repetition {
      case .harmless: return .again(request)
      case .useless: return nil
      case .harmful:
        lost.append(request)
        return nil
      }
    }
    return (again, lost)
  }

  /// The request as it is sent; nil for what the session does in ways of its own.
  func taken(_ request: Request) -> Request? {
    switch request {
    case .logIn, .logInWithPassword, .resume, .join, .send, .ping, .quit: nil
    case .operate: nil  // it is for another socket
    case .leave(let room): others.contains { $0.place == room.map { .room($0) } } ? request : nil
    case .register(let name, let password, let code, _):
      .register(name, password, code: code, .manyRooms)
    case .history(let place, let stretch, let limit):
      .history(place ?? .room(room), stretch, limit: Self.pageLimit(limit))
    case .who(let room): .who(room ?? self.room)
    case .topic(let room): .topic(room ?? self.room)
    case .setTopic(let room, let topic): .setTopic(room ?? self.room, topic)
    case .changePassword, .logOut, .create, .archive, .edit, .delete, .search, .mark, .typing,
      .away, .rooms, .invite, .uninvite, .kick, .sanction, .lift, .setRole:
      request
    }
  }
}

extension JSONSession.Entry {
  var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Nothing may overtake it.
  var isOrdered: Bool {
    switch self {
    case .text, .join: true
    case .question: false
    case .request(let request), .again(let request): request.isOrdered
    }
  }

  /// The room that it goes into.
  var goal: RoomName? {
    switch self {
    case .join(let room, code: _, stays: false), .request(.create(let room, _, _)): room
    case .text, .question, .join, .request, .again: nil
    }
  }

  /// To a server that has no JSON lines. What that one cannot do is dropped: it was never open.
  func pass(to plain: inout PlainSession) {
    switch self {
    case .text(let text, let place, _, let replyTo):
      let target: Place? = if case .with = place { place } else { nil }
      _ = plain.say(text, to: target, replyTo: replyTo, at: .zero)
    case .question(let question, _): _ = plain.ask(question, at: .zero)
    case .join(let room, let code, stays: false): _ = plain.join(room, code: code, at: .zero)
    case .request(let request): _ = plain.request(request, at: .zero)
    case .join, .again: break
    }
  }

  /// A refusal with what was refused.
  func complaint(_ words: String) -> String {
    switch self {
    case .text(let text, _, _, _): "\(ScreenText.quoted(text)) was not said: \(words)"
    case .again: "\(words) (it may have been done before the connection was lost)"
    case .question, .join, .request: words
    }
  }
}

extension JSONSession.Asked {
  /// What is to be asked again on another connection.
  var entry: JSONSession.Entry? {
    switch self {
    case .entry(let entry, _, _), .olderPage(let entry, _, _): entry
    case .logIn, .resume, .enter, .resumePlace, .list, .aside, .lastWord, .quit: nil
    }
  }

  var isText: Bool { entry?.isText ?? false }
  var isOrdered: Bool { entry?.isOrdered ?? false }
}

extension Request {
  /// Whether it has its place among what is said.
  fileprivate var isOrdered: Bool {
    switch self {
    case .history, .search, .mark, .typing, .rooms, .who, .topic, .ping: false
    case .logIn, .logInWithPassword, .register, .changePassword, .logOut, .resume, .create,
      .archive, .join, .leave, .send, .edit, .delete, .away, .setTopic, .invite, .uninvite, .kick,
      .sanction, .lift, .setRole, .operate, .quit:
      true
    }
  }

  enum Repetition {
    /// Done twice it is as done once.
    case harmless
    /// Its time is over.
    case useless
    /// Done twice it is another thing: a second code, or somebody put out who has come back.
    case harmful
  }

  /// What it means to ask once more where it is not known whether it was done.
  fileprivate var repetition: Repetition {
    switch self {
    case .typing: .useless
    case .create, .invite, .kick, .register, .changePassword, .logOut, .operate: .harmful
    case .logIn, .logInWithPassword, .resume, .archive, .join, .leave, .send, .edit, .delete,
      .history, .search, .mark, .away, .rooms, .who, .topic, .setTopic, .uninvite, .sanction,
      .lift, .setRole, .ping, .quit:
      .harmless
    }
  }

  /// What is told where it may have been done, and is not asked again.
  var lostWords: String {
    let what =
      switch self {
      case .create(let room, _, _): "making \(room.string)"
      case .invite: "the invitation"
      case .kick(_, let name, _): "putting \(ScreenText.oneLine(name.shown)) out"
      case .register: "the registration"
      case .changePassword: "the new password"
      case _: "what you asked for"
      }
    return "the connection was lost before \(what) was answered; look whether it was done"
  }
}

extension Sequence {
  /// The first that is something.
  func firstNonNil<Value>(_ transform: (Element) -> Value?) -> Value? {
    for element in self { if let value = transform(element) { return value } }
    return nil
  }
}
