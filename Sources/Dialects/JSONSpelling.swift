/// Events as JSON lines. Does not decide who is told.

internal import ChatModel
internal import Wire

/// Each is one line; the fields are in the order that docs/wire/json.md gives them.
enum JSONSpelling {
  static func encode(_ event: Event, isOwn: Bool, into out: inout [UInt8]) {
    switch event {
    case .joined(let room, let name, let members):
      out.append(ascii: #"{"joined":"#)
      named(room, name, members, &out)
    case .left(let room, let name, let members):
      out.append(ascii: #"{"left":"#)
      named(room, name, members, &out)
    case .membersChanged(let room, let joined, let left, let members):
      if joined > 0 { counted(#"{"joined":"#, room, joined, members, &out) }
      if left > 0 { counted(#"{"left":"#, room, left, members, &out) }
    case .message(let said):
      out.append(ascii: #"{"message":"#)
      message(said, isOwn: isOwn, &out)
      end(&out)
    case .catchingUp, .help:
      break
    case .caughtUp(let room, let seq):
      out.append(ascii: #"{"caughtUp":"#)
      self.room(room, &out)
      number(#","seq":"#, seq, &out)
      out.append(UInt8(ascii: "}"))
      end(&out)
    case .gap(let room, let numbers):
      out.append(ascii: #"{"gap":"#)
      self.room(room, &out)
      out.append(UInt8(ascii: ","))
      gap(numbers, &out)
      end(&out)
    case .skipped(let lines):
      notice("\(lines) lines skipped", &out)
    case .notice(let words):
      notice(words, &out)
    case .closing(let reason, let retryAfter):
      out.append(ascii: #"{"closing":{"reason":"#)
      out.append(quoted: JSONClosingCode(reason).rawValue)
      out.append(ascii: #","message":"#)
      out.append(quoted: PlainWords.closing(reason))
      if let retryAfter {
        number(#","retryAfterMs":"#, JSONWords.milliseconds(retryAfter), &out)
      }
      out.append(UInt8(ascii: "}"))
      end(&out)
    }
  }

  private static func notice(_ words: String, _ out: inout [UInt8]) {
    out.append(ascii: #"{"notice":{"text":"#)
    out.append(quoted: words)
    out.append(UInt8(ascii: "}"))
    end(&out)
  }

  /// The object most often written. The key is for the sender's own connections.
  static func message(_ message: Message, isOwn: Bool, _ out: inout [UInt8]) {
    let draft = message.draft
    room(draft.room, &out)
    number(#","seq":"#, message.seq, &out)
    out.append(ascii: #","from":"#)
    out.append(quoted: draft.from.shown)
    out.append(ascii: #","text":"#)
    out.append(quoted: draft.text.string)
    time(message.at, &out)
    if let replyTo = draft.replyTo { number(#","replyTo":"#, replyTo, &out) }
    if isOwn, let key = draft.key {
      out.append(ascii: #","key":"#)
      out.append(quoted: key.string)
    }
    out.append(UInt8(ascii: "}"))
  }

  /// Begins an object: a room's name needs no escaping.
  static func room(_ room: RoomName, _ out: inout [UInt8]) {
    out.append(ascii: #"{"room":""#)
    out += room.string.utf8
    out.append(UInt8(ascii: "\""))
  }

  static func number(_ field: StaticString, _ number: Int64, _ out: inout [UInt8]) {
    out.append(ascii: field)
    out.append(decimal: number)
  }

  static func time(_ at: Moment, _ out: inout [UInt8]) {
    out.append(ascii: #","at":""#)
    out.append(timestamp: at.milliseconds)
    out.append(UInt8(ascii: "\""))
  }

  /// Ends an object.
  static func gap(_ numbers: ClosedRange<Int64>, _ out: inout [UInt8]) {
    number(#""from":"#, numbers.lowerBound, &out)
    number(#","to":"#, numbers.upperBound, &out)
    out.append(UInt8(ascii: "}"))
  }

  static func end(_ out: inout [UInt8]) { out.append(ascii: "}\n") }

  private static func named(
    _ room: RoomName, _ name: UserName, _ members: Int, _ out: inout [UInt8]
  ) {
    self.room(room, &out)
    out.append(ascii: #","name":"#)
    out.append(quoted: name.shown)
    number(#","members":"#, Int64(members), &out)
    out.append(UInt8(ascii: "}"))
    end(&out)
  }

  private static func counted(
    _ event: StaticString, _ room: RoomName, _ count: Int, _ members: Int, _ out: inout [UInt8]
  ) {
    out.append(ascii: event)
    self.room(room, &out)
    number(#","count":"#, Int64(count), &out)
    number(#","members":"#, Int64(members), &out)
    out.append(UInt8(ascii: "}"))
    end(&out)
  }
}
