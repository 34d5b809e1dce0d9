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
    case .message(let said, in: let place):
      told(said, in: place, isOwn: isOwn, &out)
    case .catchingUp, .help:
      break
    case .caughtUp(let place, let seq):
      out.append(ascii: #"{"caughtUp":"#)
      numbered(place, seq, &out)
    case .gap(let place, let numbers):
      out.append(ascii: #"{"gap":"#)
      self.place(place, &out)
      out.append(UInt8(ascii: ","))
      gap(numbers, &out)
      end(&out)
    case .typing(let place, let name, let isOn):
      out.append(ascii: #"{"typing":"#)
      self.place(place, &out)
      string(#","name":"#, name.shown, &out)
      out.append(ascii: isOn ? #","on":true}"# : #","on":false}"#)
      end(&out)
    case .presence(let name, let away):
      string(#"{"presence":{"name":"#, name.shown, &out)
      if let away { string(#","away":"#, away.string, &out) }
      close(&out)
    case .marked(let place, let seq):
      out.append(ascii: #"{"marked":"#)
      numbered(place, seq, &out)
    case .kicked(let room, let name, let reason):
      out.append(ascii: #"{"kicked":"#)
      self.room(room, &out)
      string(#","by":"#, name.shown, &out)
      if let reason { string(#","reason":"#, reason.string, &out) }
      close(&out)
    case .skipped(let lines):
      notice("\(lines) lines skipped", &out)
    case .notice(let words):
      notice(words, &out)
    case .closing(let reason, let retryAfter):
      string(#"{"closing":{"reason":"#, JSONClosingCode(reason).rawValue, &out)
      string(#","message":"#, PlainWords.closing(reason), &out)
      if let retryAfter {
        number(#","retryAfterMs":"#, JSONWords.milliseconds(retryAfter), &out)
      }
      close(&out)
    }
  }

  /// A message, or a change of what was said.
  private static func told(
    _ message: Message, in place: Place, isOwn: Bool, _ out: inout [UInt8]
  ) {
    switch message.draft.content {
    case .text, .gone:
      out.append(ascii: #"{"message":"#)
      self.message(message, in: place, isOwn: isOwn, &out)
      end(&out)
    case .edit(of: let seq, let text):
      out.append(ascii: #"{"edited":"#)
      change(message, of: seq, in: place, text.string, &out)
    case .deletion(of: let seq):
      out.append(ascii: #"{"deleted":"#)
      change(message, of: seq, in: place, nil, &out)
    case .topic(let topic):
      out.append(ascii: #"{"topic":"#)
      change(message, of: nil, in: place, topic?.string ?? "", &out)
    }
  }

  /// The object most often written. The key is for the sender's own connections. A message without
  /// a text has an empty one.
  static func message(
    _ message: Message, in place: Place, isOwn: Bool, _ out: inout [UInt8]
  ) {
    self.place(place, &out)
    number(#","seq":"#, message.seq, &out)
    string(#","from":"#, message.draft.from.shown, &out)
    var isGone = true
    if case .text(let text) = message.draft.content {
      string(#","text":"#, text.string, &out)
      isGone = false
    } else {
      out.append(ascii: #","text":"""#)
    }
    time(#","at":"#, message.at, &out)
    if let replyTo = message.draft.replyTo { number(#","replyTo":"#, replyTo, &out) }
    if let edited = message.edited { time(#","edited":"#, edited, &out) }
    if isGone { out.append(ascii: #","deleted":true"#) }
    if isOwn, let key = message.draft.key { string(#","key":"#, key.string, &out) }
    out.append(UInt8(ascii: "}"))
  }

  private static func change(
    _ message: Message, of seq: Int64?, in place: Place, _ text: String?, _ out: inout [UInt8]
  ) {
    self.place(place, &out)
    number(#","seq":"#, message.seq, &out)
    if let seq { number(#","of":"#, seq, &out) }
    string(#","by":"#, message.draft.from.shown, &out)
    time(#","at":"#, message.at, &out)
    if let text { string(#","text":"#, text, &out) }
    close(&out)
  }

  private static func notice(_ words: String, _ out: inout [UInt8]) {
    string(#"{"notice":{"text":"#, words, &out)
    close(&out)
  }

  private static func numbered(_ place: Place, _ seq: Int64, _ out: inout [UInt8]) {
    self.place(place, &out)
    number(#","seq":"#, seq, &out)
    close(&out)
  }

  private static func named(
    _ room: RoomName, _ name: UserName, _ members: Int, _ out: inout [UInt8]
  ) {
    self.room(room, &out)
    string(#","name":"#, name.shown, &out)
    number(#","members":"#, Int64(members), &out)
    close(&out)
  }

  private static func counted(
    _ event: StaticString, _ room: RoomName, _ count: Int, _ members: Int, _ out: inout [UInt8]
  ) {
    out.append(ascii: event)
    self.room(room, &out)
    number(#","count":"#, Int64(count), &out)
    number(#","members":"#, Int64(members), &out)
    close(&out)
  }
}

// MARK: Fields

extension JSONSpelling {
  /// Begins an object.
  static func place(_ place: Place, _ out: inout [UInt8]) {
    switch place {
    case .room(let room): self.room(room, &out)
    case .with(let name): string(#"{"with":"#, name.shown, &out)
    }
  }

  /// Begins an object: a room's name needs no escaping.
  static func room(_ room: RoomName, _ out: inout [UInt8]) {
    out.append(ascii: #"{"room":""#)
    out += room.string.utf8
    out.append(UInt8(ascii: "\""))
  }

  static func string(_ field: StaticString, _ string: String, _ out: inout [UInt8]) {
    out.append(ascii: field)
    out.append(quoted: string)
  }

  static func number(_ field: StaticString, _ number: Int64, _ out: inout [UInt8]) {
    out.append(ascii: field)
    out.append(decimal: number)
  }

  static func time(_ field: StaticString, _ moment: Moment, _ out: inout [UInt8]) {
    out.append(ascii: field)
    out.append(UInt8(ascii: "\""))
    out.append(timestamp: moment.milliseconds)
    out.append(UInt8(ascii: "\""))
  }

  /// Ends an object.
  static func gap(_ numbers: ClosedRange<Int64>, _ out: inout [UInt8]) {
    number(#""from":"#, numbers.lowerBound, &out)
    number(#","to":"#, numbers.upperBound, &out)
    out.append(UInt8(ascii: "}"))
  }

  /// Ends an object, and its line.
  private static func close(_ out: inout [UInt8]) {
    out.append(UInt8(ascii: "}"))
    end(&out)
  }

  static func end(_ out: inout [UInt8]) { out.append(ascii: "}\n") }
}
