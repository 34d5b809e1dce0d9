/// Pages of history at their greatest: what is left out, and what is said of it.

import ChatModel
import Dialects
import Testing

@Suite("Answers that would be too long")
struct PageCutTests {
  private func message(_ seq: Int64, _ text: String = "hi") throws -> Message {
    guard
      case .message(let message, in: _) = said(
        try UserName("Bob"), try #require(MessageText(text)), seq: seq)
    else { throw CancellationError() }
    return message
  }

  private func page(
    _ messages: [Message], of stretch: Stretch, more: Bool = false,
    gap: ClosedRange<Int64>? = nil, bytesMax: Int = 65_536, to id: RequestID? = .number("1"),
    _ form: Form = .json
  ) -> [String] {
    let page = HistoryPage(room: .lobby, messages: messages, more: more, gap: gap)
    var bytes: [UInt8] = []
    Encoder.encode(
      page, of: stretch, in: .room(.lobby), bytesMax: bytesMax, to: id, for: form, into: &bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func answer(_ line: String?) throws -> HistoryPage {
    var codec = JSONClientCodec()
    var request: [UInt8] = []
    codec.encode(
      .history(.room(.lobby), .before(nil), limit: 500), id: .number("1"), into: &request)
    Array("\(try #require(line))\n".utf8).withUnsafeBytes { codec.received($0) }
    guard case .answer(.history(let page, in: .room(.lobby)), _)? = codec.next() else {
      throw CancellationError()
    }
    return page
  }

  @Test("A line of JSON has at most 65,536 bytes; the newest stay, or the oldest")
  func halves() throws {
    let messages = try (1...500).map { try message($0, String(repeating: "x", count: 400)) }
    for (stretch, isNewest) in [(Stretch.before(nil), true), (.after(0), false)] {
      let lines = page(messages, of: stretch)
      #expect(lines.count == 1)
      #expect((65_000...65_536).contains(lines[0].utf8.count))
      let seqs = try answer(lines[0]).messages.map(\.seq)
      #expect(
        seqs
          == (isNewest ? messages.suffix(seqs.count) : messages.prefix(seqs.count))
          .map(\.seq))
      #expect(try answer(lines[0]).more)
    }
  }

  @Test("What just fits is whole; with one byte less a message is left out")
  func edge() throws {
    let messages = [try message(1), try message(2)]
    let whole = page(messages, of: .after(0))[0]
    // The comma behind the last message, and the line's end.
    let fits = whole.utf8.count + 2
    #expect(page(messages, of: .after(0), bytesMax: fits) == [whole])
    let cut = try answer(page(messages, of: .after(0), bytesMax: fits - 1).first)
    #expect(cut.messages.map(\.seq) == [1] && cut.more)
    #expect(try !answer(whole).more)
  }

  @Test("The longest text, all of it escaped, fits with the longest of all else")
  func longest() throws {
    let name = try UserName(String(repeating: "\"", count: 1) + String(repeating: "\\", count: 63))
    let draft = Draft(
      room: try #require(RoomName(String(repeating: "r", count: 64))),
      person: PersonID(rawValue: 1), from: name,
      text: try #require(MessageText(String(repeating: "\u{1B}", count: 4_096))), replyTo: .max)
    let one = Message(draft, seq: .max, at: Moment(milliseconds: 1_796_004_600_123))
    let id = RequestID.text(String(repeating: "\u{1}", count: 64))
    let lines = page([one, one, one], of: .before(nil), gap: (.max - 1)...(.max), to: id)
    #expect(lines[0].utf8.count > 2 * 6 * 4_096 && lines[0].utf8.count <= 65_536)
    #expect(page([one], of: .before(nil), bytesMax: 1, to: id)[0].contains("\"seq\":\(Int64.max)"))
  }

  @Test(
    "A gap behind the cut is left out, one before it stays",
    arguments: [
      (Stretch.after(0), 1...4, true), (.after(0), 7...9, false), (.before(10), 7...9, true),
      (.before(10), 1...4, false),
    ])
  func gaps(stretch: Stretch, gap: ClosedRange<Int64>, stays: Bool) throws {
    let messages = [try message(5), try message(6)]
    let all = try answer(page(messages, of: stretch, gap: gap).first)
    #expect(all.gap == gap && all.messages.count == 2)
    let cut = try answer(page(messages, of: stretch, gap: gap, bytesMax: 1).first)
    #expect(cut.messages.count == 1 && cut.more)
    #expect(cut.gap == (stays ? gap : nil))
  }

  @Test("Plain says how to go on", arguments: [Form.line, .raw])
  func plain(form: Form) throws {
    let messages = try (41...50).map { try message($0) }
    let line = { (seq: Int) in "[2026-11-30 02:10 #\(seq)] Bob: hi" }
    // Beside the longest line that stands around a page.
    let bytesMax = "* no messages\n".utf8.count + 3 * (line(41).utf8.count + 1)
    #expect(
      page(messages, of: .before(nil), bytesMax: bytesMax, to: nil, form)
        == ["* only the newest 3 fit here; since:40 shows all from the first on"]
        + (48...50).map(line))
    var talk = PlainTalk()
    talk.read("iam:Bob\nsince:#40\n")
    let id = talk.heard.compactMap { heard in
      if case .request(.history, let id) = heard { id } else { nil }
    }.first
    #expect(
      page(messages, of: .after(40), bytesMax: bytesMax, to: id, form)
        == (41...43).map(line) + ["* there are more; since:43 shows them"])
  }
}
