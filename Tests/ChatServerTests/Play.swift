/// Reads a play: who does what, and what each then sees. Knows no server.

import Foundation

/// How a person of a play speaks.
enum Speech: Sendable {
  /// Plain, in the form that the play is given in.
  case plain
  /// Plain in lines, as netcat does, whatever the form.
  case lines
  /// Plain without an end of line, as the tutorials' clients do, whatever the form.
  case unterminated
  /// JSON lines.
  case json
}

/// A text file of actions, each followed by everything that anybody sees because of it.
///
/// `<code>` in a line that somebody sees stands for anything, and for the same from there on, also
/// in what is sent.
///
/// `ann enters in json` speaks JSON lines from then on, `ann enters in lines` as netcat does,
/// `ann enters unterminated` as the tutorials' clients do; `ann enters` as the play is given.
struct Play: Sendable, CustomStringConvertible {
  enum Action: Sendable {
    case connect(Speech)
    case enter(Speech)
    /// In the person's own spelling.
    case say(String)
    /// As it stands.
    case send(String)
    case leave
  }

  struct Step: Sendable {
    var line: Int
    var person: String
    var action: Action
    /// By person: the lines, in order. `...` at an end stands for anything.
    var sees: [String: [String]] = [:]
  }

  let name: String
  private(set) var isForLinesOnly = false
  private(set) var steps: [Step] = []

  var description: String { name }

  static let all: [Play] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Plays")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".play") }.sorted().compactMap { file in
      (try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
        .map { Play(name: String(file.dropLast(5)), text: $0) }
    }
  }()

  init(name: String, text: String) {
    self.name = name
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("#") {
        if line == "# only: line" { isForLinesOnly = true }
      } else if line.hasPrefix("  ") {
        let parts = Self.cut(line.drop { $0 == " " }, at: " sees: ")
        steps[steps.count - 1].sees[parts.0, default: []].append(Self.unescaped(parts.1))
      } else if !line.isEmpty {
        steps.append(Self.step(line, number: index + 1))
      }
    }
  }

  private static func step(_ line: Substring, number: Int) -> Step {
    let (person, words) = cut(line, at: " ")
    let action: Action =
      switch words {
      case "connects": .connect(.plain)
      case "enters": .enter(.plain)
      case "leaves": .leave
      case "connects in json": .connect(.json)
      case "enters in json": .enter(.json)
      case "enters in lines": .enter(.lines)
      case "enters unterminated": .enter(.unterminated)
      case let words where words.hasPrefix("sends:"):
        .send(unescaped(String(words.dropFirst(6).drop { $0 == " " })))
      case let words where words.hasPrefix("says "):
        .say(unescaped(String(words.dropFirst(5))))
      case let words: preconditionFailure("a play has no '\(words)', in line \(number)")
      }
    return Step(line: number, person: person, action: action)
  }

  private static func cut(_ text: Substring, at mark: String) -> (String, String) {
    guard let range = text.range(of: mark) else { return (String(text), "") }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  /// `\u{1B}` is a character by its number.
  private static func unescaped(_ text: String) -> String {
    text.replacing(/\\u\{([0-9A-Fa-f]+)\}/) { match in
      UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
    }
  }

  /// Whether a line is as a play says it; what its words in angles stood for is added to `known`.
  static func matches(_ line: String, _ pattern: String, _ known: inout [String: String]) -> Bool {
    let pattern = filled(pattern, known)
    guard let unknown = pattern.firstMatch(of: /<[a-z]+>/) else { return matches(line, pattern) }
    let (before, after) = (pattern[..<unknown.startIndex], pattern[unknown.endIndex...])
    guard line.hasPrefix(before) else { return false }
    let value = line.dropFirst(before.count).prefix { $0 != after.first }
    known[String(unknown.0)] = String(value)
    return matches(line, pattern, &known)
  }

  /// A text with what is known put in the place of its words in angles.
  static func filled(_ text: String, _ known: [String: String]) -> String {
    known.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
  }

  private static func matches(_ line: String, _ pattern: String) -> Bool {
    guard pattern.contains("...") else { return line == pattern }
    var rest = line[...]
    let pieces = pattern.components(separatedBy: "...")
    for (index, piece) in pieces.enumerated().dropLast() where !piece.isEmpty {
      guard let range = rest.range(of: piece) else { return false }
      if index == 0, range.lowerBound != line.startIndex { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(pieces.last ?? "")
  }
}
