/// Pieces of JSON and dates as they are written, read back by our own reader and by Foundation's.

import Foundation
import Testing
import Wire

private func quoted(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.append(quoted: text)
  return String(decoding: bytes, as: UTF8.self)
}

private func timestamp(_ milliseconds: Int64) -> String {
  var bytes: [UInt8] = []
  bytes.append(timestamp: milliseconds)
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("Writing JSON")
struct JSONWritingTests {
  @Test(
    "Strings are escaped so that a line stays one line and drives no terminal",
    arguments: [
      ("", #""""#), ("a", #""a""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t", #""\n\r\t""#),
      ("\u{0}\u{8}\u{B}\u{C}\u{1B}\u{7F}", #""\u0000\u0008\u000b\u000c\u001b\u007f""#),
      ("a\u{85}b\u{9B}c", #""a\u0085b\u009bc""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("\u{202E}x\u{2066}\u{61C}\u{200F}", #""\u202ex\u2066\u061c\u200f""#),
      (
        "\u{E9}\u{20AC}\u{1F600}\u{A0}\u{200D}\u{600}",
        "\"\u{E9}\u{20AC}\u{1F600}\u{A0}\u{200D}\u{600}\""
      ),
    ])
  func escapes(text: String, written: String) {
    #expect(quoted(text) == written)
  }

  @Test("Scalars come back as they were, in our reader and in another")
  func roundTrip() throws {
    let scalars = (0...0x10FFFF).lazy.filter {
      $0 < 0x900 || $0 % 257 == 0 || $0 & 0xFFFE == 0xFFFE
    }
    .compactMap(Unicode.Scalar.init)
    let all = Array(scalars)
    for start in stride(from: 0, to: all.count, by: 4_096) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: all[start..<min(all.count, start + 4_096)])
      let part = String(text)
      let bytes = Array(quoted(part).utf8)
      #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F })
      let document = try JSONDocument(bytes[...])
      let back = try #require(document.string(document.root))
      #expect(back.utf8.elementsEqual(part.utf8))
      let foreign = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect((foreign as? String)?.utf8.elementsEqual(part.utf8) == true)
    }
  }

  @Test("Numbers are digits", arguments: [0, 1, 9, 10, -1, 1_234_567_890, .max, .min] as [Int64])
  func decimal(number: Int64) {
    var bytes = Array("x".utf8)
    bytes.append(decimal: number)
    #expect(String(decoding: bytes, as: UTF8.self) == "x\(number)")
  }

  @Test(
    "Moments are RFC 3339 in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_796_004_600_123, "2026-11-30T02:10:00.123Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (.min, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
    ])
  func timestamps(milliseconds: Int64, written: String) {
    #expect(timestamp(milliseconds) == written)
  }

  @Test("The days of 800 years are the calendar's, and come back")
  func days() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let start: Int64 = -11_676_096_000  // 1600-01-01
    for day in stride(from: Int64(0), to: 292_194, by: 37) {
      let milliseconds = (start + day * 86_400) * 1_000 + day * 1_237 % 86_400_000
      let time = CalendarTime(milliseconds: milliseconds)
      if day % (37 * 29) == 0 {
        let date = Date(timeIntervalSince1970: (Double(milliseconds) / 1_000).rounded(.down))
        let known = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        #expect(
          [known.year, known.month, known.day, known.hour, known.minute]
            == [time.year, time.month, time.day, time.hour, time.minute])
      }
      guard CalendarTime.milliseconds(ofTimestamp: timestamp(milliseconds)) != milliseconds else {
        continue
      }
      Issue.record("\(timestamp(milliseconds)) comes back otherwise")
    }
  }

  @Test(
    "Other programs' fractions are read, and what is no moment is not",
    arguments: [
      ("1970-01-01T00:00:01Z", 1_000), ("1970-01-01T00:00:00.5Z", 500),
      ("1970-01-01T00:00:00.1239999Z", 123), ("1970-01-01T00:00:00.Z", nil),
      ("1970-01-01T00:00:00.000", nil), ("1970-01-01T00:00:00+00:00", nil),
      ("1970-01-01 00:00:00Z", nil), ("1970-13-01T00:00:00Z", nil), ("1970-00-01T00:00:00Z", nil),
      ("2100-02-29T00:00:00Z", nil), ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("1970-01-32T00:00:00Z", nil), ("1970-01-00T00:00:00Z", nil), ("1970-01-01T24:00:00Z", nil),
      ("1970-01-01T00:60:00Z", nil), ("1970-01-01T00:00:60Z", nil), ("", nil), ("Z", nil),
      ("1970-01-01T00:00:00.12aZ", nil), ("+970-01-01T00:00:00Z", nil),
    ] as [(String, Int64?)])
  func timestampsOfOthers(text: String, milliseconds: Int64?) {
    #expect(CalendarTime.milliseconds(ofTimestamp: text) == milliseconds)
  }

  @Test("Minutes are the beginning of it")
  func minutes() {
    var bytes: [UInt8] = []
    bytes.append(minuteOf: 1_796_004_600_123)
    #expect(String(decoding: bytes, as: UTF8.self) == "2026-11-30 02:10")
  }
}
