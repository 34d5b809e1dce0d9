/// The client's side: its requests are those a server hears, and what it hears of servers of this
/// and of later versions.

import ChatModel
import Dialects
import Testing

@Suite("The client's side of JSON lines")
struct JSONClientCodecTests {
  private func hear(_ codec: inout JSONClientCodec, _ text: String) -> [JSONClientCodec.Heard] {
    Array(text.utf8).withUnsafeBytes { codec.received($0) }
    var heard: [JSONClientCodec.Heard] = []
    while let next = codec.next() { heard.append(next) }
    return heard
  }

  private func isMalformed(_ heard: [JSONClientCodec.Heard]) -> Bool {
    guard heard.count == 1, case .malformed(let reason) = heard.first else { return false }
    return !reason.isEmpty
  }

  @Test(
    "Each request is heard by the server's side as it was asked",
    arguments: RequestTable.all)
  func requests(line: String, asked: Request) {
    for id in [RequestID.number("7"), .text("a\n\"b"), .number("-1.5e3")] {
      var codec = JSONClientCodec()
      var bytes: [UInt8] = []
      codec.encode(asked, id: id, into: &bytes)
      #expect(heard([bytes]) == [.request(asked, id)])
    }
  }

  @Test("An answer is understood by what was asked, in any order, and once")
  func answers() {
    var codec = JSONClientCodec()
    var bytes: [UInt8] = []
    codec.encode(.leave(.lobby), id: .number("1"), into: &bytes)
    codec.encode(.ping("x"), id: .number("2"), into: &bytes)
    codec.encode(.rooms, id: .text("1"), into: &bytes)
    let text =
      #"{"id":2,"ok":{}}"# + "\n" + #"{"id":"1","ok":{"rooms":[],"count":0}}"# + "\n"
      + #"{"ok":{},"id":1}"#
    #expect(
      hear(&codec, text + "\n") == [
        .answer(.pong("x"), .number("2")), .answer(.rooms([], count: 0), .text("1")),
        .answer(.left(.lobby), .number("1")),
      ])
    #expect(isMalformed(hear(&codec, #"{"id":1,"ok":{}}"# + "\n")))
    codec.encode(.leave(.lobby), id: .number("1"), into: &bytes)
    #expect(
      hear(&codec, #"{"id":1,"error":{"code":"later-code","message":"m"}}"# + "\n") == [
        .refused(JSONRefusal(code: "later-code", message: "m"), .number("1"))
      ])
    #expect(isMalformed(hear(&codec, #"{"id":1,"ok":{}}"# + "\n")))
  }

  @Test("A refusal may bear no id, and say how long to wait")
  func refusals() {
    var codec = JSONClientCodec()
    #expect(
      hear(&codec, #"{"error":{"code":"rate-limited","message":"m","retryAfterMs":150}}"# + "\n")
        == [
          .refused(
            JSONRefusal(code: "rate-limited", message: "m", retryAfter: .milliseconds(150)), nil)
        ])
  }

  @Test("Notices and closings are told")
  func notices() {
    var codec = JSONClientCodec()
    #expect(
      hear(
        &codec,
        #"{"notice":{"text":"hi"}}"# + "\n" + #"{"closing":{"reason":"drain","retryAfterMs":9}}"#
          + "\n"
      ) == [
        .notice("hi"), .closing(reason: "drain", message: "", retryAfter: .milliseconds(9)),
      ])
  }

  @Test(
    "What a later version may say is passed over",
    arguments: [
      #"{"reaction":{"room":"lobby","name":"ann","on":true}}"#, "{}", #"{"x":1}"#,
      #"{"presence":[]}"#,
    ])
  func later(line: String) {
    var codec = JSONClientCodec()
    #expect(hear(&codec, line + "\n") == [])
  }

  @Test("Fields of a later version are passed over, too")
  func laterFields() throws {
    var codec = JSONClientCodec()
    let line =
      #"{"message":{"room":"lobby","seq":1,"from":"ann","text":"hi","at":"1970-01-01T00:00:00Z","#
      + #""deleted":false,"x":[{}]}}"#
    let draft = Draft(
      room: .lobby, person: JSONClientCodec.nobody, from: try UserName("ann"),
      text: try #require(MessageText("hi")))
    #expect(
      hear(&codec, line + "\r\n")
        == [
          .event(.message(Message(draft, seq: 1, at: Moment(milliseconds: 0)), in: .room(.lobby)))
        ])
  }

  @Test(
    "What is no answer and no event is malformed",
    arguments: [
      "nonsense", "[]", "1", #"{"id":1,"ok":{}}"#, #"{"ok":{}}"#, #"{"id":true,"ok":{}}"#,
      #"{"error":{}}"#, #"{"error":{"code":1,"message":"m"}}"#, #"{"message":{}}"#,
      #"{"message":{"room":"lobby","seq":-1,"from":"a","text":"t","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"message":{"room":"lobby","seq":1,"from":"a","text":"","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"message":{"room":"a b","seq":1,"from":"a","text":"t","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"message":{"room":"lobby","seq":1,"from":"*","text":"t","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"message":{"room":"lobby","seq":1,"from":"a","text":"t","at":"yesterday"}}"#,
      #"{"message":{"room":"lobby","seq":1.5,"from":"a","text":"t","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"joined":{"room":"lobby","members":1}}"#, #"{"left":{"room":"lobby","name":"a"}}"#,
      #"{"gap":{"room":"lobby","from":5,"to":4}}"#, #"{"caughtUp":{"room":"lobby"}}"#,
      #"{"notice":{}}"#, #"{"closing":{}}"#, #"{"typing":{"room":"a","name":"b"}}"#,
      #"{"presence":{}}"#, #"{"presence":{"name":"b","away":1}}"#, #"{"marked":{"room":"a"}}"#,
      #"{"kicked":{"room":"a"}}"#, #"{"caughtUp":{"with":"*","seq":1}}"#,
      #"{"edited":{"room":"a","seq":2,"of":1,"by":"b","at":"1970-01-01T00:00:00Z","text":""}}"#,
      #"{"deleted":{"room":"a","seq":2,"by":"b","at":"1970-01-01T00:00:00Z"}}"#,
      #"{"topic":{"room":"a","seq":2,"by":"b","at":"1970-01-01T00:00:00Z"}}"#,
    ])
  func malformed(line: String) {
    var codec = JSONClientCodec()
    #expect(isMalformed(hear(&codec, line + "\n")))
  }

  @Test(
    "An answer that lacks what the request asks for is malformed", arguments: JSONMethod.allCases)
  func lacking(method: JSONMethod) throws {
    let page = try #require(ProtocolPage.page.methods[method.rawValue])
    let asked = try #require(
      RequestTable.all.first { $0.0.contains("\"\(method.rawValue)\"") })
    for field in page.ok
    where field.value.isRequired && !["guest", "server", "limits"].contains(field.key) {
      // Those of other methods are there; what is asked for is not.
      var codec = JSONClientCodec()
      var bytes: [UInt8] = []
      codec.encode(asked.1, id: .number("1"), into: &bytes)
      #expect(isMalformed(hear(&codec, #"{"id":1,"ok":{"\#(field.key)":null}}"# + "\n")))
    }
  }

  @Test("Cut anywhere, the same is heard, and the last line needs no end")
  func chops() {
    let text =
      #"{"joined":{"room":"lobby","name":"Ann","members":3}}"# + "\n\n"
      + #"{"error":{"code":"busy","message":"é"}}"# + "\r\n" + #"{"notice":{"text":"\u00e9"}}"#
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var codec = JSONClientCodec()
      var heard: [JSONClientCodec.Heard] = []
      for piece in [bytes[..<cut], bytes[cut...]] {
        Array(piece).withUnsafeBytes { codec.received($0) }
        while let next = codec.next() { heard.append(next) }
      }
      codec.ended()
      while let next = codec.next() { heard.append(next) }
      #expect(heard.count == 3, "cut at \(cut)")
      #expect(heard.last == .notice("\u{E9}"))
    }
  }

  @Test("What comes of a conversation bears its place, and a room that no store takes")
  func conversations() throws {
    var codec = JSONClientCodec()
    var bytes: [UInt8] = []
    let ann = try UserName("ann")
    codec.encode(.history(.with(ann), .before(nil), limit: 5), id: .number("1"), into: &bytes)
    codec.encode(.search(Search("x")), id: .number("2"), into: &bytes)
    let at = #""at":"1970-01-01T00:00:00Z""#
    let said = #"{"with":"ann","seq":1,"from":"bob","text":"hi",\#(at)}"#
    let lines = [
      #"{"message":\#(said)}"#, #"{"id":1,"ok":{"messages":[\#(said)],"more":false}}"#,
      #"{"id":2,"ok":{"messages":[\#(said)],"cursor":"c"}}"#,
      #"{"deleted":{"with":"ann","seq":2,"of":1,"by":"bob",\#(at)}}"#,
    ]
    let room = JSONClientCodec.conversation
    #expect(RoomName(kept: room.string) == nil)
    let person = JSONClientCodec.nobody
    let draft = Draft(
      room: room, person: person, from: try UserName("bob"), text: try #require(MessageText("hi")))
    let message = Message(draft, seq: 1, at: Moment(milliseconds: 0))
    let deletion = Message(
      Draft(room: room, person: person, from: try UserName("bob"), content: .deletion(of: 1)),
      seq: 2, at: Moment(milliseconds: 0))
    #expect(
      hear(&codec, lines.joined(separator: "\n") + "\n") == [
        .event(.message(message, in: .with(ann))),
        .answer(
          .history(HistoryPage(room: room, messages: [message], more: false), in: .with(ann)),
          .number("1")),
        .answer(
          .found(Findings(messages: [.init(message, in: .with(ann))], cursor: "c")), .number("2")),
        .event(.message(deletion, in: .with(ann))),
      ])
  }
}
