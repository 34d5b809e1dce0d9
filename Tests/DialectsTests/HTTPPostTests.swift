/// Messages over HTTP as requests: bodies, their types, keys.

import ChatModel
import Dialects
import Testing

@Suite("Rooms over HTTP: what is said")
struct HTTPPostTests {
  private static let tea = RoomName.named("tea")

  private func post(
    _ body: String, _ fields: [String], target: String = "/rooms/tea/messages",
    token: String? = "abc"
  ) -> HTTPTalk {
    post(Array(body.utf8), fields, target: target, token: token)
  }

  private func post(
    _ body: [UInt8], _ fields: [String], target: String = "/rooms/tea/messages",
    token: String? = "abc"
  ) -> HTTPTalk {
    var talk = HTTPTalk()
    let who = token.map { ["Authorization: Bearer \($0)"] } ?? []
    let length = ["Content-Length: \(body.count)"]
    let lines = ["POST \(target) HTTP/1.1", "Host: localhost"] + who + fields + length
    talk.read(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return talk
  }

  private func said(_ text: String, key: String? = nil, replyTo: Int64? = nil) -> Visit? {
    MessageText(text).map {
      .say(Self.tea, $0, key: key.flatMap { MessageKey($0) }, replyTo: replyTo)
    }
  }

  @Test(
    "A text is said as it is, without the line end at its end",
    arguments: [
      ("hi", "hi"), ("hi\n", "hi"), ("hi\r\n", "hi"), ("hi\n\n", "hi\n"), ("hi\r", "hi\r"),
      ("a\nb", "a\nb"), ("iam:eve\nmsg:hi\n", "iam:eve\nmsg:hi"), ("grüße ☕", "grüße ☕"),
      (#"{"text":"x"}"#, #"{"text":"x"}"#),
    ])
  func texts(body: String, text: String) {
    for type in ["text/plain", "Text/Plain; charset=UTF-8", "text/plain;charset=\"utf-8\""] {
      #expect(post(body, ["Content-Type: \(type)"]).visit == said(text))
    }
  }

  @Test("A text has 1 to 4,096 bytes of UTF-8")
  func lengths() throws {
    let plain = ["Content-Type: text/plain"]
    let most = String(repeating: "x", count: 4_096)
    #expect(post(most, plain).visit == said(most))
    let table: [([UInt8], Int, String)] = [
      ([], 400, "an empty text"), ([0x0A], 400, "an empty text"), ([0xFF], 400, "must be UTF-8"),
      (Array(most.utf8) + [0x78], 413, "at most 4,096 bytes"), ([0x61, 0xE2], 400, "UTF-8"),
    ]
    for (body, status, words) in table {
      var talk = post(body, plain)
      let answer = try talk.oneAnswer()
      #expect(answer.status == status && answer.body.contains(words), "\(answer)")
      #expect(talk.action == nil && !talk.isOver)
    }
  }

  @Test("An object has a text, and may have a key and what it answers")
  func objects() {
    let json = ["Content-Type: application/json"]
    #expect(post(#"{"text":"hi"}"#, json).visit == said("hi"))
    #expect(post(#" {"text":"h\u0069"} "# + "\n", json).visit == said("hi"))
    #expect(
      post(#"{"text":"hi","key":"k","replyTo":7,"later":[]}"#, json).visit
        == said("hi", key: "k", replyTo: 7))
    #expect(post(#"{"text":"hi","key":null}"#, json).visit == said("hi"))
  }

  @Test(
    "An object that is none is refused with what is wrong",
    arguments: [
      ("", 400, "no JSON"), ("hi", 400, "no JSON"), ("[]", 400, "must be an object"),
      (#""hi""#, 400, "must be an object"), ("{}", 400, "text"), (#"{"text":1}"#, 400, "a string"),
      (#"{"text":""}"#, 400, "an empty text"), (#"{"text":"a","replyTo":0}"#, 400, "replyTo must"),
      (#"{"text":"a","key":""}"#, 400, "an empty key"), (#"{"text":"a"} x"#, 400, "no JSON"),
      (#"{"text":"a","key":"\#(String(repeating: "k", count: 65))"}"#, 413, "at most 64 bytes"),
    ])
  func wrongObjects(body: String, status: Int, words: String) throws {
    var talk = post(body, ["Content-Type: application/json; charset=utf-8"])
    let answer = try talk.oneAnswer()
    #expect(answer.status == status && answer.body.contains(words), "\(answer)")
    #expect(talk.action == nil && !talk.isOver)
  }

  @Test(
    "Other types are refused, and it is said which there are",
    arguments: [
      nil, "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/html",
      "text/plain; charset=latin1", "application/jsonp", "",
    ])
  func types(type: String?) throws {
    var talk = post("hi", type.map { ["Content-Type: \($0)"] } ?? [])
    let answer = try talk.oneAnswer()
    #expect(answer.status == 415)
    #expect(answer.body.contains("application/json") && answer.body.contains("text/plain"))
  }

  @Test("Without a token nothing is said, whatever else is wrong", arguments: ["hi", ""])
  func noToken(body: String) throws {
    for type in ["text/plain", "text/html"] {
      var talk = post(body, ["Content-Type: \(type)"], token: nil)
      let answer = try talk.oneAnswer()
      #expect(answer.status == 401 && answer.fields["www-authenticate"] == "Bearer")
      #expect(answer.body.contains("Authorization: Bearer TOKEN"))
    }
  }

  @Test("A post takes no parameters", arguments: ["?after=1", "?follow=1", "?key=k"])
  func parameters(query: String) {
    var talk = post("hi", ["Content-Type: text/plain"], target: "/rooms/tea/messages\(query)")
    #expect(talk.takenAnswer()?.status == 400 && talk.action == nil)
  }

  // MARK: Keys

  @Test(
    "A key is given as it is, or in quotes",
    arguments: [
      ("k-17", "k-17"), ("\"k-17\"", "k-17"), (#""a \"b\" \\""#, #"a "b" \"#),
      (String(repeating: "k", count: 64), String(repeating: "k", count: 64)), ("a\"b", "a\"b"),
    ])
  func keys(value: String, key: String) {
    let fields = ["Content-Type: text/plain", "Idempotency-Key: \(value)"]
    #expect(post("hi", fields).visit == said("hi", key: key))
  }

  @Test(
    "What is no key is refused",
    arguments: [
      "", "\"\"", "\"", "\"a", #""a\"#, #""a\b""#, #""a"b""#, String(repeating: "k", count: 65),
    ])
  func wrongKeys(value: String) throws {
    var talk = post("hi", ["Content-Type: text/plain", "Idempotency-Key: \(value)"])
    let answer = try talk.oneAnswer()
    #expect(answer.status == 400 && answer.body.contains("1 to 64 bytes"), "\(answer)")
  }

  @Test("One key is given, by the field or in the object")
  func oneKey() {
    let body = #"{"text":"hi","key":"k"}"#
    let json = "Content-Type: application/json"
    #expect(post(body, [json, "Idempotency-Key: k"]).visit == said("hi", key: "k"))
    var unequal = post(body, [json, "Idempotency-Key: l"])
    #expect(unequal.takenAnswer()?.status == 400)
    var twice = post(body, [json, "Idempotency-Key: k", "Idempotency-Key: k"])
    #expect(twice.takenAnswer()?.status == 400)
  }
}
