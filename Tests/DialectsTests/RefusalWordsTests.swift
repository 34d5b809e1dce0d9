/// Every refusal in both dialects: a code, a sentence, and nothing that a stranger may not know.

import ChatModel
import Dialects
import Testing

@Suite("Words of refusals")
struct RefusalWordsTests {
  @Test(
    "Each has words in both dialects; a raw client is spared two",
    arguments: EverythingTold.refusals)
  func words(refusal: Refusal) throws {
    let line = try #require(encoded(Answer.refused(refusal), .line).first)
    #expect(line.hasPrefix("! ") && line.utf8.count > 2)
    #expect(encoded(Answer.refused(refusal), .line).count == 1)
    let raw = encoded(Answer.refused(refusal), .raw)
    switch refusal {
    case .notLoggedIn, .unknownCommand: #expect(raw.isEmpty)
    case _: #expect(raw == [line])
    }
    let json = try #require(encoded(Answer.refused(refusal), .json).first)
    #expect(json.hasPrefix(#"{"error":{"code":"\#(JSONErrorCode(refusal).rawValue)","message":""#))
  }

  @Test("A private room that somebody may not enter has the code of one that is not there")
  func strangers() {
    #expect(JSONErrorCode(.notInvited(.lobby)) == JSONErrorCode(.noSuchRoom(.lobby)))
    for form in [Form.line, .json] {
      let words = encoded(Answer.refused(.notInvited(.lobby)), form).joined()
      #expect(!words.contains("private"))
    }
  }

  @Test("The end of a ban or mute is rounded up, and may be beyond every calendar")
  func ends() {
    for (milliseconds, minute) in [
      (1_796_004_600_000, "2026-11-30 02:10"), (1_796_004_600_001, "2026-11-30 02:11"),
      (Int64.max, "9999-12-31 23:59"), (Int64.min, "0000-01-01 00:00"),
    ] {
      let until = Moment(milliseconds: milliseconds)
      #expect(
        encoded(Answer.refused(.muted(.lobby, nil, until: until)), .line)
          == ["! you are muted in lobby; speak again after \(minute) UTC"])
    }
  }
}
