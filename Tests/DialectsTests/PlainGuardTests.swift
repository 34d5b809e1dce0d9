/// The guard of everything plain: what other dialects may hold, and what is shown of it.

import ChatModel
import Dialects
import Testing

@Suite("The guard of what goes out")
struct PlainGuardTests {
  private func shown(_ text: String, _ form: Form) throws -> [String] {
    encoded(said(try UserName("Bob"), try #require(MessageText(text))), form)
  }

  @Test(
    "A run of line breaks of any kind is one blank",
    arguments: [
      "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\n\n\n",
      "\r\n\u{B}\u{C}\u{85}\u{2028}\u{2029}", "\u{2028}\u{85}", "\n\u{1B}\n", "\n\u{202E}\n",
    ])
  func lineBreaks(run: String) throws {
    for form in [Form.line, .raw] {
      #expect(try shown("a\(run)Eve has joined", form) == ["Bob: a Eve has joined"])
    }
  }

  @Test("Two runs are two blanks, and blanks of the text stay")
  func runs() throws {
    #expect(try shown("a\nb\nc", .line) == ["Bob: a b c"])
    #expect(try shown("a \n b  c", .line) == ["Bob: a   b  c"])
  }

  @Test("Every other control character is dropped, the tab kept")
  func controls() throws {
    let breaks: Set<UInt32> = [0x0A, 0x0B, 0x0C, 0x0D, 0x85]
    for value in [UInt32](0...0x1F) + [0x7F] + [UInt32](0x80...0x9F) {
      let scalar = try #require(Unicode.Scalar(value))
      let kept = value == 9 ? "\t" : breaks.contains(value) ? " " : ""
      for form in [Form.line, .raw] {
        #expect(try shown("a\(scalar)b", form) == ["Bob: a\(kept)b"], "U+\(value)")
      }
    }
  }

  @Test("Every bidirectional control is dropped")
  func bidirectional() throws {
    // Unicode has them in its first plane only.
    for scalar in (0...0xFFFF).lazy.compactMap(Unicode.Scalar.init)
    where scalar.properties.isBidiControl {
      #expect(try shown("a\(scalar)b", .line) == ["Bob: ab"], "U+\(scalar.value)")
    }
  }

  @Test(
    "Its neighbours are kept",
    arguments: [
      0x20, 0x7E, 0xA0, 0xA9, 0x61B, 0x61D, 0x200B, 0x200C, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065,
      0x206A, 0x20AC, 0xFEFF, 0x1F600,
    ] as [UInt32])
  func neighbours(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(try shown("a\(scalar)b", .line) == ["Bob: a\(scalar)b"])
  }

  @Test("No terminal is driven")
  func terminal() throws {
    #expect(try shown("\u{1B}[2J\u{9B}1mx\u{7}", .line) == ["Bob: [2J1mx"])
  }

  @Test(
    "A name that may be one is shown unchanged",
    arguments: [
      "Bob", "J\u{FC}rgen", "Ann  Lee", "\u{645}\u{631}", "\u{1F600}\u{FE0F}", "e\u{301}",
      "a\u{A0}b", "\u{FF22}ob",
    ])
  func names(name: String) throws {
    let name = try UserName(name)
    #expect(encoded(.joined(.lobby, name, members: 1), .line) == ["\(name.shown) has joined"])
  }

  @Test("No character that a name may hold is changed")
  func everyCharacterOfNames() throws {
    // All scripts but the largest, of which a part: they are alike.
    for scalar in (0x20...0x2FFFF).lazy.compactMap(Unicode.Scalar.init)
    where !(0x3400...0xD7A3 ~= scalar.value || scalar.value >= 0x17000) || scalar.value % 61 == 0 {
      guard let name = try? UserName("7\(scalar)7") else { continue }
      var bytes: [UInt8] = []
      Encoder.encode(.joined(.lobby, name, members: 1), for: .line, into: &bytes)
      guard !bytes.elementsEqual("7\(scalar)7 has joined\n".utf8) else { continue }
      Issue.record("U+\(scalar.value) is shown otherwise")
    }
  }

  @Test("The answer to a ping and the word of a refusal are guarded as well")
  func answers() {
    #expect(encoded(Answer.pong("a\n\u{202E}b"), .line) == ["* pong a b"])
    #expect(encoded(Answer.refused(.badRequest("x\ny")), .raw).count == 1)
  }
}
