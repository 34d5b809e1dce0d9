/// Answers as lines of the plain dialect.

internal import ChatModel
internal import Wire

extension PlainEncoder {
  /// Appends the answer's lines; nothing where events tell it already, or the form does not show
  /// it.
  static func encode(
    _ answer: Answer, to id: RequestID?, for form: PlainForm, into out: inout [UInt8]
  ) {
    switch answer {
    case .loggedIn, .loggedOut, .sent, .quit:
      break
    case .joined(let room, let seq, let members):
      line("* ", "you are in \(PlainWords.room(room, members, seq))", form, &out)
    case .left(let room):
      line("* ", "you have left \(room.string); join:ROOM enters a room", form, &out)
    case .history(let page):
      history(page, isSince: id == PlainDialect.since, form, &out)
    case .rooms(let rooms, let count):
      for room in rooms {
        line("* ", PlainWords.room(room.name, room.members, room.seq), form, &out)
      }
      let further =
        count > rooms.count ? "\(PlainWords.further(count - rooms.count)); " : ""
      line("* ", "\(further)join:ROOM enters a room, or makes one", form, &out)
    case .members(_, let members, let count):
      self.members(members.map(\.name), count: count, form, &out)
    case .pong(let text):
      line(text.isEmpty ? "* pong" : "* pong ", text, form, &out)
    case .refused(let refusal):
      if let words = PlainWords.refusal(refusal, for: form) { line("! ", words, form, &out) }
    }
  }

  private static func history(
    _ page: HistoryPage, isSince: Bool, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    if let gap = page.gap { line("* ", PlainWords.gap(gap), form, &out) }
    for message in page.messages { dated(message, form, &out) }
    if let last = page.messages.last {
      if isSince, page.more {
        line("* ", "there are more; since:\(last.seq) shows them", form, &out)
      }
    } else if page.gap == nil {
      line("* ", PlainWords.noMessages, form, &out)
    }
  }

  /// With date and number, so that it never looks live.
  static func dated(_ message: Message, _ form: PlainForm, _ out: inout [UInt8]) {
    let start = out.count
    out.append(UInt8(ascii: "["))
    out.append(minuteOf: message.at.milliseconds)
    out.append(ascii: " #")
    out.append(decimal: message.seq)
    out.append(ascii: "] ")
    PlainGuard.append(message.draft.from.shown, to: &out)
    out.append(ascii: ": ")
    end(lineAt: start, textAt: out.count, message.draft.text.string, form, &out)
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
    line("* ", PlainWords.here(shown.map(\.shown), count: count), form, &out)
  }
}
