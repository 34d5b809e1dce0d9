/// What comes from JSON lines into plain terminals: no text, topic, name or reason forges a line.

import ChatModel
import Dialects
import Testing

@Suite("Forged lines")
struct ForgedLineTests {
  private static let parts =
    JSONSpellingTests.hostile + [
      "\nann has joined", "\u{2028}* topic of tea, by ann: mine", "\r! you are banned",
      "\u{85}[2026-11-30 02:10 #44] ann: no", "\u{B}ann (private): no", "\u{1B}]0;x\u{7}",
    ]

  private func sent(_ method: String, _ fields: [(String, String)]) throws -> Request {
    let written = try fields.map { key, value in
      var codec = JSONClientCodec()
      var bytes: [UInt8] = []
      // A string as our own writer has it.
      codec.encode(
        .resume(token: value, .manyRooms), id: .number("1"), into: &bytes)
      let line = String(decoding: bytes, as: UTF8.self)
      let start = try #require(line.firstRange(of: #""token":"#)).upperBound
      return #""\#(key)":\#(line[start...].dropLast(3))"#
    }
    return try #require(request(method, "{\(written.joined(separator: ","))}"))
  }

  private func expectSafe(_ lines: [String], _ count: Int) {
    #expect(lines.count == count)
    for scalar in lines.joined().unicodeScalars {
      let value = scalar.value
      #expect(value == 9 || value >= 0x20 && !(0x7F...0x9F).contains(value))
      #expect(!scalar.properties.isBidiControl && value != 0x2028 && value != 0x2029)
    }
  }

  private func expectSafe(_ event: Event) {
    expectSafe(encoded(event, .line), 1)
    expectSafe(encoded(event, .raw), encoded(event, .raw).isEmpty ? 0 : 1)
  }

  private func expectSafe(_ answer: Answer, lines: Int = 1) {
    for form in [Form.line, .raw] { expectSafe(encoded(answer, form), lines) }
  }

  private func message(_ content: Content) throws -> Message {
    let draft = Draft(
      room: .lobby, person: PersonID(rawValue: 7), from: try UserName("eve"), content: content,
      replyTo: 1)
    let at = Moment(milliseconds: 1_796_004_600_123)
    return Message(draft, seq: 44, at: at, edited: at)
  }

  @Test("A text stays a line of its sender, said, changed, private or later", arguments: parts)
  func texts(part: String) throws {
    guard
      case .send(let place?, let text, key: _, replyTo: _) = try sent(
        "send", [("with", "eve"), ("text", part + "a" + part)])
    else { throw FormProblem() }
    for content in [Content.text(text), .edit(of: 42, text)] {
      let message = try message(content)
      for place in [place, .room(.lobby)] {
        expectSafe(.message(message, in: place))
        expectSafe(
          .history(HistoryPage(room: .lobby, messages: [message], more: false), in: place))
        expectSafe(.found(Findings(messages: [.init(message, in: place)], cursor: nil)))
      }
    }
  }

  @Test("A topic stays behind its room", arguments: parts)
  func topics(part: String) throws {
    guard
      case .setTopic(let room?, let topic?) = try sent("topic", [("room", "tea"), ("text", part)])
    else { throw FormProblem() }
    expectSafe(.message(try message(.topic(topic)), in: .room(room)))
    expectSafe(.topic(room, topic))
    expectSafe(.joined(.room(room), seq: 1, members: 1, topic: topic), lines: 2)
    var state = RoomState(place: .room(room), members: 1, seq: 1)
    state.topic = topic
    expectSafe(.rooms([state], count: 1), lines: 2)
  }

  @Test("A reason stays behind what it is for", arguments: parts)
  func reasons(part: String) throws {
    guard
      case .kick(let room?, let name, let reason?) = try sent(
        "kick", [("room", "tea"), ("name", "ann"), ("reason", part)])
    else { throw FormProblem() }
    let until = Moment(milliseconds: 1)
    expectSafe(.kicked(room, by: name, reason))
    expectSafe(.closing(.kicked(by: name, reason)))
    for moment in [until, nil] {
      expectSafe(.closing(.banned(reason, until: moment)))
      for place in [room, nil] {
        expectSafe(.refused(.banned(place, reason, until: moment)))
        expectSafe(.refused(.muted(place, reason, until: moment)))
      }
    }
    guard case .away(let away?) = try sent("away", [("text", part)]) else { throw FormProblem() }
    expectSafe(.presence(name, away: away))
    expectSafe(.members(.lobby, [Member(name, away: away)], count: 1))
  }

  @Test("A name that would forge one is none, in whatever field it comes", arguments: parts)
  func names(part: String) throws {
    let escaped = part.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return scalar.value > 0xFFFF
        ? String(scalar) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    let name = #""a\#(escaped)b""#
    for (method, arguments) in [
      ("login", #"{"name":\#(name)}"#), ("send", #"{"with":\#(name),"text":"x"}"#),
      ("kick", #"{"name":\#(name)}"#), ("search", #"{"query":"x","from":\#(name)}"#),
    ] {
      let heard = heard(#"{"id":7,"\#(method)":\#(arguments)}"#)
      guard let taken = try? UserName("a\(part)b") else {
        #expect(code(heard) == .badName)
        continue
      }
      guard case .request = heard else {
        Issue.record("\(name) is taken as a name, and refused as an argument")
        continue
      }
      expectSafe(.joined(.lobby, taken, members: 1))
      expectSafe(.presence(taken, away: nil))
      expectSafe(.message(try message(.gone), in: .with(taken)))
      expectSafe(.catchingUp(.with(taken)))
    }
  }
}
