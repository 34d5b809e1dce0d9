/// What was said, as lines of the plain dialect: as it is said, and dated as it is read later.

internal import ChatModel
internal import Wire

extension PlainEncoder {
  /// Changes are told to line mode alone: a raw client would show them as rows of the chat.
  static func live(
    _ message: Message, in place: Place, isOwn: Bool, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let start = out.count
    if message.draft.content.isMessage {
      said(message, in: place, isOwn: isOwn, lineAt: start, form, &out)
    } else if form == .line {
      out.append(ascii: "* ")
      changed(message, in: place, isOwn: isOwn, lineAt: start, form, &out)
    }
  }

  /// With date and number, so that it never looks live.
  static func dated(
    _ message: Message, in place: Place, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    let start = out.count
    out.append(UInt8(ascii: "["))
    out.append(minuteOf: message.at.milliseconds)
    out.append(ascii: " #")
    out.append(decimal: message.seq)
    out.append(ascii: "] ")
    let isOwn = place != .with(message.draft.from)
    if message.draft.content.isMessage {
      said(message, in: place, isOwn: isOwn, lineAt: start, form, &out)
    } else {
      changed(message, in: place, isOwn: isOwn, lineAt: start, form, &out)
    }
  }

  /// The line most often written: no string is put together for it.
  private static func said(
    _ message: Message, in place: Place, isOwn: Bool, lineAt start: Int, _ form: PlainForm,
    _ out: inout [UInt8]
  ) {
    speaker(message.draft.from, in: place, isOwn: isOwn, &out)
    guard case .text(let text) = message.draft.content else {
      return end(lineAt: start, textAt: out.count, " (deleted)", form, &out)
    }
    out.append(UInt8(ascii: ":"))
    out.append(UInt8(ascii: " "))
    let textStart = out.count
    if let replyTo = message.draft.replyTo {
      out.append(ascii: "(re #")
      out.append(decimal: replyTo)
      out.append(ascii: ") ")
    }
    PlainGuard.append(text.string, to: &out)
    if message.edited != nil { out.append(ascii: " (edited)") }
    end(lineAt: start, textAt: textStart, form, &out)
  }

  private static func changed(
    _ message: Message, in place: Place, isOwn: Bool, lineAt start: Int, _ form: PlainForm,
    _ out: inout [UInt8]
  ) {
    switch message.draft.content {
    case .edit(of: let seq, let text):
      speaker(message.draft.from, in: place, isOwn: isOwn, &out)
      out.append(ascii: " changed #")
      out.append(decimal: seq)
      out.append(ascii: ": ")
      end(lineAt: start, textAt: out.count, text.string, form, &out)
    case .deletion(of: let seq):
      speaker(message.draft.from, in: place, isOwn: isOwn, &out)
      out.append(ascii: " deleted #")
      out.append(decimal: seq)
      end(lineAt: start, textAt: out.count, form, &out)
    case .topic(let topic):
      let words = PlainWords.topic(place, topic?.string ?? "", by: message.draft.from)
      end(lineAt: start, textAt: out.count, words, form, &out)
    case .text, .gone:
      preconditionFailure("what is said changes nothing")
    }
  }

  /// Who said it, and to whom where it was said to one person: by the name that this one has now.
  private static func speaker(
    _ name: UserName, in place: Place, isOwn: Bool, _ out: inout [UInt8]
  ) {
    PlainGuard.append(name.shown, to: &out)
    guard case .with(let other) = place else { return }
    out.append(ascii: " (private")
    if isOwn {
      out.append(ascii: " to ")
      PlainGuard.append(other.shown, to: &out)
    }
    out.append(ascii: ")")
  }
}
