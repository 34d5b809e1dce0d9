/// One method's arguments, taken out of its JSON object and judged. Asks nobody.

internal import ChatModel
internal import Wire

/// A request that cannot be one: what it is answered.
struct JSONRefused: Error {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }
  init(_ words: String) { refusal = .badRequest(words) }
}

/// Those of one request, by the table of arguments.
struct JSONArguments: JSONObjectReader {
  let method: JSONMethod
  let document: JSONDocument
  let object: JSONDocument.Value

  func request() throws(JSONRefused) -> Request {
    switch method {
    case .login: try login()
    case .register: try register()
    case .password: try changePassword()
    case .logout: .logOut
    case .create: try create()
    case .archive: .archive(try room())
    case .join: .join(try place(), try beginning(), code: try string(.code))
    case .leave: .leave(try room())
    case .send: try send()
    case .edit: .edit(try place(), of: try seq(), try messageText())
    case .delete: .delete(try place(), of: try seq())
    case .history: .history(try place(), try stretch(), limit: try limit())
    case .search: .search(try search())
    case .mark: .mark(try place(), try needed(.seq, try number(.seq, from: 0)))
    case .typing: .typing(try place(), try needed(.on, try flag(.on)))
    case .rooms: .rooms
    case .who: .who(try room())
    case .topic: try setTopic()
    case .invite: try invite()
    case .uninvite: .uninvite(try room(), code: try needed(.code, try string(.code)))
    case .kick: .kick(try roomIfAny(), try name(.name), try shortText(.reason))
    case .ban: try sanction(.ban)
    case .unban: .lift(.ban, try roomIfAny(), try subject())
    case .mute: try sanction(.mute)
    case .unmute: .lift(.mute, try roomIfAny(), try subject())
    case .role: try setRole()
    case .away: .away(try shortText(.text))
    case .ping: .ping("")
    case .quit: .quit
    }
  }
}

// MARK: Values

extension JSONArguments {
  /// What stands there, or that the method needs it.
  func needed<Value>(_ argument: JSONArgument, _ value: Value?) throws(JSONRefused) -> Value {
    guard let value else {
      throw JSONRefused("\(method.rawValue) needs \(JSONWords.what(argument))")
    }
    return value
  }

  func place() throws(JSONRefused) -> Place {
    guard let place = try placeIfAny() else {
      throw JSONRefused("\(method.rawValue) needs a room, or with, the name of a person")
    }
    return place
  }

  /// Both fields are looked for at once: most requests have one of them.
  func placeIfAny() throws(JSONRefused) -> Place? {
    var place: Place?
    for (key, value) in document.members(of: object) where document.kind(of: value) != .null {
      let found: Place
      if document.reads(key, "room") {
        found = .room(try roomName(try string("room", value)))
      } else if document.reads(key, "with") {
        found = .with(try userName(try string("with", value)))
      } else {
        continue
      }
      guard place == nil else {
        throw JSONRefused("\(method.rawValue) takes room or with, not both")
      }
      place = found
    }
    return place
  }

  func room() throws(JSONRefused) -> RoomName { try needed(.room, try roomIfAny()) }

  func roomIfAny() throws(JSONRefused) -> RoomName? {
    guard let string = try string(.room) else { return nil }
    return try roomName(string)
  }

  func name(_ argument: JSONArgument) throws(JSONRefused) -> UserName {
    try needed(argument, try nameIfAny(argument))
  }

  func nameIfAny(_ argument: JSONArgument) throws(JSONRefused) -> UserName? {
    guard let string = try string(argument) else { return nil }
    return try userName(string)
  }

  /// Of a message.
  func seq() throws(JSONRefused) -> Int64 { try needed(.seq, try number(.seq, from: 1)) }

  func messageText() throws(JSONRefused) -> MessageText {
    let string = try needed(.text, try string(.text))
    if let text = MessageText(string) { return text }
    if string.isEmpty { throw JSONRefused(JSONWords.emptyText) }
    throw JSONRefused(.tooLong(limit: MessageText.bytesMax))
  }

  func shortText(_ argument: JSONArgument) throws(JSONRefused) -> ShortText? {
    try shortText(key(argument))
  }

  func moment(_ argument: JSONArgument) throws(JSONRefused) -> Moment? {
    guard let string = try string(argument) else { return nil }
    guard let milliseconds = CalendarTime.milliseconds(ofTimestamp: string) else {
      throw JSONRefused("\(argument.rawValue) must be a time, as in 2026-11-30T02:10:00Z")
    }
    return Moment(milliseconds: milliseconds)
  }

  func seconds() throws(JSONRefused) -> Int? {
    try number(.seconds, from: 1, upTo: Int64(JSONLimits.secondsMax)).map { Int($0) }
  }

  func string(_ argument: JSONArgument) throws(JSONRefused) -> String? {
    try string(key(argument))
  }

  func flag(_ argument: JSONArgument) throws(JSONRefused) -> Bool? {
    guard let value = value(of: key(argument)) else { return nil }
    switch document.kind(of: value) {
    case .yes: return true
    case .no: return false
    case .object, .array, .string, .number, .null:
      throw JSONRefused("\(argument.rawValue) must be true or false")
    }
  }

  func number(
    _ argument: JSONArgument, from least: Int64, upTo most: Int64 = .max
  ) throws(JSONRefused) -> Int64? {
    try number(key(argument), from: least, upTo: most)
  }

  private func key(_ argument: JSONArgument) -> String {
    assert(method.arguments.contains(argument), "the table of arguments is complete")
    return argument.rawValue
  }
}
