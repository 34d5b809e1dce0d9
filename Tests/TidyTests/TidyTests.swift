/// The style as a test: sizes, bans and dead links over the files of the project.

import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Paths below the project's root, of files with one of these endings.
private func files(_ endings: String..., below folders: [String]) -> [String] {
  folders.flatMap { folder -> [String] in
    let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (walk?.compactMap { $0 as? String } ?? [])
      .filter { path in endings.contains { path.hasSuffix($0) } }
      .filter { !$0.contains(".build") }
      .map { "\(folder)/\($0)" }
  }.sorted()
}

private func lines(_ path: String) -> [Substring] {
  let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
}

private let swiftFiles = files(
  ".swift", below: ["Sources", "Tests", "Examples", "Benchmarks", "Fuzz"])
private let sources = files(".swift", below: ["Sources"])
private let tests = files(".swift", below: ["Tests"])
private let pages =
  files(".md", below: ["docs"]) + ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"]

@Suite struct TidyTests {
  @Test func thereIsSomethingToLookAt() {
    #expect(sources.count > 30)
    #expect(tests.count > 10)
    #expect(pages.count > 5)
  }

  @Test(arguments: swiftFiles)
  func aFileHasAtMost400LinesOf100Columns(path: String) {
    let lines = lines(path)
    #expect(lines.count <= 401)
    for (index, line) in lines.enumerated() where line.count > 100 {
      Issue.record("\(path):\(index + 1) has \(line.count) columns")
    }
  }

  @Test(arguments: swiftFiles.filter { !$0.hasPrefix("Tests/Foreign/") })
  func aFileBeginsWithWhatItDoes(path: String) {
    #expect(lines(path).first?.hasPrefix("/// ") == true)
  }

  @Test(arguments: swiftFiles)
  func aFunctionHasAtMost70Lines(path: String) {
    for (start, length) in functions(lines(path)) where length > 70 {
      Issue.record("\(path):\(start) begins a function of \(length) lines")
    }
  }

  @Test(arguments: tests)
  func noTestSleeps(path: String) {
    // Spelled apart, so that this file does not find itself.
    let bans = [
      "Task" + ".sleep", "u" + "sleep(", "nano" + "sleep(", "Thread" + ".sleep", " sleep" + "(",
    ]
    for (index, line) in lines(path).enumerated() {
      for ban in bans where line.contains(ban) {
        Issue.record("\(path):\(index + 1) sleeps; wait for what is to happen instead")
      }
    }
  }

  @Test(arguments: sources)
  func whatTheCompilerCannotCheckHasItsBecause(path: String) {
    let risky = ["@unchecked Sendable", "nonisolated(unsafe)", " as! ", "unsafeBitCast("]
    let lines = lines(path)
    for (index, line) in lines.enumerated() where risky.contains(where: { line.contains($0) }) {
      if line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
      let around = lines[max(0, index - 6)...min(lines.count - 1, index + 3)]
      if !around.contains(where: { $0.contains("because") }) {
        Issue.record("\(path):\(index + 1) has no because beside it")
      }
    }
  }

  @Test(arguments: swiftFiles)
  func whatIsBannedIsAbsent(path: String) {
    let bans = ["try" + "!", "TO" + "DO", "FIX" + "ME", "XX" + "X"]
    for (index, line) in lines(path).enumerated() {
      for ban in bans where line.contains(ban) {
        Issue.record("\(path):\(index + 1) has \(ban)")
      }
    }
  }

  @Test(arguments: files(".swift", below: ["Sources/Wire", "Sources/ChatHub"]))
  func machinesSpellEveryCase(path: String) {
    for (index, line) in lines(path).enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("default" + ":") {
        Issue.record("\(path):\(index + 1) hides cases")
      }
    }
  }

  @Test(arguments: pages)
  func everyRelativeLinkLeadsSomewhere(path: String) throws {
    let folder = root.appendingPathComponent(path).deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    // Swift has brackets before parentheses too, in the pages' code.
    let prose = text.replacing(/(?s)```.*?```/, with: "")
    for match in prose.matches(of: /\]\(([^)#\s]+)[^)]*\)/) {
      let target = String(match.1)
      if target.contains("://") || target.hasPrefix("mailto:") { continue }
      let isThere = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent(target).path)
      #expect(isThere, "\(path) links to \(target)")
    }
  }

  @Test func theLowRoomsKnowNothingOfTheHighOnes() {
    let allowed: [String: Set<String>] = [
      "Wire": [], "ChatModel": ["CUTF8Proc"], "ChatHub": ["ChatModel"],
      "Dialects": ["Wire", "ChatModel", "FoundationEssentials"],
      "Loop": ["CUV", "Glibc", "Synchronization"],
    ]
    for (room, known) in allowed {
      for path in files(".swift", below: ["Sources/\(room)"]) {
        for line in lines(path) where line.contains("import ") {
          guard let match = line.wholeMatch(of: /(?:\w+ )?import (\w+)/) else { continue }
          #expect(known.contains(String(match.1)), "\(path) imports \(match.1)")
        }
      }
    }
  }

  /// Where functions begin, and how many lines they have: by indentation, which the formatter
  /// keeps.
  private func functions(_ lines: [Substring]) -> [(start: Int, length: Int)] {
    var found: [(Int, Int)] = []
    for (index, line) in lines.enumerated() {
      // Most lines are none; a regular expression takes long to say so.
      guard line.contains("func ") || line.contains("init"), !line.hasSuffix("}"),
        line.contains(/^ *(?:@\w+ |\w+ )*(?:func |init[?(]|deinit )/)
      else { continue }
      let indent = line.prefix { $0 == " " }
      let end = lines[index...].firstIndex { $0 == "\(indent)}" } ?? index
      found.append((index + 1, end - index + 1))
    }
    return found
  }
}
