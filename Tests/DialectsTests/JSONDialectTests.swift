/// Lines of JSON as requests: ids, methods, what is counted as a mistake.

import ChatModel
import Dialects
import Testing

@Suite("Requests in JSON")
struct JSONDialectTests {
  @Test("Each method asks for what it says, with and without an id", arguments: RequestTable.all)
  func asks(line: String, asked: Request) {
    #expect(heard(line) == .request(asked, nil))
    let rest = line.drop { $0 == " " }.dropFirst()
    #expect(heard(#"{"id":7,\#(rest)"#) == .request(asked, .number("7")))
    let start = line.lastIndex(of: "}").map { line[..<$0] } ?? ""
    #expect(heard(#"\#(start),"id":"x"}"#) == .request(asked, .text("x")))
  }

  @Test(
    "An id is a number as it was written, or a string",
    arguments: [
      ("1", .number("1")), ("-0", .number("-0")), ("1.50e+10", .number("1.50e+10")),
      ("12345678901234567890123", .number("12345678901234567890123")), (#""""#, .text("")),
      (#""a\nb\u0000""#, .text("a\nb\u{0}")), ("null", nil),
      (String(repeating: "1", count: 64), .number(String(repeating: "1", count: 64))),
      (
        "\"" + String(repeating: "\u{E9}", count: 32) + "\"",
        .text(String(repeating: "\u{E9}", count: 32))
      ),
    ] as [(String, RequestID?)])
  func ids(written: String, id: RequestID?) {
    #expect(heard(#"{"ping":{},"id":\#(written)}"#) == .request(.ping(""), id))
  }

  @Test(
    "What cannot be an id is refused without one",
    arguments: [
      "true", "[]", "{}", "[1]", String(repeating: "1", count: 65),
      "\"" + String(repeating: "\u{E9}", count: 33) + "\"",
    ])
  func badID(written: String) {
    let heard = heard(#"{"id":\#(written),"ping":{}}"#)
    #expect(code(heard) == .badRequest)
    #expect(answeredID(heard) == nil)
  }

  @Test(
    "Exactly one method stands beside the id; else the answer bears the id that could be read",
    arguments: [
      "{}", #"{"id":7}"#, #"{"id":7,"join":{"room":"a"},"leave":{"room":"a"}}"#,
      #"{"join":{"room":"a"},"topic":{},"id":7}"#, #"{"id":7,"x":1,"y":2}"#,
    ])
  func oneMethod(line: String) {
    let heard = heard(line)
    #expect(code(heard) == .badRequest)
    #expect(answeredID(heard) == (line == "{}" ? nil : .number("7")))
  }

  @Test(
    "What is no object is refused",
    arguments: [
      "{]", "{\"id\":7", "[]", "1", "null", "\"x\"", "iam:Bob", "{\"id\":7,\"ping\":{}}x",
    ])
  func noObject(line: String) {
    let all = heard([Array(("{\"ping\":{}}\n" + line + "\n").utf8)])
    #expect(all.count == 2)
    #expect(code(all.last) == .badRequest)
    #expect(answeredID(all.last) == nil)
  }

  @Test(
    "A method that is not there is told those that are",
    arguments: ["react", "Login", "SEND", "", "x\ny", "iam"])
  func unknownMethod(method: String) throws {
    let name = method.replacing("\n", with: "\\n")
    let heard = heard(#"{"id":7,"\#(name)":{}}"#)
    #expect(heard == .answer(.refused(.unknownCommand), .number("7")))
    let line = try #require(encoded(Answer.refused(.unknownCommand), to: .number("7"), .json).first)
    let methods = JSONMethod.allCases.map { #""\#($0.rawValue)""# }.joined(separator: ",")
    #expect(line.hasSuffix(#""methods":[\#(methods)]}}"#))
    #expect(methods.contains(#""login""#) && methods.contains(#""unmute""#))
  }

  @Test(
    "What a method takes must be an object", arguments: JSONMethod.allCases,
    ["null", "true", "1", "\"x\"", "[]"])
  func argumentsKind(method: JSONMethod, value: String) {
    let heard = heard(#"{"id":7,"\#(method.rawValue)":\#(value)}"#)
    #expect(code(heard) == .badRequest)
    #expect(answeredID(heard) == .number("7"))
  }

  @Test("Two that exclude each other are refused, and a null counts as neither")
  func exclusive() {
    #expect(code(heard(#"{"join":{"room":"a","after":1,"last":1}}"#)) == .badRequest)
    #expect(code(heard(#"{"history":{"room":"a","after":1,"before":1}}"#)) == .badRequest)
    #expect(code(heard(#"{"login":{"name":"a","token":"b"}}"#)) == .badRequest)
    #expect(code(heard(#"{"login":{"name":null,"token":null}}"#)) == .badRequest)
    #expect(code(heard(#"{"login":{}}"#)) == .badRequest)
    #expect(code(heard(#"{"login":{"token":"a","password":"12345678"}}"#)) == .badRequest)
    for method in ["join", "history", "mark"] {
      let more = method == "mark" ? #","seq":1"# : ""
      #expect(code(heard(#"{"\#(method)":{"room":"a","with":"b"\#(more)}}"#)) == .badRequest)
      #expect(code(heard(#"{"\#(method)":{"room":null\#(more)}}"#)) == .badRequest)
      #expect(request(method, #"{"room":null,"with":"b"\#(more)}"#) != nil)
    }
    #expect(code(heard(#"{"search":{"query":"a","room":"a","with":"b"}}"#)) == .badRequest)
    #expect(code(heard(#"{"ban":{"name":"a","network":"10.0.0.1"}}"#)) == .badRequest)
    #expect(code(heard(#"{"unban":{"room":"a"}}"#)) == .badRequest)
    #expect(request("join", #"{"room":"a","after":1,"last":null}"#) != nil)
    #expect(request("history", #"{"room":"a","after":null,"before":1}"#) != nil)
    #expect(request("login", #"{"name":"a","password":null}"#) != nil)
  }

  @Test("A line of 65,536 bytes is read, one more is refused once, and the next is read again")
  func longLines() {
    let line = { (count: Int) -> [UInt8] in
      let frame = #"{"id":7,"ping":{"x":""}}"#.utf8.count
      let text = String(repeating: "a", count: count - frame)
      return Array(#"{"id":7,"ping":{"x":"\#(text)"}}"#.utf8) + [0x0A]
    }
    let good = Heard.request(.ping(""), .number("7"))
    #expect(heard([line(65_536)]) == [good])
    let tooLong = Heard.answer(.refused(.tooLong(limit: 65_536)), nil)
    #expect(heard([line(65_537) + line(30)]) == [tooLong, good])
    #expect(heard([line(1_000_000), line(30)]) == [tooLong, good])
  }

  @Test("Ten lines that are no requests close the connection, each of them answered")
  func mistakes() {
    let mistakes = [
      "{", #"{"a":1,"a":2}"#, "{}", #"{"a":{},"b":{}}"#, #"{"id":true,"ping":{}}"#, "nonsense",
      String(repeating: "x", count: 70_000), "\u{1}", "[]", String(repeating: "[", count: 17),
    ]
    let more = #"{"ping":{}}"#
    let all = heard([Array((mistakes + [more, more]).joined(separator: "\n").utf8)])
    #expect(all.count == 11)
    #expect(all.dropLast().allSatisfy { code($0) == .badRequest || code($0) == .tooLong })
    #expect(all.last == .tooManyMistakes(limit: 10))
    #expect(
      heard([Array("{\n".utf8), Array(String(repeating: "{\n", count: 1_000).utf8)]).count == 11)
  }

  @Test("Behind the tenth nothing is kept either")
  func deaf() {
    var dialect = Dialect()
    Array(String(repeating: "{\n", count: 10).utf8).withUnsafeBytes {
      dialect.received($0, at: .zero)
    }
    for _ in 0..<10 { #expect(code(dialect.next()) == .badRequest) }
    for _ in 0..<3 {
      Array(#"{"ping":{}}"#.utf8).withUnsafeBytes { dialect.received($0, at: .zero) }
      #expect(dialect.bytesHeld == 0)
    }
    #expect(dialect.next() == .tooManyMistakes(limit: 10))
    #expect(dialect.next() == nil)
  }

  @Test("Requests that are refused are no mistakes")
  func noMistakes() {
    let lines = Array(repeating: [#"{"x":{}}"#, #"{"send":{}}"#, #"{"join":1}"#], count: 20)
    let all = heard([Array(lines.joined().joined(separator: "\n").utf8)])
    #expect(all.count == 60)
    #expect(all.allSatisfy { code($0) == .badRequest || code($0) == .unknownMethod })
  }

  @Test("Cut anywhere, the same is heard; the last line needs no end, and blank lines are none")
  func chops() {
    let text =
      #"{"id":1,"login":{"name":"ann"}}"# + "\r\n\r\n \t\n"
      + #"{"id":2,"send":{"room":"tea","text":"h\u00e9é","key":"k"}}"# + "\n{oops\n"
      + #"{"id":"3","quit":{}}"#
    let bytes = Array(text.utf8)
    let whole = heard([bytes])
    #expect(whole.count == 4)
    #expect(heard(bytes.map { [$0] }) == whole)
    for cut in 0...bytes.count {
      #expect(heard([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
    }
  }

  @Test(
    "What is said by the table of first bytes holds: its form is JSON, and nothing has a deadline")
  func form() {
    var dialect = Dialect()
    #expect(dialect.form == .raw)
    Array("{".utf8).withUnsafeBytes { dialect.received($0, at: .zero) }
    #expect(dialect.next() == nil)
    #expect(dialect.form == .json)
    #expect(dialect.deadline == nil)
    #expect(dialect.bytesHeld == 1)
  }
}
