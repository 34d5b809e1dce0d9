/// The page's files inside the program are those of the repository, and their modules become one.

import ChatServer
import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The files of a folder by the path that a browser asks for.
private func files(in folder: String) -> [String: String] {
  let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
  var files: [String: String] = [:]
  for case let name as String in names ?? .init() {
    let url = root.appendingPathComponent(folder).appendingPathComponent(name)
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
    files[name == "index.html" ? "/" : "/\(name)"] = text
  }
  return files
}

@Suite struct WebPagesTests {
  @Test func theProgramHasTheFilesOfTheRepository() {
    var inside = WebPages.sources
    let page = files(in: "Web")
    #expect(page.count > 20)
    #expect(inside.removeValue(forKey: "/protocol.json")?.hasPrefix("{") == true)
    // scripts/web-files writes the list of them.
    #expect(inside.keys.sorted() == page.keys.sorted())
    for (path, text) in page { #expect(inside[path] == text, "\(path) is an older one") }
  }

  @Test func theModulesOfThePageBecomeOne() {
    let modules = WebPages.sources.filter { $0.key.hasSuffix(".js") && $0.key != "/theme.js" }
    let bundle = WebBundle(WebPages.sources, entry: WebPages.entry)
    #expect(bundle.clashes.isEmpty, "each name at the top level is one module's own")
    #expect(bundle.missing.isEmpty)
    #expect(bundle.modules.sorted() == modules.keys.sorted())
    let lines = bundle.text.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
  }

  @Test func aBundleIsInTheOrderOfItsImports() {
    let bundle = WebBundle(
      [
        "/app.js": "// Begins.\nimport { b } from \"./ui/b.js\";\nb(a);\n",
        "/ui/b.js": """
        import {
          a,
        } from '../a.js';
        export { a } from "../a.js";
        /** Twice. */
        export function b(it) {
          // It is a number.
          return 2 * it;
        }

        """,
        "/a.js": "export const a = 1;\n",
      ], entry: "/app.js")
    #expect(bundle.text == "const a = 1;\nfunction b(it) {\nreturn 2 * it;\n}\nb(a);\n")
    #expect(bundle.modules == ["/a.js", "/ui/b.js", "/app.js"])
  }

  @Test func aNameThatTwoModulesHaveIsTold() {
    let bundle = WebBundle(
      [
        "/app.js": "import { b } from \"./b.js\";\nimport { c } from \"./c.js\";\nlet x = 1;\n",
        "/b.js": "async function x() {}\n",
      ], entry: "/app.js")
    #expect(bundle.clashes == ["x"])
    #expect(bundle.missing == ["/c.js"])
  }
}
