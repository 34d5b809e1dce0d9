/// Events as lines of the plain dialect. Does not decide who is told, only how it reads.

internal import ChatModel

/// Zero or more lines that end in LF.
enum PlainEncoder {
  /// The most a line to a raw client may take, its LF included.
  static let rawLineBytesMax = 1_000

  /// Appends the event's lines; nothing where this form does not show it.
  static func encode(
    _ event: Event, isOwn: Bool, for form: PlainForm, into out: inout [UInt8]
  ) {
    switch event {
    case .joined(_, let name, members: _):
      line("", "\(name.shown) has joined", form, &out)
    case .left(_, let name, members: _):
      line("", "\(name.shown) has left", form, &out)
    case .membersChanged(_, let joined, let left, let members):
      notice(PlainWords.changed(joined, left, members), form, &out)
    case .message(let message, in: let place):
      live(message, in: place, isOwn: isOwn, form, &out)
    case .catchingUp(let place):
      notice(PlainWords.catchingUp(place), form, &out)
    case .caughtUp(let place, seq: _):
      notice(PlainWords.caughtUp(place), form, &out)
    case .gap(let place, let numbers):
      notice(PlainWords.gap(numbers, in: place), form, &out)
    case .presence(let name, let away):
      notice(PlainWords.presence(name, away), form, &out)
    case .typing, .marked:
      break
    case .kicked(let room, let name, let reason):
      line("! ", RuleWords.kicked(room, by: name, reason), form, &out)
    case .help:
      for help in PlainWords.help { line("* ", help, form, &out) }
    case .skipped(let lines):
      // No grouping of digits: a program may read this one.
      line("* ", "\(lines) lines skipped", form, &out)
    case .notice(let words):
      notice(words, form, &out)
    case .closing(let reason, retryAfter: _):
      closing(reason, form, &out)
    }
  }

  /// No answer to anything a raw client sent: it would show it as a row of the chat.
  private static func notice(_ words: String, _ form: PlainForm, _ out: inout [UInt8]) {
    if form == .line { line("* ", words, form, &out) }
  }

  static func line(
    _ prefix: String, _ text: String, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let start = out.count
    out += prefix.utf8
    end(lineAt: start, textAt: out.count, text, form, &out)
  }

  /// Appends the text behind its prefix, and to a raw client in as many lines as it takes.
  static func end(
    lineAt start: Int, textAt textStart: Int, _ text: String, _ form: PlainForm,
    _ out: inout [UInt8]
  ) {
    PlainGuard.append(text, to: &out)
    end(lineAt: start, textAt: textStart, form, &out)
  }

  /// Ends a line whose text stands there, guarded.
  static func end(
    lineAt start: Int, textAt textStart: Int, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    if form == .raw, out.count - start >= rawLineBytesMax {
      let prefix = out[start..<textStart]
      let whole = String(decoding: out[textStart...], as: UTF8.self)
      out.removeLast(out.count - start)
      let room = rawLineBytesMax - 1 - prefix.count
      for part in PlainParts(whole, bytesMax: room).parts {
        out += prefix
        out += part
        out.append(UInt8(ascii: "\n"))
      }
    } else {
      out.append(UInt8(ascii: "\n"))
    }
  }

  private static func closing(
    _ reason: ClosingReason, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let words = PlainWords.closing(reason)
    switch reason {
    case .quit:
      line("* ", words, form, &out)
    case .shutdown, .silent:
      notice(words, form, &out)
    case .loggedOut, .kicked, .putOut, .banned, .accountEnded, .crowded, .tooManyFromAddress,
      .tooManyMistakes:
      line("! ", words, form, &out)
    }
  }
}
