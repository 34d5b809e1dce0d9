/// The description for machines against the code, in both directions.

import ChatModel
import Dialects
import Foundation
import Testing

@Suite("docs/wire/json-protocol.json says what the code does")
struct JSONProtocolTests {
  private let page = ProtocolPage.page

  /// An object's values, by another reader than ours.
  private func object(_ line: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }

  /// Every field is described, of the right kind, and none that is required is missing.
  private func check(
    _ object: [String: Any], _ fields: [String: ProtocolPage.Field], _ seen: inout Set<String>,
    _ place: String
  ) throws {
    for (key, value) in object {
      let field = try #require(fields[key], "\(place) has \(key)")
      seen.insert("\(place).\(key)")
      #expect(try isFit(value, field, &seen), "\(place).\(key) is \(value)")
    }
    for (key, field) in fields where field.isRequired {
      #expect(object[key] != nil, "\(place) has no \(key)")
    }
  }

  private func isFit(
    _ value: Any, _ field: ProtocolPage.Field, _ seen: inout Set<String>
  ) throws -> Bool {
    if let name = field.object {
      let fields = try #require(page.objects[name])
      try check(try #require(value as? [String: Any]), fields, &seen, name)
      return true
    }
    if let name = field.arrayOf {
      for element in try #require(value as? [Any]) {
        guard let fields = page.objects[name] else { return element is String }
        try check(try #require(element as? [String: Any]), fields, &seen, name)
      }
      return true
    }
    let kind = page.kind(of: field)
    switch kind.type {
    case "boolean": return value is Bool
    case "time":
      let time = try #require(value as? String)
      return time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
    case "integer":
      let number = try #require(value as? Int64)
      return number >= kind.min ?? .min && number <= kind.max ?? .max
    case "string":
      let text = try #require(value as? String)
      return text.utf8.count >= kind.bytesMin ?? 0 && text.utf8.count <= kind.bytesMax ?? .max
        && kind.values?.contains(text) ?? true
    case let other:
      Issue.record("a field is a \(other)")
      return false
    }
  }

  /// Every described field of these has come up.
  private func checkAllSeen(
    _ fields: [String: ProtocolPage.Field], _ seen: Set<String>, _ place: String
  ) {
    for key in fields.keys where fields[key]?.description != "not sent by this version" {
      #expect(seen.contains("\(place).\(key)"), "\(place).\(key) never comes up")
    }
  }

  @Test("The methods and their arguments are those of the code")
  func methods() {
    #expect(Set(page.methods.keys) == Set(JSONMethod.allCases.map(\.rawValue)))
    for method in JSONMethod.allCases {
      let described = page.methods[method.rawValue]?.arguments.keys.map { $0 } ?? []
      #expect(Set(described) == Set(method.arguments.map(\.rawValue)))
    }
    #expect(Set(JSONMethod.allCases.flatMap(\.arguments)) == Set(JSONArgument.allCases))
  }

  @Test("The limits are those that a login is told")
  func limits() {
    let told = Dictionary(uniqueKeysWithValues: JSONLimits.told.map { ($0.name, $0.most) })
    #expect(page.limits == told)
    #expect(page.types["text"]?.bytesMax == MessageText.bytesMax)
    #expect(page.types["name"]?.bytesMax == UserName.bytesMax)
    #expect(page.types["room"]?.bytesMax == RoomName.bytesMax)
    #expect(page.types["key"]?.bytesMax == MessageKey.bytesMax)
    #expect(page.types["token"]?.bytesMax == JSONLimits.tokenBytesMax)
    #expect(page.types["shortText"]?.bytesMax == ShortText.bytesMax)
    #expect(page.types["query"]?.bytesMax == Search.wordsBytesMax)
    #expect(page.types["searchCursor"]?.bytesMax == JSONLimits.cursorBytesMax)
    #expect(page.types["searchPage"]?.max == Int64(Search.messagesMax))
    #expect(page.types["uses"]?.max == Int64(JSONLimits.usesMax))
    #expect(page.types["seconds"]?.max == Int64(JSONLimits.secondsMax))
    #expect(page.types["page"]?.max == Int64(HistoryPage.messagesMax))
  }

  @Test("Each answer has the fields that are described, and each described field comes up")
  func answers() throws {
    var seen: Set<String> = []
    #expect(Set(EverythingTold.answers.keys) == Set(JSONMethod.allCases))
    for (method, answers) in EverythingTold.answers {
      let fields = try #require(page.methods[method.rawValue]?.ok)
      for answer in answers {
        let lines = encoded(answer, to: .number("7"), .json)
        #expect(lines.count == 1)
        let object = try object(try #require(lines.first))
        #expect(Set(object.keys) == ["id", "ok"])
        try check(
          try #require(object["ok"] as? [String: Any]), fields, &seen, "\(method.rawValue) ok")
      }
      checkAllSeen(fields, seen, "\(method.rawValue) ok")
    }
    for (name, fields) in page.objects where name != "message" {
      checkAllSeen(fields, seen, name)
    }
  }

  @Test("Each event has the fields that are described, and each described field comes up")
  func events() throws {
    var seen: Set<String> = []
    var kinds: Set<String> = []
    for event in EverythingTold.events {
      let lines = encoded(event, .json, isOwn: true)
      #expect(lines.count == 1)
      let object = try object(try #require(lines.first))
      #expect(object.count == 1)
      let kind = try #require(object.keys.first)
      kinds.insert(kind)
      let described = try #require(page.events[kind], "no event \(kind)")
      let fields = try #require(described.fields ?? described.object.flatMap { page.objects[$0] })
      try check(try #require(object[kind] as? [String: Any]), fields, &seen, kind)
    }
    #expect(kinds == Set(page.events.keys))
    for (kind, event) in page.events {
      checkAllSeen(event.fields ?? page.objects[event.object ?? ""] ?? [:], seen, kind)
    }
  }

  @Test("Each refusal is an error with a described code and one sentence, and each code comes up")
  func refusals() throws {
    var seen: Set<String> = []
    var codes: Set<String> = []
    for refusal in EverythingTold.refusals {
      let lines = encoded(Answer.refused(refusal), .json)
      #expect(lines.count == 1)
      let object = try object(try #require(lines.first))
      #expect(Set(object.keys) == ["error"])
      let error = try #require(object["error"] as? [String: Any])
      try check(error, page.error, &seen, "error")
      codes.insert(try #require(error["code"] as? String))
      #expect((error["retryAfterMs"] != nil) == (JSONErrorCode(refusal) == .rateLimited))
      #expect((error["methods"] != nil) == (JSONErrorCode(refusal) == .unknownMethod))
    }
    #expect(codes == Set(page.errors.keys))
    #expect(codes == Set(JSONErrorCode.allCases.map(\.rawValue)))
    checkAllSeen(page.error, seen, "error")
  }

  @Test("The reasons to close are those described")
  func reasons() throws {
    let reasons = try EverythingTold.closings.map { reason in
      let object = try object(try #require(encoded(Event.closing(reason), .json).first))
      return try #require((object["closing"] as? [String: Any])?["reason"] as? String)
    }
    #expect(reasons == page.types["closingReason"]?.values)
  }

  @Test("docs/wire/json.md names every method, argument, event, error and limit")
  func prose() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/wire/json.md"), encoding: .utf8)
    let words =
      page.methods.keys.map { $0 } + page.methods.values.flatMap { $0.arguments.keys }
      + page.methods.values.flatMap { $0.ok.keys } + page.events.keys + page.errors.keys
      + page.limits.keys + (page.types["closingReason"]?.values ?? [])
    for word in Set(words) { #expect(text.contains("`\(word)`"), "\(word) is not there") }
  }
}
