/// A text's two limits. What may be shown of it is the encoders' affair.

import ChatModel
import Testing

@Suite("Message texts")
struct MessageTextTests {
  @Test(
    "A text is 1 to 4,096 bytes", arguments: [(0, false), (1, true), (4_096, true), (4_097, false)])
  func length(count: Int, isText: Bool) {
    #expect((MessageText(String(repeating: "a", count: count)) != nil) == isText)
  }

  @Test("Bytes count, not characters")
  func bytes() {
    #expect(MessageText(String(repeating: "\u{E9}", count: 2_048)) != nil)
    #expect(MessageText(String(repeating: "\u{E9}", count: 2_049)) == nil)
    #expect(MessageText(String(repeating: "\u{1F600}", count: 1_024)) != nil)
    #expect(MessageText(String(repeating: "\u{1F600}", count: 1_024) + "a") == nil)
  }

  @Test("A text is kept as it was sent", arguments: [" hi ", "a\nb\u{202E}", "e\u{301}", "\0"])
  func kept(text: String) throws {
    let kept = try #require(MessageText(text))
    #expect(Array(kept.string.utf8) == Array(text.utf8))
  }
}
