/// Every method with every argument missing, null, of another type, too long, not Unicode, deeply
/// nested, and twice: a table made from the description for machines.

import ChatModel
import Dialects
import Testing

@Suite("Every argument of every method")
struct JSONFieldTests {
  struct Argument: Sendable, CustomTestStringConvertible {
    var method: String
    var name: String
    var field: ProtocolPage.Field
    var kind: ProtocolPage.Kind { ProtocolPage.page.kind(of: field) }
    var testDescription: String { "\(method) \(name)" }

    /// The method's line with this argument as given; without it where that is nil.
    func line(_ value: String?, more: String = "") -> String {
      guard let method = ProtocolPage.page.methods[method] else { return "" }
      var arguments = ProtocolPage.page.sample(of: method, with: name)
      arguments[name] = value
      let fields = arguments.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
      return #"{"id":7,"\#(self.method)":{\#(fields.joined(separator: ","))\#(more)}}"#
    }

    /// Whether the method cannot do without it.
    var isNeeded: Bool {
      field.isRequired
        || ProtocolPage.page.methods[method]?.exactlyOne?.contains(name) == true
    }

    func isAccepted(_ value: String?) -> Bool {
      if case .request(_, .number("7")) = heard(line(value)) { true } else { false }
    }
  }

  static let arguments: [Argument] = ProtocolPage.page.methods.sorted { $0.key < $1.key }.flatMap {
    method, page in
    page.arguments.sorted { $0.key < $1.key }.map { name, field in
      Argument(method: method, name: name, field: field)
    }
  }

  /// Those that may be given at all.
  static let usable = arguments.filter { $0.field.refused == nil }

  /// Those that this version refuses whatever they are.
  static let unusable = arguments.filter { $0.field.refused != nil }

  /// Refused as a request: the id is known, the line counts as none of the mistakes.
  private func expectRefused(
    _ argument: Argument, _ value: String?, _ wanted: JSONErrorCode = .badRequest
  ) {
    let heard = heard(argument.line(value))
    #expect(code(heard) == wanted, "\(value ?? "nothing")")
    #expect(answeredID(heard) == .number("7"), "\(value ?? "nothing")")
  }

  /// Refused as a line: it is no JSON, so there is no id.
  private func expectMistake(_ bytes: [UInt8]) {
    let all = heard([bytes + [0x0A]])
    #expect(all.count == 1)
    #expect(code(all.first) == .badRequest)
    #expect(answeredID(all.first) == nil)
  }

  @Test("There is something to try")
  func some() {
    #expect(Self.arguments.count > 60)
  }

  @Test("Given as it should be, it is taken", arguments: usable)
  func good(argument: Argument) {
    #expect(argument.isAccepted(ProtocolPage.page.sample(of: argument.field)))
  }

  @Test("Missing or null, it is asked for where it is needed, and only there", arguments: usable)
  func absent(argument: Argument) {
    for value in [nil, "null"] {
      if argument.isNeeded {
        expectRefused(argument, value)
      } else {
        #expect(argument.isAccepted(value))
      }
    }
  }

  @Test("What this version refuses is refused whatever it is", arguments: unusable)
  func refused(argument: Argument) throws {
    let wanted = try #require(argument.field.refused.flatMap(JSONErrorCode.init))
    for value in [#""x""#, #""""#, "1", "true", "[]", "{}"] {
      expectRefused(argument, value, wanted)
    }
  }

