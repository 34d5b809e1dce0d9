/// Reads `--flags` by the C library's getopt_long. Knows no subcommand.

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
    var argv: [UnsafeMutablePointer<CChar>?] = (["beck"] + arguments).map { strdup($0) } + [nil]
    let labels = names.map { strdup($0.name) }
    defer {
      for label in labels { free(label) }
    }
    let options =
      zip(names, labels).enumerated().map { index, pair in
        option(
          name: UnsafePointer(pair.1), has_arg: pair.0.takesValue ? required_argument : no_argument,
          flag: nil, val: Int32(256 + index))
      } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
    let pointers = argv  // getopt_long reorders argv
    defer {
      for pointer in pointers { free(pointer) }
    }

    var items: [Item] = []
    opterr = 0
    optind = 0
    while true {
      // The leading ':' tells a missing value from an unknown flag.
      let found = getopt_long(Int32(arguments.count + 1), &argv, ":", options, nil)
      if found == -1 { break }
      let word = argv[Int(optind) - 1].map { String(cString: $0) } ?? ""
      switch found {
      case Int32(UInt8(ascii: ":")): return items + [.wrong("\(word) needs a value")]
      case Int32(UInt8(ascii: "?")): return items + [.wrong(complaint(word))]
      default:
        items.append(.flag(names[Int(found) - 256].name, optarg.map { String(cString: $0) }))
      }
    }
    let rest = argv[Int(optind)..<(arguments.count + 1)]
    return items + rest.map { .other($0.map { String(cString: $0) } ?? "") }
  }

  private func complaint(_ word: String) -> String {
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    let isKnown = names.contains { $0.name == name }
    return isKnown ? "--\(name) takes no value" : "\(word) is not a flag of this command"
  }
}

/// One line for the person at the terminal, on standard error.
func complain(_ sentence: String) {
  let line = "beck: \(sentence)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
