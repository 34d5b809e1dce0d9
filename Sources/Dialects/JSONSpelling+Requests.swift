/// Requests as JSON lines, as a client writes them.

internal import ChatModel
internal import Wire

extension JSONSpelling {
  /// The method and its arguments, inside the request's object.
  static func encode(_ request: Request, into out: inout [UInt8]) {
    switch request {
    case .logIn(let name, _):
      out.append(ascii: #""login":{"name":"#)
      out.append(quoted: name.shown)
    case .logInWithPassword(let name, let password, _, _):
      out.append(ascii: #""login":{"name":"#)
      out.append(quoted: name.shown)
      field(#","password":"#, password.string, &out)
    case .register(let name, let password, let code, _):
      out.append(ascii: #""register":{"name":"#)
      out.append(quoted: name.shown)
      field(#","password":"#, password.string, &out)
      if let code { field(#","code":"#, code, &out) }
    case .changePassword(let old, let new):
      field(#""password":{"old":"#, old.string, &out)
      field(#","new":"#, new.string, &out)
    case .logOut:
      out.append(ascii: #""logout":{"#)
    case .resume(let token, _):
      out.append(ascii: #""login":{"token":"#)
      out.append(quoted: token)
    case .join(let room, let beginning):
      self.method(#""join":"#, room, &out)
      switch beginning {
      case .now: break
      case .after(let seq): number(#","after":"#, seq, &out)
      case .last(let count): number(#","last":"#, Int64(count), &out)
      }
    case .leave(let room):
      self.method(#""leave":"#, room, &out)
    case .send(let room, let text, let key, let replyTo):
      self.method(#""send":"#, room, &out)
      out.append(ascii: #","text":"#)
      out.append(quoted: text.string)
      if let key {
        out.append(ascii: #","key":"#)
        out.append(quoted: key.string)
      }
      if let replyTo { number(#","replyTo":"#, replyTo, &out) }
    case .history(let room, let stretch, let limit):
      self.method(#""history":"#, room, &out)
      switch stretch {
      case .before(nil): break
      case .before(let seq?): number(#","before":"#, seq, &out)
      case .after(let seq): number(#","after":"#, seq, &out)
      }
      number(#","limit":"#, Int64(limit), &out)
    case .rooms:
      out.append(ascii: #""rooms":{"#)
    case .who(let room):
      self.method(#""who":"#, room, &out)
    case .ping:
      out.append(ascii: #""ping":{"#)
    case .quit:
      out.append(ascii: #""quit":{"#)
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func field(_ key: StaticString, _ string: String, _ out: inout [UInt8]) {
    out.append(ascii: key)
    out.append(quoted: string)
  }

  private static func method(
    _ method: StaticString, _ room: RoomName?, _ out: inout [UInt8]
  ) {
    guard let room else { preconditionFailure("a request in JSON names its room") }
    out.append(ascii: method)
    self.room(room, &out)
  }
}