  @Test("Of another type, it is refused", arguments: usable)
  func wrongType(argument: Argument) {
    let strings = [#""3""#, #""aaa""#, #""""#]
    let numbers = ["3", "0", "-1", "1.5"]
    let fractions = ["3.0", "1e1", "3E0", "-0", "0.0", "9223372036854775808", "1e400"]
    let others = ["true", "false", "[]", "{}", #"["aaa"]"#, "[3]", #"{"aaa":3}"#]
    switch argument.kind.type {
    case "string": for value in numbers + fractions + others { expectRefused(argument, value) }
    case "time":
      for value in strings + numbers + fractions + others { expectRefused(argument, value) }
    case "boolean":
      for value in strings + numbers + fractions + others.dropFirst(2) {
        expectRefused(argument, value)
      }
    case "integer": for value in strings + fractions + others { expectRefused(argument, value) }
    case let other: Issue.record("no argument is a \(other)")
    }
  }

  @Test("At its limits it is taken, and refused beyond them", arguments: usable)
  func limits(argument: Argument) {
    let kind = argument.kind
    let wanted = argument.field.error.flatMap(JSONErrorCode.init) ?? .badRequest
    if let least = kind.min {
      #expect(argument.isAccepted("\(least)"))
      expectRefused(argument, "\(least - 1)")
    }
    if let most = kind.max {
      #expect(argument.isAccepted("\(most)"))
      expectRefused(argument, "\(UInt64(most) + 1)")
    }
    if let least = kind.bytesMin, least > 0 {
      #expect(argument.isAccepted("\"" + String(repeating: "a", count: least) + "\""))
      let short = "\"" + String(repeating: "a", count: least - 1) + "\""
      expectRefused(argument, short, wanted == .tooLong ? .badRequest : wanted)
    }
    if let most = kind.bytesMax {
      #expect(argument.isAccepted("\"" + String(repeating: "a", count: most) + "\""))
      expectRefused(argument, "\"" + String(repeating: "a", count: most + 1) + "\"", wanted)
      guard kind.pattern == nil else { return }
      // Counted in bytes, however they are written.
      let half = String(repeating: #"\u00e9"#, count: most / 2)
      #expect(argument.isAccepted("\"\(half)\""))
      expectRefused(argument, "\"\(half)\\u00e9\"", wanted)
    }
  }

  @Test("Not Unicode, it makes the line none", arguments: arguments)
  func notUnicode(argument: Argument) {
    let bytes = Array(argument.line(#""@""#).utf8)
    guard let place = bytes.firstIndex(of: UInt8(ascii: "@")) else { return }
    for wrong in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x0A], [0x00]] as [[UInt8]] {
      var line = bytes
      line.replaceSubrange(place...place, with: wrong)
      if wrong == [0x0A] {
        #expect(heard([line + [0x0A]]).map { code($0) } == [.badRequest, .badRequest])
      } else {
        expectMistake(line)
      }
    }
    for escape in [#"\ud83d"#, #"\ude00"#, #"\ud83d\u0041"#, #"\x"#, #"\u12"#] {
      expectMistake(Array(argument.line("\"\(escape)\"").utf8))
    }
  }

  @Test("Nested, it is of another type; too deeply, it makes the line none", arguments: arguments)
  func nested(argument: Argument) {
    let wanted = argument.field.refused.flatMap(JSONErrorCode.init) ?? .badRequest
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let value = { (depth: Int) in
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      // The line and the method are the first two.
      expectRefused(argument, value(14), wanted)
      expectMistake(Array(argument.line(value(15)).utf8))
      expectMistake(Array(argument.line(value(10_000)).utf8))
    }
  }

  @Test("Twice, it makes the line none, however it is spelled", arguments: arguments)
  func doubled(argument: Argument) throws {
    let value = ProtocolPage.page.sample(of: argument.field)
    let first = try #require(argument.name.unicodeScalars.first)
    let escaped = "\\u00" + String(first.value, radix: 16) + argument.name.dropFirst()
    for name in [argument.name, escaped] {
      expectMistake(Array(argument.line(value, more: #","\#(name)":\#(value)"#).utf8))
      expectMistake(Array(argument.line(value, more: #","\#(name)":null"#).utf8))
    }
  }

  @Test("Fields that no method has are ignored, whatever they hold", arguments: usable)
  func unknownFields(argument: Argument) {
    let value = ProtocolPage.page.sample(of: argument.field)
    let plain = heard(argument.line(value))
    for more in [#""x":1"#, #""bot":"bob""#, #""ROOM":null"#, #""Text":{"a":[{}]}"#, #""":"""#] {
      #expect(heard(argument.line(value, more: "," + more)) == plain)
    }
  }
}
