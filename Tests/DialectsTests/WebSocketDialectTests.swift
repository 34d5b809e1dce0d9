/// JSON in a WebSocket as a dialect: the upgrade, messages as requests, pings in their place, and
/// when it ends.

import ChatModel
import Dialects
import Testing
import Wire

@Suite("WebSocket")
struct WebSocketDialectTests {
  // MARK: The upgrade

  private static let fields = [
    "Host: localhost", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: chat, beck.json",
  ]

  private static func head(_ fields: [String], _ line: String = "GET /ws HTTP/1.1") -> String {
    ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// With what came behind the request, in the same read.
  private func upgraded(rest: [UInt8] = []) -> HTTPTalk {
    var talk = HTTPTalk()
    talk.read(Array(Self.head(Self.fields).utf8) + rest)
    talk.upgrade()
    return talk
  }

  @Test("Whoever asks for it as RFC 6455 has it speaks in frames from then on")
  func upgrade() throws {
    var talk = HTTPTalk()
    talk.read(Self.head(Self.fields))
    #expect(talk.action == .upgrade(key: "dGhlIHNhbXBsZSBub25jZQ==", isNamed: true))
    talk.upgrade()
    let answer = try talk.oneAnswer()
    #expect(answer.status == 101 && answer.fields["sec-websocket-accept"] == "proof")
    #expect(answer.fields["upgrade"] == "websocket" && answer.fields["connection"] == "Upgrade")
    #expect(answer.fields["sec-websocket-protocol"] == "beck.json")
    #expect(answer.fields["content-length"] == nil && answer.body.isEmpty)
    #expect(answer.fields["sec-websocket-extensions"] == nil)
    #expect(talk.dialect.form == .frame)
  }

  @Test("A protocol that nobody asked for is not named")
  func unnamed() throws {
    var talk = HTTPTalk()
    talk.read(Self.head(Array(Self.fields.dropLast())))
    talk.upgrade()
    #expect(talk.takenAnswer()?.fields["sec-websocket-protocol"] == nil)
    #expect(talk.dialect.form == .frame)
  }

  @Test(
    "What is no upgrade is refused by its clause, and the connection goes on",
    arguments: [
      (1, "Upgrade: h2c", 426), (2, "Connection: keep-alive", 426),
      (3, "Sec-WebSocket-Version: 8", 426), (3, "Sec-WebSocket-Version: 13, 8", 426),
      (4, "Sec-WebSocket-Key: short", 400), (4, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=-", 400),
      (4, "X-No-Key: 1", 400), (5, "Sec-WebSocket-Protocol: chat", 400),
      (5, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", 400),
    ])
  func refused(index: Int, field: String, status: Int) throws {
    var fields = Self.fields
    fields[index] = field
    var talk = HTTPTalk()
    talk.read(Self.head(fields))
    let answer = try talk.oneAnswer()
    #expect(answer.status == status && talk.action == nil && !talk.isOver)
    if status == 426 {
      #expect(
        answer.fields["upgrade"] == "websocket" || answer.fields["sec-websocket-version"] == "13")
    }
    talk.ask("GET", "/health")
    #expect(talk.takenAnswer()?.status == 200)
  }

  @Test("Neither another method nor HTTP/1.0 is upgraded (RFC 6455 4.2.1)")
  func methods() throws {
    for line in ["HEAD /ws HTTP/1.1", "GET /ws HTTP/1.0"] {
      var talk = HTTPTalk()
      talk.read(Self.head(Self.fields, line))
      #expect(talk.takenAnswer()?.status == 426)
    }
  }

  @Test("What came behind the request is heard as frames")
  func rest() {
    let talk = upgraded(rest: masked(#"{"id":1,"ping":{}}"#))
    #expect(talk.heard.last == .request(.ping(""), .number("1")))
    let chat = upgraded(rest: Array("iam:eve\nmsg:hi\n".utf8))
    #expect(chat.isOver && !chat.heard.contains { if case .request = $0 { true } else { false } })
  }

  // MARK: Messages

  /// A client's frame (RFC 6455 5.2).
  private func masked(_ payload: [UInt8], opcode: UInt8 = 1, isLast: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    var frame: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
    switch payload.count {
    case 0...125: frame.append(0x80 | UInt8(payload.count))
    case 126...65_535: frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    case _:
      frame.append(0xFF)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  private func masked(_ text: String) -> [UInt8] { masked(Array(text.utf8)) }

  @Test("A text is a request, whole or in fragments, and has no line feed")
  func requests() {
    var talk = upgraded()
    let text = Array(#"{"id":"a","login":{"name":"ann"}}"#.utf8)
    talk.read(masked(text))
    talk.read(masked(Array(text[..<9]), isLast: false))
    talk.read(masked(Array(text[9...]), opcode: 0))
    talk.read(masked(text + [0x0A]))
    guard let ann = try? UserName("ann") else { preconditionFailure("a name") }
    let login = Heard.request(.logIn(ann, .manyRooms), .text("a"))
    #expect(Array(talk.heard.dropFirst().prefix(2)) == [login, login])
  }

  @Test("What is told is a frame for each object")
  func told() {
    var talk = upgraded()
    _ = talk.taken()
    talk.tell(.membersChanged(.lobby, joined: 2, left: 1, members: 70))
    let bytes = talk.taken()
    let first = bytes.withUnsafeBytes { WebSocketFrame.size(of: $0) }
    let texts = [bytes[..<first], bytes[first...]].map { frame in
      String(decoding: frame.dropFirst(2), as: UTF8.self)
    }
    #expect(
      texts == [
        #"{"joined":{"room":"lobby","count":2,"members":70}}"#,
        #"{"left":{"room":"lobby","count":1,"members":70}}"#,
      ])
    #expect(bytes[0] == 0x81 && bytes[first] == 0x81)
  }

  @Test("A message has at most 65,536 bytes (RFC 6455 7.4.1: else 1009)")
  func size() {
    let pad = { (count: Int) in
      let frame = #"{"id":1,"ping":{},"later":""#
      return frame + String(repeating: "x", count: count - frame.utf8.count - 2) + #""}"#
    }
    var most = upgraded()
    most.read(masked(pad(65_536)))
    #expect(!most.isOver && most.heard.count == 2)
    var over = upgraded()
    _ = over.taken()
    over.read(masked(pad(65_537)))
    #expect(over.isOver && code(over.taken()) == 1_009)
  }

  @Test("The tenth message that is no request is the last")
  func mistakes() {
    var talk = upgraded()
    for _ in 1...9 { talk.read(masked("no JSON")) }
    #expect(!talk.isOver && talk.heard.count == 10)
    talk.read(masked("no JSON"))
    #expect(talk.isOver && talk.heard.last == .tooManyMistakes(limit: 10))
  }

  @Test("Nothing behind the tenth message that is no request is heard, not even a ping")
  func mistakesAndMore() {
    var talk = upgraded()
    let more = masked([7], opcode: 9) + masked(#"{"id":1,"ping":{}}"#) + masked([], opcode: 8)
    let wrong = (1...10).flatMap { _ in masked("no JSON") }
    talk.read(wrong + more)
    talk.read(more)
    #expect(talk.heard.count == 12 && talk.heard.last == .tooManyMistakes(limit: 10))

    // However the one who hears it goes on.
    var dialect = upgraded().dialect
    var heard: [Heard] = []
    for bytes in [wrong + more, more] {
      bytes.withUnsafeBytes { dialect.received($0, at: .seconds(1)) }
      while let next = dialect.next() { heard.append(next) }
    }
    #expect(heard.count == 11 && heard.last == .tooManyMistakes(limit: 10))
    #expect(dialect.deadline == nil && dialect.bytesHeld == 0)
    let farewell = dialect.farewell(.tooManyMistakes(limit: 10)) ?? []
    #expect(code(farewell) == 1_008)
  }

  @Test("A ping of ours that was not sent yet is not sent behind the close")
  func pingAndClose() {
    var dialect = upgraded().dialect
    dialect.deadlinePassed(at: .seconds(30))
    let farewell = dialect.farewell(.shutdown) ?? []
    #expect(code(farewell) == 1_001)
    let next = dialect.next()
    #expect(next == nil)
  }

  // MARK: Pings, silence and the end

  private func code(_ frame: [UInt8]) -> Int? {
    frame.count >= 4 && frame[0] == 0x88 ? Int(frame[2]) << 8 | Int(frame[3]) : nil
  }

  @Test("A ping is answered with its bytes, in its place")
  func ping() {
    var talk = upgraded()
    _ = talk.taken()
    let one = masked(#"{"id":1,"ping":{}}"#)
    talk.read(one + masked([7, 8], opcode: 9) + masked(#"{"id":2,"ping":{}}"#))
    #expect(
      Array(talk.heard.dropFirst()) == [
        .request(.ping(""), .number("1")), .write([0x8A, 2, 7, 8]),
        .request(.ping(""), .number("2")),
      ])
  }

  @Test(
    "A close is answered with its code, and nothing behind it is heard",
    arguments: [
      ([], 1_000), ([0x03, 0xE8], 1_000), ([0x03, 0xE9, 0x62], 1_001), ([0x0F, 0xA0], 4_000),
    ])
  func close(payload: [UInt8], code: Int) {
    var talk = upgraded()
    _ = talk.taken()
    talk.read(masked(payload, opcode: 8) + masked(#"{"id":1,"ping":{}}"#))
    talk.read(masked(#"{"id":1,"ping":{}}"#))
    #expect(talk.isOver && self.code(talk.taken()) == code && talk.heard.count == 2)
  }

  @Test(
    "A frame that breaks a rule ends the connection with its code",
    arguments: [
      ([0x81, 0x01, 0x61], 1_002), ([0x82, 0x81, 0, 0, 0, 0, 0x61], 1_003),
      ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1_007), ([0xC1, 0x81, 0, 0, 0, 0, 0x61], 1_002),
      ([0x80, 0x81, 0, 0, 0, 0, 0x61], 1_002), ([0x09, 0x80, 0, 0, 0, 0], 1_002),
      ([0x88, 0x81, 0, 0, 0, 0, 0x61], 1_002),
    ] as [([UInt8], Int)])
  func broken(frame: [UInt8], code: Int) {
    var talk = upgraded()
    _ = talk.taken()
    talk.read(frame)
    #expect(talk.isOver && self.code(talk.taken()) == code)
  }

  @Test(
    "What the server says last is a close with the reason's code",
    arguments: [
      (nil, 1_000), (ClosingReason.quit, 1_000), (.shutdown, 1_001), (.crowded, 1_008),
      (.banned(nil, until: nil), 1_008), (.tooManyMistakes(limit: 10), 1_008),
    ])
  func farewell(reason: ClosingReason?, code: Int) {
    let talk = upgraded()
    var dialect = talk.dialect
    let said = dialect.farewell(reason) ?? []
    #expect(self.code(said) == code)
    let again = dialect.farewell(reason)
    #expect(again == nil, "once")
  }

  @Test("Whoever is silent for 30 s is pinged, and closed after 15 more")
  func silence() {
    var talk = upgraded()
    _ = talk.taken()
    talk.pass(.milliseconds(29_999))
    #expect(talk.taken().isEmpty)
    talk.pass(.milliseconds(1))
    #expect(talk.taken() == [0x89, 0])
    talk.pass(.milliseconds(14_999))
    #expect(!talk.isOver)
    talk.pass(.milliseconds(1))
    #expect(talk.isOver && talk.heard.last == .close && talk.taken().isEmpty)
  }

  @Test("Whatever comes is a sign of life")
  func alive() {
    var talk = upgraded()
    talk.pass(.seconds(30))
    talk.pass(.seconds(14))
    talk.read(masked([], opcode: 10))
    talk.pass(.milliseconds(29_999))
    #expect(!talk.isOver)
    talk.pass(.milliseconds(1))
    talk.pass(.seconds(14))
    talk.read(masked(#"{"id":1,"ping":{}}"#))
    #expect(!talk.isOver && talk.heard.last == .request(.ping(""), .number("1")))
  }

  @Test("A stream that ends inside a frame keeps nothing")
  func ended() {
    var talk = upgraded()
    talk.read(Array(masked(#"{"id":1,"ping":{}}"#).dropLast(3)))
    #expect(talk.dialect.bytesHeld > 0)
    talk.end()
    #expect(talk.dialect.bytesHeld == 0 && talk.dialect.deadline == nil)
    var early = HTTPTalk()
    early.read(Array(Self.head(Self.fields).utf8) + masked(#"{"id":1,"ping":{}}"#).dropLast(3))
    early.end()
    early.upgrade()
    #expect(early.dialect.bytesHeld == 0, "it had ended before it was upgraded")
  }
}
