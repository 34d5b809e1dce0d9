/// Reads `--flags` by the C library's getopt_long. Knows no subcommand.

import CGetopt
import Glibc

/// The flags a subcommand has, by name; true for those that take a value.
struct Flags {
  enum Item: Equatable {
    case flag(String, String?)
    /// A word that is no flag.
    case other(String)
    /// What is wrong, as a clause: `--name needs a value`.
    case wrong(String)
  }

  private let names: [(name: String, takesValue: Bool)]

  init(_ flags: [String: Bool]) {
    names = flags.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  /// The arguments as items, in getopt_long's order: flags first. Not for two threads at once.
  func parse(_ arguments: [String]) -> [Item] {
    var words = Words(["beck"] + arguments)
    let labels = Words(names.map(\.name))
    defer {
      words.free()
      labels.free()
    }
    var options = [option](repeating: option(), count: names.count + 1)
    for (index, flag) in names.enumerated() {
      options[index].name = UnsafePointer(labels.pointers[index])
      options[index].has_arg = flag.takesValue ? required_argument : no_argument
      options[index].val = Int32(256 + index)
    }

    var items: [Item] = []
    var isFirst = true
    while true {
      let result = cgetopt_next(isFirst ? 1 : 0, words.count, &words.pointers, options)
      isFirst = false
      let word = words[result.next - 1]
      switch result.found {
      case -1: return items + words.rest(from: Int(result.next)).map { .other($0) }
      case Int32(UInt8(ascii: ":")): return items + [.wrong("\(word) needs a value")]
      case Int32(UInt8(ascii: "?")):
        guard (1...0xFF).contains(result.wrong) else { return items + [.wrong(complaint(word))] }
        // Of letters behind one '-' the word is passed over only with the last one.
        let isASCII = result.wrong < 0x80
        let letter = isASCII ? "-\(UnicodeScalar(UInt8(result.wrong)))" : words[result.next]
        return items + [.wrong("\(letter) is not a flag of this command")]
      default:
        let name = names[Int(result.found) - 256].name
        items.append(.flag(name, result.value.map { String(cString: $0) }))
      }
    }
  }

  private func complaint(_ word: String) -> String {
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    let isKnown = names.contains { $0.name == name }
    return isKnown ? "--\(name) takes no value" : "\(word) is not a flag of this command"
  }
}

/// Strings in the shape that C's argv has.
private struct Words {
  var pointers: [UnsafeMutablePointer<CChar>?]
  /// getopt_long reorders the pointers; these are freed.
  private let owned: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) {
    owned = strings.map { strdup($0) }
    pointers = owned + [nil]
  }

  var count: Int32 { Int32(owned.count) }

  subscript(index: Int32) -> String { pointers[Int(index)].map { String(cString: $0) } ?? "" }

  func rest(from index: Int) -> [String] {
    pointers[index..<owned.count].compactMap { $0.map { String(cString: $0) } }
  }

  func free() {
    for pointer in owned { Glibc.free(pointer) }
  }
}
