/// The plain dialect: its commands as requests. How bytes become commands is Wire's affair.

internal import ChatModel
internal import Wire

/// One connection's plain dialect.
struct PlainDialect {
  /// The sender's own, once the hub has accepted one.
  var name: UserName?
  private var reader = PlainReader()

  mutating func received(_ bytes: UnsafeRawBufferPointer, at now: Duration) {
    unsafe reader.received(bytes, at: now)
  }

  mutating func deadlinePassed(at now: Duration) { reader.deadlinePassed(at: now) }

  mutating func ended() { reader.ended() }

  var deadline: Duration? { reader.deadline }

  var bytesHeld: Int { reader.bytesHeld }

  var form: PlainForm {
    switch reader.mode {
    case .line: .line
    case .raw, .undecided: .raw
    }
  }

  mutating func next() -> Heard? {
    while let heard = reader.next(as: name?.shown) {
      switch heard {
      case .command(let command):
        if let asked = meaning(of: command) { return asked }
      case .unknown:
        return refusal(.unknownCommand)
      case .tooLong:
        return refusal(.tooLong(limit: PlainReader.argumentBytesMax))
      }
    }
    return nil
  }

  /// Rule 8; nil where nothing is to be done or said.
  private func meaning(of command: PlainCommand) -> Heard? {
    switch command.verb {
    case .iam:
      logIn(command)
    case .msg, .ownName:
      withText(of: command) { text in .send(nil, text, key: nil, replyTo: nil) }
    case .ping:
      command.argument.isEmpty
        ? request(.ping("")) : withText(of: command) { text in .ping(text.string) }
    case .join:
      roomName(command.argument).map { request(.join($0, .now)) } ?? refusal(.badRoom)
    case .leave:
      request(.leave(nil))
    case .rooms:
      request(.rooms)
    case .who:
      request(.who(nil))
    case .history:
      history(command.argument)
    case .since:
      since(command.argument)
    case .help:
      .help
    case .quit:
      request(.quit)
    case .to, .topic:
      refusal(.notYet(command: command.verb.word))
    }
  }

  private func request(_ request: Request) -> Heard { .request(request, nil) }

  private func refusal(_ refusal: Refusal) -> Heard { .answer(.refused(refusal), nil) }

  /// A name ends at the next colon; what follows is a password, if the name has an account.
  private func logIn(_ command: PlainCommand) -> Heard? {
    do {
      let wanted = try UserName(upToColon(command.argument))
      guard wanted != name else { return nil }
      // Without an end it may be a tutorial's client, which sends a friend's name there.
      guard command.isEnded, let password = Password(afterColon(command.argument)) else {
        return request(.logIn(wanted, .oneRoom))
      }
      return request(.logInWithPassword(wanted, password, orAsGuest: true, .oneRoom))
    } catch {
      return refusal(.badName(error))
    }
  }

  /// Ends at the next colon, too: a second field is for rooms that need a code.
  private func roomName(_ argument: String) -> RoomName? {
    let room = upToColon(argument).utf8
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let end = room.lastIndex { !isBlank($0) }.map { room.index(after: $0) } ?? room.startIndex
    return RoomName(String(Substring(room[..<end])))
  }

  private func history(_ argument: String) -> Heard {
    if argument.isEmpty { return request(.history(nil, .before(nil), limit: Self.historyDefault)) }
    guard let limit = number(argument), (1...HistoryPage.messagesMax).contains(Int(limit)) else {
      return refusal(.badRequest(PlainWords.historyRule))
    }
    return request(.history(nil, .before(nil), limit: Int(limit)))
  }

  /// Plain has no ids; this one lets the answer to `since:` say how to go on.
  static let since = RequestID.text("since")

  /// The number may have its sign in front, as it is shown.
  private func since(_ argument: String) -> Heard {
    let digits = argument.utf8.first == UInt8(ascii: "#") ? argument.dropFirst() : argument[...]
    guard let seq = number(String(digits)) else {
      return refusal(.badRequest(PlainWords.sinceRule))
    }
    return .request(.history(nil, .after(seq), limit: HistoryPage.messagesMax), Self.since)
  }

  static let historyDefault = 20

  /// Digits alone.
  private func number(_ text: String) -> Int64? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
  }

  private func upToColon(_ argument: String) -> String {
    String(Substring(argument.utf8.prefix { $0 != UInt8(ascii: ":") }))
  }

  /// Empty where there is no colon.
  private func afterColon(_ argument: String) -> String {
    let rest = argument.utf8.drop { $0 != UInt8(ascii: ":") }
    return String(Substring(rest.dropFirst()))
  }

  /// A text of nothing but characters that no line may hold is as empty as one without any.
  private func hasAnythingToShow(_ text: String) -> Bool {
    if text.utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return true }
    var shown: [UInt8] = []
    PlainGuard.append(text, to: &shown)
    return shown.contains { $0 != 0x20 }
  }

  /// U+FFFD in place of wrong bytes may have made a text longer than the reader let through.
  private func withText(
    of command: PlainCommand, _ request: (MessageText) -> Request
  ) -> Heard? {
    guard hasAnythingToShow(command.argument) else { return nil }
    if let text = MessageText(command.argument) { return self.request(request(text)) }
    switch form {
    case .line:
      return refusal(.tooLong(limit: MessageText.bytesMax))
    case .raw:
      let bytes = Array(command.argument.utf8)
      let kept = bytes.prefix(plainCut(bytes.span, bytesMax: MessageText.bytesMax))
      return MessageText(String(decoding: kept, as: UTF8.self)).map { self.request(request($0)) }
    }
  }
}

extension PlainVerb {
  /// As it is typed, without its colon.
  var word: String {
    var letters: [UInt8] = []
    var rest = rawValue
    while rest > 0 {
      letters.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }
}
