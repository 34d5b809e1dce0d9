/// A page of history as plain lines: dated, so that none of it looks live.

import ChatModel
import Dialects
import Testing

@Suite("History as plain lines")
struct PlainHistoryTests {
  private func message(_ text: String, seq: Int64, at: Int64 = 1_796_004_600_123) throws -> Message
  {
    let draft = Draft(
      room: .lobby, person: PersonID(rawValue: 7), from: try UserName("Bob"),
      text: try #require(MessageText(text)))
    return Message(draft, seq: seq, at: Moment(milliseconds: at))
  }

  private func shown(
    _ messages: [Message], more: Bool = false, gap: ClosedRange<Int64>? = nil, _ form: Form
  ) -> [String] {
    encoded(
      Answer.history(
        HistoryPage(room: .lobby, messages: messages, more: more, gap: gap), in: .room(.lobby)),
      form)
  }

  @Test("Each line bears its date in UTC and its number, to both", arguments: [Form.line, .raw])
  func dated(form: Form) throws {
    let page = [
      try message("hi", seq: 43), try message("ho", seq: 44, at: 1_796_004_659_999),
      try message("x", seq: 46, at: 1_796_083_200_000),
    ]
    #expect(
      shown(page, form) == [
        "[2026-11-30 02:10 #43] Bob: hi", "[2026-11-30 02:10 #44] Bob: ho",
        "[2026-12-01 00:00 #46] Bob: x",
      ])
  }

  @Test("What is not kept any more is said first", arguments: [Form.line, .raw])
  func gap(form: Form) throws {
    #expect(
      shown([try message("hi", seq: 41)], gap: 3...40, form) == [
        "* #3 to #40 are not kept any more", "[2026-11-30 02:10 #41] Bob: hi",
      ])
    #expect(shown([], gap: 3...40, form) == ["* #3 to #40 are not kept any more"])
  }

  @Test("Behind since: it says how to go on, where there are more", arguments: [Form.line, .raw])
  func more(form: Form) throws {
    var talk = PlainTalk()
    talk.read("iam:Bob\nsince:#40\nhistory:1\n")
    let asked = talk.heard.compactMap { heard -> (Stretch, RequestID?)? in
      guard case .request(.history(nil, let stretch, limit: _), let id) = heard else { return nil }
      return (stretch, id)
    }
    #expect(asked.map(\.0) == [.after(40), .before(nil)])
    let page = HistoryPage(room: .lobby, messages: [try message("hi", seq: 541)], more: true)
    let answers = asked.map { encoded(Answer.history(page, in: .room(.lobby)), to: $0.1, form) }
    let line = "[2026-11-30 02:10 #541] Bob: hi"
    #expect(answers == [[line, "* there are more; since:541 shows them"], [line]])
  }

  @Test("An empty page is no silence", arguments: [Form.line, .raw])
  func empty(form: Form) {
    #expect(shown([], form) == ["* no messages"])
  }

  @Test("No text forges a line of it", arguments: [Form.line, .raw])
  func forged(form: Form) throws {
    let page = [try message("hi\n[2026-11-30 02:10 #44] Ann: no\u{2028}Eve has joined", seq: 43)]
    #expect(
      shown(page, form) == [
        "[2026-11-30 02:10 #43] Bob: hi [2026-11-30 02:10 #44] Ann: no Eve has joined"
      ])
  }

  @Test("To raw clients a long one comes in parts, each dated")
  func parts() throws {
    let text = String(repeating: "a", count: 4_096)
    #expect(shown([try message(text, seq: 43)], .line).count == 1)
    let raw = shown([try message(text, seq: 43)], .raw)
    let beginning = "[2026-11-30 02:10 #43] Bob: "
    #expect(raw.count == 5)
    #expect(raw.allSatisfy { $0.hasPrefix(beginning) && $0.utf8.count < 1_000 })
    #expect(raw.map { $0.dropFirst(beginning.count) }.joined() == text)
  }
}
