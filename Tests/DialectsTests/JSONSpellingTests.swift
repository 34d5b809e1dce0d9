/// What goes out as JSON lines: nothing forged, a line a line, and nothing where nothing is shown.

import ChatModel
import Dialects
import Foundation
import Testing

@Suite("Events and answers in JSON")
struct JSONSpellingTests {
  private func name(_ shown: String) throws -> UserName { try UserName(shown) }
  private func text(_ string: String) throws -> MessageText { try #require(MessageText(string)) }

  /// What others may have put into a text, a token, an id or a reason.
  static let hostile = [
    "\n", "\r\n{\"message\":{}}\n", "\"}}\n{\"x\":{\"", "\\", "\\\"", "\u{0}", "\u{1B}[2J\u{9B}1m",
    "\u{2028}\u{2029}\u{85}", "\u{202E}evil\u{2066}", "\u{7F}\u{80}\u{9F}", "</script>",
    "\u{FFFD}\u{FFFF}\u{10FFFF}", "e\u{301}\u{1F468}\u{200D}\u{1F469}", "'", "\t", " ",
  ]

  private func expectOneSafeLine(_ event: Event?, _ answer: Answer?, _ id: RequestID?) throws {
    var bytes: [UInt8] = []
    if let event { Encoder.encode(event, for: .json, isOwn: true, into: &bytes) }
    if let answer { Encoder.encode(answer, to: id, for: .json, into: &bytes) }
    #expect(bytes.removeLast() == 0x0A)
    let line = try #require(String(validating: bytes, as: UTF8.self))
    for scalar in line.unicodeScalars {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
      #expect(!scalar.properties.isBidiControl)
      #expect(scalar.value != 0x2028 && scalar.value != 0x2029)
    }
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect(object?.count == (id == nil ? 1 : 2))
  }

  @Test("Whatever others said, it is one line that drives nothing", arguments: hostile)
  func forged(part: String) throws {
    let id = RequestID.text("i" + part)
    try expectOneSafeLine(said(name("Bob"), text(part), key: MessageKey(part)), nil, nil)
    try expectOneSafeLine(nil, .loggedIn(name("Bob"), token: part), id)
    try expectOneSafeLine(nil, .refused(.badRequest(part)), id)
    try expectOneSafeLine(nil, .refused(.badRequest(part)), nil)
    guard case .message(let message, in: let place) = try said(name("Bob"), text(part)) else {
      return
    }
    let page = HistoryPage(room: .lobby, messages: [message, message], more: false)
    try expectOneSafeLine(nil, .history(page, in: place), id)
  }

  @Test("It comes back as it was, in our reader and in another", arguments: hostile)
  func roundTrip(part: String) throws {
    let event = try said(name("Bob"), text(part), key: MessageKey(part), replyTo: 3)
    let line = try #require(encoded(event, .json, isOwn: true).first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]]
    let foreign = try #require(object?["message"]?["text"] as? String)
    #expect(foreign.utf8.elementsEqual(part.utf8))
    var codec = JSONClientCodec()
    Array((line + "\n").utf8).withUnsafeBytes { codec.received($0) }
    guard case .event(.message(let message, in: .room(.lobby))) = codec.next() else {
      Issue.record("no message came back")
      return
    }
    #expect(message.draft.words.utf8.elementsEqual(part.utf8))
    #expect(message.draft.key?.string.utf8.elementsEqual(part.utf8) == true)
  }

  @Test("Every control of terminals and of writing direction is escaped")
  func controls() throws {
    for scalar in (0...0x2100).lazy.compactMap(Unicode.Scalar.init)
    where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      || scalar.value == 0x2028 || scalar.value == 0x2029
    {
      let line = try encoded(said(name("Bob"), text("a\(scalar)b")), .json)
      #expect(line.count == 1)
      #expect(line.first?.unicodeScalars.contains(scalar) == false, "U+\(scalar.value)")
    }
  }

  @Test("What JSON does not show appends nothing")
  func nothing() {
    for event in [Event.catchingUp(.room(.lobby)), .help] { #expect(encoded(event, .json).isEmpty) }
    #expect(
      encoded(Event.membersChanged(.lobby, joined: 0, left: 0, members: 9), .json).isEmpty)
    let successes: [Answer] = [
      .joined(.room(.lobby), seq: 1, members: 1), .left(.lobby), .pong(""), .quit, .done,
      .rooms([], count: 0), .changed(seq: 1), .invited(.lobby, code: "c"),
      .sent(.room(.lobby), seq: 1, at: Moment(milliseconds: 0), .stored),
    ]
    for answer in successes { #expect(encoded(answer, .json).isEmpty) }
  }

  @Test("The text of a ping goes to plain alone")
  func pong() {
    #expect(encoded(Answer.pong("x"), to: .number("1"), .json) == [#"{"id":1,"ok":{}}"#])
  }

  @Test("Lines are appended, each with its end")
  func appends() throws {
    var bytes = Array("x\n".utf8)
    Encoder.encode(.left(.lobby, try name("Bob"), members: 1), for: .json, into: &bytes)
    Encoder.encode(.pong(""), to: .text("a"), for: .json, into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == "x\n"
        + #"{"left":{"room":"lobby","name":"Bob","members":1}}"# + "\n" + #"{"id":"a","ok":{}}"#
        + "\n")
  }

  @Test("Waits are told in whole milliseconds, rounded up")
  func waits() {
    for (wait, told) in [
      (Duration.nanoseconds(1), 1), (.milliseconds(150), 150), (.microseconds(150_001), 151),
      (.zero, 0), (.seconds(90), 90_000), (.milliseconds(-5), 0),
    ] {
      let line = encoded(Answer.refused(.rateLimited(retryAfter: wait)), .json).first
      #expect(line?.hasSuffix(#","retryAfterMs":\#(told)}}"#) == true)
    }
  }

}
