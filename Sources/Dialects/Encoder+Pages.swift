/// Pages of history and of findings as bytes, cut where they would be too long. Does not read them.

package import ChatModel
internal import Wire

extension Encoder {
  /// Appends the answer to a request for `stretch`: as many of the page's messages as fit into
  /// `bytesMax`, and at least one. A page that was cut says so, and how to go on.
  ///
  /// Messages at the far end are left out, so that who goes on from the page misses none: the
  /// oldest where the newest were asked for, the newest where the oldest were. With them goes a gap
  /// that lies behind the cut.
  package static func encode(
    _ page: HistoryPage, of stretch: Stretch, in place: Place, bytesMax: Int, to id: RequestID?,
    for form: Form, into out: inout [UInt8]
  ) {
    let cut = fitting(page, of: stretch, in: place, bytesMax: bytesMax, to: id, for: form)
    if cut.messages.count < page.messages.count, let oldest = page.messages.first {
      tellCut(cut, of: stretch, oldest: oldest.seq, for: form, into: &out)
    }
    encode(.history(cut, in: place), to: id, for: form, into: &out)
  }

  /// How many of the findings fit into `bytesMax`, from the newest on; at least one where there is
  /// one. Only who searches knows the cursor behind one of them: it has to search again for so
  /// many, by the same cursor as before.
  package static func count(
    fitting findings: Findings, bytesMax: Int, to id: RequestID?, for form: Form
  ) -> Int {
    var bytes: [UInt8] = []
    // A cursor of a shorter page is no longer than the longest.
    let cursor = String(repeating: "-", count: JSONLimits.cursorBytesMax)
    encode(.found(Findings(messages: [], cursor: cursor)), to: id, for: form, into: &bytes)
    var room = bytesMax - bytes.count
    let count = findings.messages.prefix { finding in
      bytes.removeAll(keepingCapacity: true)
      encode(finding.message, in: finding.place, for: form, into: &bytes)
      room -= bytes.count
      return room >= 0
    }.count
    return min(findings.messages.count, max(1, count))
  }

  /// As many of the page's messages as fit, and at least one.
  static func fitting(
    _ page: HistoryPage, of stretch: Stretch, in place: Place, bytesMax: Int, to id: RequestID?,
    for form: Form
  ) -> HistoryPage {
    var bytes: [UInt8] = []
    // What stands around the messages.
    let around = HistoryPage(room: page.room, messages: [], more: false, gap: page.gap)
    encode(.history(around, in: place), to: id, for: form, into: &bytes)
    var room = bytesMax - bytes.count
    let fits = { (message: Message) in
      bytes.removeAll(keepingCapacity: true)
      encode(message, in: place, for: form, into: &bytes)
      room -= bytes.count
      return room >= 0
    }
    var cut = page
    switch stretch {
    case .before:
      let count = page.messages.reversed().prefix(while: fits).count
      cut.messages = Array(page.messages.suffix(max(1, count)))
      if cut.messages.count < page.messages.count, let first = cut.messages.first,
        let gap = page.gap, gap.upperBound < first.seq
      {
        cut.gap = nil
      }
    case .after:
      let count = page.messages.prefix(while: fits).count
      cut.messages = Array(page.messages.prefix(max(1, count)))
      if cut.messages.count < page.messages.count, let last = cut.messages.last,
        let gap = page.gap, gap.lowerBound > last.seq
      {
        cut.gap = nil
      }
    }
    if cut.messages.count < page.messages.count { cut.more = true }
    return cut
  }

  /// A message as it stands in a page, with what parts it from the next.
  private static func encode(
    _ message: Message, in place: Place, for form: Form, into out: inout [UInt8]
  ) {
    switch form {
    case .line: PlainEncoder.dated(message, in: place, .line, &out)
    case .raw: PlainEncoder.dated(message, in: place, .raw, &out)
    case .json, .frame, .event, .silent:
      JSONSpelling.message(message, in: place, isOwn: false, &out)
      out.append(UInt8(ascii: ","))
    }
  }

  /// JSON says it by `more`, and so does the answer to `since:`.
  private static func tellCut(
    _ cut: HistoryPage, of stretch: Stretch, oldest: Int64, for form: Form, into out: inout [UInt8]
  ) {
    guard case .before = stretch else { return }
    let words = PlainWords.cut(shown: cut.messages.count, oldest: oldest)
    switch form {
    case .line: PlainEncoder.line("* ", words, .line, &out)
    case .raw: PlainEncoder.line("* ", words, .raw, &out)
    case .json, .frame, .event, .silent: break
    }
  }
}
