/// The description of JSON lines for machines, as the tests read it.

import Foundation

/// docs/wire/json-protocol.json
struct ProtocolPage: Decodable, Sendable {
  struct Kind: Decodable, Sendable {
    var type: String
    var bytesMin: Int?
    var bytesMax: Int?
    var min: Int64?
    var max: Int64?
    var pattern: String?
    var values: [String]?
    /// One that a value may be, where any string will not do.
    var sample: String?
  }

  struct Field: Decodable, Sendable {
    var of: String?
    var object: String?
    var arrayOf: String?
    var required: Bool?
    /// The code that a value is refused with which is of the right type and too short or too long.
    var error: String?
    /// The code that any value is refused with.
    var refused: String?
    var description: String?

    var isRequired: Bool { required == true }
  }

  struct Method: Decodable, Sendable {
    var arguments: [String: Field]
    var exactlyOne: [String]?
    var atMostOne: [String]?
    var ok: [String: Field]
  }

  struct Event: Decodable, Sendable {
    var fields: [String: Field]?
    var object: String?
  }

  var limits: [String: Int]
  var types: [String: Kind]
  var objects: [String: [String: Field]]
  var methods: [String: Method]
  var error: [String: Field]
  var errors: [String: String]
  var events: [String: Event]

  static let page: ProtocolPage = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "docs/wire/json-protocol.json")
    do {
      return try JSONDecoder().decode(ProtocolPage.self, from: Data(contentsOf: file))
    } catch {
      preconditionFailure("the description cannot be read: \(error)")
    }
  }()

  func kind(of field: Field) -> Kind {
    guard let name = field.of, let kind = types[name] else {
      preconditionFailure("an argument has a type that the page does not have")
    }
    return kind
  }

  /// A value that the argument may have, in JSON.
  func sample(of field: Field) -> String {
    let kind = kind(of: field)
    switch kind.type {
    case "string":
      let made = String(repeating: "a", count: Swift.max(kind.bytesMin ?? 0, 3))
      return "\"\(kind.sample ?? kind.values?.first ?? made)\""
    case "boolean": return "true"
    case "time": return #""2026-11-30T02:10:00.123Z""#
    case "integer": return "\(Swift.max(kind.min ?? 0, 3))"
    case let other: preconditionFailure("no argument is a \(other)")
    }
  }

  /// Arguments that a method takes: those it needs, and of each choice the first.
  func sample(of method: Method, with argument: String? = nil) -> [String: String] {
    var arguments = method.arguments.filter { $0.value.isRequired }
    let choice = method.exactlyOne ?? []
    let chosen = argument.flatMap { choice.contains($0) ? $0 : nil } ?? choice.first
    for name in [argument, chosen].compactMap({ $0 }) { arguments[name] = method.arguments[name] }
    return arguments.mapValues { sample(of: $0) }
  }
}
