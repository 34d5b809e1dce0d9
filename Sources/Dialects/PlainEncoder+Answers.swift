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
    // Reports are for operators, who speak JSON.
    case .loggedIn, .loggedOut, .sent, .changed, .report, .quit:
      break
    case .joined(let place, let seq, let members, let topic):
      line("* ", "you are in \(PlainWords.room(place, members, seq))", form, &out)
      if let topic, case .room(let room) = place {
        line("* ", PlainWords.topic(room, topic), form, &out)
      }
    case .left(let room):
      line("* ", "you have left \(room.string); join:ROOM enters a room", form, &out)
    case .history(let page, in: let place):
      history(page, in: place, isSince: id == PlainDialect.since, form, &out)
    case .found(let findings):
      for finding in findings.messages { dated(finding.message, in: finding.place, form, &out) }
      if findings.messages.isEmpty { line("* ", PlainWords.nothingFound, form, &out) }
    case .rooms(let rooms, let count):
      for room in rooms { line("* ", PlainWords.room(room), form, &out) }
      let further =
        count > rooms.count ? "\(PlainWords.further(count - rooms.count)); " : ""
      line("* ", "\(further)join:ROOM enters a room, or makes one", form, &out)
    case .members(_, let members, let count):
      self.members(members, count: count, form, &out)
    case .topic(let room, let topic):
      line("* ", PlainWords.topic(room, topic), form, &out)
    case .invited(let room, let code):
      line("* ", "join:\(room.string):\(code) lets others in", form, &out)
    case .done:
      // Line mode is told by the event what was done.
      if form == .raw { line("* ", "done", form, &out) }
    case .pong(let text):
      line(text.isEmpty ? "* pong" : "* pong ", text, form, &out)
    case .refused(let refusal):
      if let words = PlainWords.refusal(refusal, for: form) { line("! ", words, form, &out) }
    }
  }

  private static func history(
    _ page: HistoryPage, in place: Place, isSince: Bool, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    if let gap = page.gap { line("* ", PlainWords.gap(gap), form, &out) }
    for message in page.messages { dated(message, in: place, form, &out) }
    if let last = page.messages.last {
      if isSince, page.more {
        line("* ", "there are more; since:\(last.seq) shows them", form, &out)
      }
    } else if page.gap == nil {
      line("* ", PlainWords.noMessages, form, &out)
    }
  }

  /// As many as were given; to a raw client as many as fit in one line.
  private static func members(
    _ members: [Member], count: Int, _ form: PlainForm, _ out: inout [UInt8]
  ) {
    // Room for "* 1,000,000 here: " and " and 1,000,000 more".
    var room = form == .raw ? rawLineBytesMax - 64 : Int.max
    let names = members.map { PlainWords.member($0.name.shown, $0) }
    let shown = names.prefix { name in
      room -= name.utf8.count + 2
      return room >= 0
    }
    line("* ", PlainWords.here(Array(shown), count: count), form, &out)
  }
}
