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
        return .answer(.refused(.unknownCommand))
      case .tooLong:
        return .answer(.refused(.tooLong(limit: PlainReader.argumentBytesMax)))
      }
    }
    return nil
  }

  /// Rule 8; nil where nothing is to be done or said.
  private func meaning(of command: PlainCommand) -> Heard? {
    switch command.verb {
    case .iam:
      logIn(command.argument)
    case .msg, .ownName:
      withText(of: command) { text in .say(text) }
    case .ping:
      command.argument.isEmpty
        ? .request(.ping("")) : withText(of: command) { text in .ping(text.string) }
    case .who:
      .request(.who)
    case .help:
      .answer(.help)
    case .quit:
      .request(.quit)
    case .join, .leave, .rooms, .to, .history, .since, .topic:
      .answer(.refused(.notYet(command: command.verb.word)))
    }
  }

  /// A name ends at the next colon; what follows is for accounts, which do not exist yet.
  private func logIn(_ argument: String) -> Heard? {
    do {
      let wanted = try UserName(upToColon(argument))
      return wanted == name ? nil : .request(.logIn(wanted))
    } catch {
      return .answer(.refused(.badName(error)))
    }
  }

  private func upToColon(_ argument: String) -> String {
    String(Substring(argument.utf8.prefix { $0 != UInt8(ascii: ":") }))
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
    if let text = MessageText(command.argument) { return .request(request(text)) }
    switch form {
    case .line:
      return .answer(.refused(.tooLong(limit: MessageText.bytesMax)))
    case .raw:
      let bytes = Array(command.argument.utf8)
      let kept = bytes.prefix(plainCut(bytes.span, bytesMax: MessageText.bytesMax))
      return MessageText(String(decoding: kept, as: UTF8.self)).map { .request(request($0)) }
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
