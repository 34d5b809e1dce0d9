/// What is JSON and what is not, byte by byte, and what stands in it.

import Testing
import Wire

private func read(_ text: String) throws(JSONProblem) -> JSONDocument {
  try JSONDocument(Array(text.utf8)[...])
}

private func problem(_ bytes: some Collection<UInt8>) -> JSONProblem? {
  do {
    _ = try JSONDocument(Array(bytes)[...])
    return nil
  } catch { return error }
}

@Suite("One JSON text")
struct JSONDocumentTests {
  @Test(
    "What RFC 8259 allows is read",
    arguments: [
      "{}", "[]", "null", "true", "false", "0", "-0", "1", "-1", "1.5", "0.5", "1e3", "1E+3",
      "1e-3", "0e0", "10", "-1.50e+10", #""""#, #""a""#, " \t\r\n{} \t\r\n", "[1,2]", "[ 1 , 2 ]",
      #"{"a":1}"#, #"{ "a" : 1 , "b" : [ { } , [ ] ] }"#, #"{"":0}"#, #""\"\\\/\b\f\n\r\t\u0041""#,
      #""\uD83D\uDE00""#, "\"\u{7F}\"", "\"\u{2028}\u{FFFF}\u{10FFFF}\"",
      "9999999999999999999999999999999999999999", "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
    ])
  func good(text: String) {
    #expect(problem(text.utf8) == nil)
  }

