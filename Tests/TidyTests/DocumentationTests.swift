/// What is written about the code stays true to it: public names are explained, and the guides'
/// code is code that is compiled.

import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private func lines(_ path: String) -> [Substring] {
  let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
}

private func files(_ ending: String, in folder: String) -> [String] {
  let names = try? FileManager.default.contentsOfDirectory(
    atPath: root.appendingPathComponent(folder).path)
  return (names ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
}

private let pages =
  files(".md", in: "docs/guides")
  + files(".md", in: "Sources/SocketStreams/SocketStreams.docc")
private let snippets =
  files(".swift", in: "Examples/StreamSnippets") + files(".swift", in: "Examples/ChatSnippets")

@Suite struct DocumentationTests {
  @Test func thereIsSomethingToLookAt() {
    #expect(!pages.isEmpty)
    #expect(snippets.count > 4)
  }

  @Test(arguments: files(".swift", in: "Sources/SocketStreams"))
  func everyPublicNameIsExplained(path: String) {
    let lines = lines(path)
    for (index, line) in lines.enumerated() where isPublicName(line) {
      // Attributes and plain comments may stand in between.
      let above = lines[..<index].map { $0.drop { $0 == " " } }.last {
        !$0.hasPrefix("@") && (!$0.hasPrefix("//") || $0.hasPrefix("///"))
      }
      if above?.hasPrefix("///") != true {
        Issue.record("\(path):\(index + 1) is public and has no word of explanation")
      }
    }
  }

  @Test(arguments: pages)
  func theCodeOfThePagesIsCompiled(path: String) {
    let compiled = snippets.map { lines($0) }
    for (start, block) in blocks(lines(path)) {
      let wanted = withoutIndent(block)
      let isThere = compiled.contains { file in
        guard file.count >= block.count else { return false }
        return (0...(file.count - block.count)).contains {
          withoutIndent(Array(file[$0..<($0 + block.count)])) == wanted
        }
      }
      if !isThere { Issue.record("\(path):\(start) is in no folder of snippets in Examples") }
    }
  }

  private func isPublicName(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard let start = words.firstIndex(of: "public") else { return false }
    return words[..<start].allSatisfy { $0.hasPrefix("@") } && words.dropFirst(start + 1) != ["{"]
      && !words.contains("import") && !words.contains("extension")
  }

  /// The code between fences marked as Swift, with the number of its first line.
  private func blocks(_ lines: [Substring]) -> [(start: Int, lines: [Substring])] {
    var found: [(Int, [Substring])] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      if line == "```swift" {
        start = index + 1
      } else if line == "```", let begun = start {
        found.append((begun + 1, Array(lines[begun..<index])))
        start = nil
      }
    }
    return found
  }

  private func withoutIndent(_ lines: [Substring]) -> [Substring] {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { $0.dropFirst(indents.min() ?? 0) }
  }
}
