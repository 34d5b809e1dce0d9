/// The page's modules as one: what a browser would fetch in fifty requests comes in one, without
/// comments. Knows only as much of JavaScript as the page's own style needs.

/// One module made of many, in the order in which a browser would run them.
///
/// All of them share one scope, so no two may have a name of their own at their top level. An
/// import begins its line and names what it takes in braces, as it is called there; an export
/// begins its line, too. A test looks that the page keeps to this.
package struct WebBundle {
  package private(set) var text = ""
  /// The modules in it, in their order.
  package private(set) var modules: [String] = []
  /// Names that more than one module has at its top level.
  package private(set) var clashes: [String] = []
  /// Modules that were asked for and are not there.
  package private(set) var missing: [String] = []

  private var names: Set<Substring> = []
  private var taken: Set<String> = []

  /// `files` by path; `entry` is the module that the page names.
  package init(_ files: [String: String], entry: String) { add(entry, files) }

  private mutating func add(_ path: String, _ files: [String: String]) {
    guard taken.insert(path).inserted else { return }
    guard let source = files[path] else { return missing.append(path) }
    var body = ""
    var statement: String?
    for line in withoutComments(source) {
      let isTaking = line.hasPrefix("import ") || line.hasPrefix("export {")
      if let begun = statement ?? (isTaking ? "" : nil) {
        statement = begun + line
        guard let name = Self.module(of: begun + line) else { continue }
        add(Self.resolve(name, from: path), files)
        statement = nil
        continue
      }
      let line = line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
      if let name = Self.declared(line), !names.insert(name).inserted {
        clashes.append(String(name))
      }
      body += line.drop { $0 == " " } + "\n"
    }
    text += body
    modules.append(path)
  }

  /// The lines that are no comment and not blank.
  private func withoutComments(_ source: String) -> [Substring] {
    var isInside = false
    return source.split(separator: "\n").filter { line in
      let line = line.drop { $0 == " " }
      if isInside {
        if line.contains("*/") { isInside = false }
        return false
      }
      if line.hasPrefix("/*") {
        isInside = !line.contains("*/")
        return false
      }
      return !line.isEmpty && !line.hasPrefix("//")
    }
  }

  /// What a whole import names; nil for one that goes on in the next line.
  private static func module(of statement: String) -> String? {
    let parts = statement.split { $0 == "\"" || $0 == "'" }
    guard parts.count >= 2, statement.contains("\"") || statement.contains("'") else { return nil }
    return String(parts[1])
  }

  private static func resolve(_ name: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in name.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": parts = parts.dropLast()
      case _: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// What the line declares at the top level: one that is further in is indented.
  private static func declared(_ line: Substring) -> Substring? {
    guard !line.hasPrefix(" ") else { return nil }
    var words = line.split(separator: " ")[...]
    if words.first == "async" { words = words.dropFirst() }
    guard let keyword = words.first, ["function", "class", "const", "let"].contains(keyword),
      let name = words.dropFirst().first
    else { return nil }
    let end = name.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
    return name[..<(end ?? name.endIndex)]
  }
}
