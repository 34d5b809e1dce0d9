/// Requests as JSON lines, as a client writes them.

internal import ChatModel
internal import Wire

extension JSONSpelling {
  /// The method and its arguments, inside the request's object.
  static func encode(_ request: Request, into out: inout [UInt8]) {
    switch request {
    case .logIn(let name, _): string(#""login":{"name":"#, name.shown, &out)
    case .logInWithPassword(let name, let password, _, _):
      string(#""login":{"name":"#, name.shown, &out)
      string(#","password":"#, password.string, &out)
    case .register(let name, let password, let code, _):
      string(#""register":{"name":"#, name.shown, &out)
      string(#","password":"#, password.string, &out)
      if let code { string(#","code":"#, code, &out) }
    case .changePassword(let old, let new):
      string(#""password":{"old":"#, old.string, &out)
      string(#","new":"#, new.string, &out)
    case .logOut: out.append(ascii: #""logout":{"#)
    case .resume(let token, _): string(#""login":{"token":"#, token, &out)
    case .create(let room, let isPrivate, let topic):
      method(#""create":"#, room, &out)
      if isPrivate { out.append(ascii: #","private":true"#) }
      if let topic { string(#","topic":"#, topic.string, &out) }
    case .archive(let room): method(#""archive":"#, room, &out)
    case .join(let place, let beginning, let code): join(place, beginning, code, &out)
    case .leave(let room): method(#""leave":"#, room, &out)
    case .send(let place, let text, let key, let replyTo):
      send(place, text, key, replyTo, &out)
    case .edit(let place, let seq, let text):
      method(#""edit":"#, place, seq, &out)
      string(#","text":"#, text.string, &out)
    case .delete(let place, let seq): method(#""delete":"#, place, seq, &out)
    case .history(let place, let stretch, let limit): history(place, stretch, limit, &out)
    case .search(let search): self.search(search, &out)
    case .mark(let place, let seq): method(#""mark":"#, place, seq, &out)
    case .typing(let place, let isOn):
      method(#""typing":"#, place, &out)
      out.append(ascii: isOn ? #","on":true"# : #","on":false"#)
    case .away(let text):
      out.append(ascii: #""away":{"#)
      if let text { string(#""text":"#, text.string, &out) }
    case .rooms: out.append(ascii: #""rooms":{"#)
    case .who(let room): method(#""who":"#, room, &out)
    case .topic:
      preconditionFailure("a topic stands in the answers to join and rooms; none asks for it")
    case .setTopic(let room, let topic):
      method(#""topic":"#, room, &out)
      string(#","text":"#, topic?.string ?? "", &out)
    case .invite(let room, let uses, let seconds):
      method(#""invite":"#, room, &out)
      if let uses { number(#","uses":"#, Int64(uses), &out) }
      if let seconds { number(#","seconds":"#, Int64(seconds), &out) }
    case .uninvite(let room, let code):
      method(#""uninvite":"#, room, &out)
      string(#","code":"#, code, &out)
    case .kick(let room, let name, let reason): kick(room, name, reason, &out)
    case .sanction(let kind, let room, let subject, let reason, let seconds):
      sanction(kind, room, subject, reason, seconds, &out)
    case .lift(let kind, let room, let subject):
      method(kind == .ban ? #""unban":{"# : #""unmute":{"#, room, subject, &out)
    case .setRole(let room, let name, let role):
      method(#""role":{"#, room, .name(name), &out)
      string(#","role":"#, role.rawValue, &out)
    case .ping: out.append(ascii: #""ping":{"#)
    case .quit: out.append(ascii: #""quit":{"#)
    case .operate: preconditionFailure("operators ask by a codec of their own")
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func join(
    _ place: Place, _ beginning: Beginning, _ code: String?, _ out: inout [UInt8]
  ) {
    method(#""join":"#, place, &out)
    switch beginning {
    case .now: break
    case .after(let seq): number(#","after":"#, seq, &out)
    case .last(let count): number(#","last":"#, Int64(count), &out)
    }
    if let code { string(#","code":"#, code, &out) }
  }

  private static func send(
    _ place: Place?, _ text: MessageText, _ key: MessageKey?, _ replyTo: Int64?,
    _ out: inout [UInt8]
  ) {
    method(#""send":"#, place, &out)
    string(#","text":"#, text.string, &out)
    if let key { string(#","key":"#, key.string, &out) }
    if let replyTo { number(#","replyTo":"#, replyTo, &out) }
  }

  private static func history(
    _ place: Place?, _ stretch: Stretch, _ limit: Int, _ out: inout [UInt8]
  ) {
    method(#""history":"#, place, &out)
    switch stretch {
    case .before(nil): break
    case .before(let seq?): number(#","before":"#, seq, &out)
    case .after(let seq): number(#","after":"#, seq, &out)
    }
    number(#","limit":"#, Int64(limit), &out)
  }

  private static func search(_ search: Search, _ out: inout [UInt8]) {
    string(#""search":{"query":"#, search.words, &out)
    switch search.place {
    case .room(let room): string(#","room":"#, room.string, &out)
    case .with(let name): string(#","with":"#, name.shown, &out)
    case nil: break
    }
    if let from = search.from { string(#","from":"#, from.shown, &out) }
    if let since = search.since { time(#","since":"#, since, &out) }
    if let until = search.until { time(#","until":"#, until, &out) }
    if let cursor = search.cursor { string(#","cursor":"#, cursor, &out) }
    number(#","limit":"#, Int64(search.limit), &out)
  }

  private static func kick(
    _ room: RoomName?, _ name: UserName, _ reason: ShortText?, _ out: inout [UInt8]
  ) {
    method(#""kick":{"#, room, .name(name), &out)
    if let reason { string(#","reason":"#, reason.string, &out) }
  }

  private static func sanction(
    _ kind: Sanction.Kind, _ room: RoomName?, _ subject: Subject, _ reason: ShortText?,
    _ seconds: Int?, _ out: inout [UInt8]
  ) {
    method(kind == .ban ? #""ban":{"# : #""mute":{"#, room, subject, &out)
    if let reason { string(#","reason":"#, reason.string, &out) }
    if let seconds { number(#","seconds":"#, Int64(seconds), &out) }
  }

  /// Without a room it is for the whole server.
  private static func method(
    _ method: StaticString, _ room: RoomName?, _ subject: Subject, _ out: inout [UInt8]
  ) {
    out.append(ascii: method)
    if let room {
      string(#""room":"#, room.string, &out)
      out.append(UInt8(ascii: ","))
    }
    switch subject {
    case .name(let name): string(#""name":"#, name.shown, &out)
    case .network(let network): string(#""network":"#, network.string, &out)
    }
  }

  private static func method(
    _ method: StaticString, _ place: Place, _ seq: Int64, _ out: inout [UInt8]
  ) {
    self.method(method, place, &out)
    number(#","seq":"#, seq, &out)
  }

  private static func method(_ method: StaticString, _ place: Place?, _ out: inout [UInt8]) {
    guard let place else { preconditionFailure("a request in JSON names its room") }
    out.append(ascii: method)
    self.place(place, &out)
  }

  private static func method(_ method: StaticString, _ room: RoomName?, _ out: inout [UInt8]) {
    self.method(method, room.map { Place.room($0) }, &out)
  }
}