  @Test(
    "What it does not allow is refused where it goes wrong",
    arguments: [
      ("", 0), (" ", 1), ("{", 1), ("}", 0), ("[", 1), ("]", 0), ("{}}", 2), ("{} {}", 3),
      ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7),
      (#"{a:1}"#, 1), (#"{'a':1}"#, 1), (#"{"a":1 "b":2}"#, 7), (#"{1:2}"#, 1), ("nul", 3),
      ("nulL", 3), ("True", 0), ("tru", 3), ("falsey", 5), ("NaN", 0), ("Infinity", 0),
      ("-Infinity", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e3", 2), ("1e", 2), ("1e+", 3),
      ("01", 1), ("-01", 2), ("-", 1), ("--1", 1), ("0x10", 1), ("1_000", 1), (#"""#, 1),
      (#""a"#, 2), (#""\"#, 2), (#""\a""#, 2), (#""\'""#, 2), (#""\x41""#, 2), (#""\u""#, 2),
      (#""\u12""#, 2), (#""\u123""#, 2), (#""\u12G4""#, 2), (#""\U0041""#, 2), ("\"a\nb\"", 2),
      ("\"\u{0}\"", 1), ("\"\t\"", 1), ("\"\u{1F}\"", 1), ("\u{FEFF}{}", 0), ("\u{A0}{}", 0),
      ("// c\n{}", 0), ("{}/**/", 2), ("\u{0}", 0), ("{}\u{0}", 2), ("[1}", 2), (#"{"a":1]"#, 6),
      ("\u{B}{}", 0), (#"{"a"::1}"#, 5), (#"{,}"#, 1),
    ])
  func bad(text: String, place: Int) {
    #expect(problem(text.utf8) == .syntax(at: place))
  }

  @Test(
    "Bytes that are no UTF-8 are refused",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    #expect(problem([0x22, 0x61] + bytes + [0x22]) == .notUTF8(at: 2))
    #expect(problem([0x22, 0x61] + bytes) == .notUTF8(at: 2))
    #expect(problem(bytes) == .syntax(at: 0))
  }

  @Test("Every scalar is read as itself, as it is and escaped")
  func everyScalar() throws {
    for scalar in (0x20...0x10FFFF).lazy.compactMap(Unicode.Scalar.init)
    where scalar != "\"" && scalar != "\\" && (scalar.value < 0x900 || scalar.value % 257 == 0) {
      let units = String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
      let document = try read("[\"\(scalar)\",\"\(units.joined())\"]")
      let strings = document.elements(of: document.root).map { document.string($0) }
      guard strings != [String(scalar), String(scalar)] else { continue }
      Issue.record("U+\(scalar.value) is read otherwise")
    }
  }

  @Test(
    "Half of a surrogate pair is refused",
    arguments: [
      (#""\uD800""#, 1), (#""\uDC00""#, 1), (#""a\uD83D""#, 2), (#""\uD83Dx""#, 1),
      (#""\uD83D\n""#, 1), (#""\uD83D\u0041""#, 1), (#""\uDE00\uD83D""#, 1),
      (#""\uD83D\uD83D\uDE00""#, 1), (#""\uD83D\uDE00\uDE00""#, 13), (#""\uD83D\uDE0""#, 1),
    ])
  func loneSurrogate(text: String, place: Int) {
    #expect(problem(text.utf8) == .loneSurrogate(at: place))
  }

  @Test("16 objects and arrays may be inside one another, 17 not")
  func depth() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let nested = { (depth: Int) in
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      #expect(problem(nested(16).utf8) == nil)
      #expect(problem(nested(17).utf8) == .tooDeep(limit: 16))
      #expect(problem(nested(30_000).utf8) == .tooDeep(limit: 16))
    }
    #expect(problem(Array(("[" + String(repeating: "[],", count: 1_000) + "[]]").utf8)) == nil)
  }

  @Test(
    "A key twice in one object is refused, whatever its spelling and wherever it is",
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#,
      #"{"x":{"a":1,"a":2}}"#, #"[{"a":{},"b":[{"c":1,"c":2}]}]"#,
      #"{"k":{"a":1},"k":{"a":1}}"#, #"{"\ud83d\ude00":1,"😀":2}"#,
    ])
  func doubled(text: String) {
    guard case .doubledKey = problem(text.utf8) else {
      Issue.record("\(text) was read")
      return
    }
  }

  @Test("Also in an object of many keys, at each place, and without taking long")
  func doubledAmongMany() {
    let keys = (0..<9_000).map { #""k\#($0)":0"# }
    #expect(problem(("{" + keys.joined(separator: ",") + "}").utf8) == nil)
    for place in [0, 1, 7, 8, 9, 4_500, 8_999] {
      let twice = keys + [#""\u006b\#(place)":0"#]
      #expect(problem(("{" + twice.joined(separator: ",") + "}").utf8) == .doubledKey("k\(place)"))
    }
  }

  @Test("The same key in two objects is none, and keys that only look alike are two")
  func notDoubled() {
    #expect(problem(#"[{"a":1},{"a":1}]"#.utf8) == nil)
    #expect(problem(#"{"a":{"a":{"a":1}}}"#.utf8) == nil)
    #expect(problem("{\"\u{E9}\":1,\"e\u{301}\":2,\"E\u{301}\":3}".utf8) == nil)
    let many = (0..<20).map { #""k\#($0)":0"# } + ["\"\u{E9}\":1", "\"e\u{301}\":2"]
    #expect(problem(("{" + many.joined(separator: ",") + "}").utf8) == nil)
  }

  @Test(
    "An integer is digits alone, and fits",
    arguments: [
      ("0", 0), ("1", 1), ("-1", -1), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("18446744073709551616", nil), ("99999999999999999999999", nil), ("-0", nil), ("1.0", nil),
      ("1e3", nil), ("1E0", nil), ("0.0", nil), ("1.5", nil),
    ] as [(String, Int64?)])
  func integers(text: String, value: Int64?) throws {
    let document = try read(text)
    #expect(document.integer(document.root) == value)
    #expect(document.number(document.root) == text)
    #expect(document.string(document.root) == nil)
  }

  @Test("Members and elements are found, and only where they are")
  func access() throws {
    let document = try read(#"{"a":[1,{"x":2},"s"],"b":{"a":true},"\u0063":null,"d":false}"#)
    let root = document.root
    #expect(document.kind(of: root) == .object)
    #expect(document.members(of: root).map { document.string($0.key) } == ["a", "b", "c", "d"])
    let array = try #require(document.member("a", of: root))
    let elements = document.elements(of: array)
    #expect(elements.map { document.kind(of: $0) } == [.number, .object, .string])
    #expect(document.member("x", of: elements[1]).map { document.integer($0) } == 2)
    let b = try #require(document.member("b", of: root))
    #expect(document.member("a", of: b).map { document.kind(of: $0) } == .yes)
    #expect(document.member("c", of: root).map { document.kind(of: $0) } == .null)
    #expect(document.member("d", of: root).map { document.kind(of: $0) } == .no)
    #expect(document.member("x", of: root) == nil)
    #expect(document.member("a", of: array) == nil)
    #expect(document.elements(of: root).isEmpty)
    #expect(document.integer(array) == nil)
    #expect(document.number(array) == nil)
  }

  @Test("Every beginning of a text is refused, and every byte that is changed breaks no rule")
  func everyPrefix() throws {
    let text = Array(#"{"id":-1.5e3,"send":{"r":["a\n\ud83d\ude00é",true,null]}}"#.utf8)
    for end in text.indices { #expect(problem(text[..<end]) != nil, "cut at \(end)") }
    for index in text.indices {
      for byte in [0x00, 0x22, 0x5C, 0x7B, 0x80, 0xC2, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        guard let document = try? JSONDocument(changed[...]) else { continue }
        #expect(document.kind(of: document.root) == .object)
      }
    }
  }
}
