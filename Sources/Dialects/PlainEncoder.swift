/// Events as lines of the plain dialect. Does not decide who is told, only how it reads.

package import ChatModel

/// To whom a line goes.
package enum PlainForm: Hashable, Sendable {
  /// A person or program that reads lines.
  case line
  /// A tutorial's client that shows each read as a row.
  case raw
}

/// Turns an event into zero or more lines that end in LF.
package enum PlainEncoder {
  /// The most a line to a raw client may take, its LF included.
  package static let rawLineBytesMax = 1_000

  /// Appends the event's lines; nothing where this form does not show it.
  package static func encode(_ event: Event, for form: PlainForm, into out: inout [UInt8]) {
    switch event {
    case .joined(let name, members: _):
      line("", "\(name.shown) has joined", form, &out)
    case .left(let name, members: _):
      line("", "\(name.shown) has left", form, &out)
    case .membersChanged(let joined, let left, let members):
      if form == .line { line("* ", changed(joined, left, members), form, &out) }
    case .said(let name, let text):
      said(name, text, form, &out)
    case .members(let names, let count):
      members(names, count: count, form, &out)
    case .pong(let text):
      line(text.isEmpty ? "* pong" : "* pong ", text, form, &out)
    case .help:
      for help in PlainWords.help { line("* ", help, form, &out) }
    case .refused(let refusal):
      if let words = PlainWords.refusal(refusal, for: form) { line("! ", words, form, &out) }
    case .skipped(let lines):
      // No grouping of digits: a program may read this one.
      line("* ", "\(lines) lines skipped", form, &out)
    case .closing(let reason):
      closing(reason, form, &out)
    }
  }

  /// The line most often written: no string is put together for it.
  private static func said(
    _ name: UserName, _ text: MessageText, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let start = out.count
    PlainGuard.append(name.shown, to: &out)
    out.append(UInt8(ascii: ":"))
    out.append(UInt8(ascii: " "))
    end(lineAt: start, textAt: out.count, text.string, form, &out)
  }

  private static func line(
    _ prefix: String, _ text: String, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let start = out.count
    out += prefix.utf8
    end(lineAt: start, textAt: out.count, text, form, &out)
  }

  /// Appends the text behind its prefix, and to a raw client in as many lines as it takes.
  private static func end(
    lineAt start: Int, textAt textStart: Int, _ text: String, _ form: PlainForm,
    _ out: inout [UInt8]
  ) {
    PlainGuard.append(text, to: &out)
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

  private static func changed(_ joined: Int, _ left: Int, _ members: Int) -> String {
    var parts: [String] = []
    if joined > 0 { parts.append("\(PlainWords.grouped(joined)) joined") }
    if left > 0 { parts.append("\(PlainWords.grouped(left)) left") }
    parts.append("\(PlainWords.grouped(members)) here")
    return parts.joined(separator: ", ")
  }

  /// As many names as were given; to a raw client as many as fit in one line.
  private static func members(
    _ names: [UserName], count: Int, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    // Room for "* 1,000,000 here: " and " and 1,000,000 more".
    var room = form == .raw ? rawLineBytesMax - 64 : Int.max
    let shown = names.prefix { name in
      room -= name.shown.utf8.count + 2
      return room >= 0
    }
    var words = "\(PlainWords.grouped(count)) here"
    if !shown.isEmpty { words += ": " + shown.map(\.shown).joined(separator: ", ") }
    if !shown.isEmpty, count > shown.count {
      words += " and \(PlainWords.grouped(count - shown.count)) more"
    }
    line("* ", words, form, &out)
  }

  private static func closing(
    _ reason: ClosingReason, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let words = PlainWords.closing(reason)
    switch reason {
    case .quit:
      line("* ", words, form, &out)
    case .shutdown, .silent:
      // No answer to anything a raw client sent, and it would show it as a row of the chat.
      if form == .line { line("* ", words, form, &out) }
    case .crowded, .tooManyFromAddress:
      line("! ", words, form, &out)
    }
  }
}
