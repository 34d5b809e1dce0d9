/// Reads a file that is named on the command line. Knows nothing of what is in it.

import Foundation

/// A file of a size that a person may have meant; pipes such as a shell's `<(…)` are files too.
enum SmallFile {
  /// Ten times the list of authorities of a whole system.
  static let bytesMax = 4 << 20

  struct Problem: Error {
    /// As part of a sentence: `no such file or directory`.
    let words: String
  }

  /// Without its end; bytes that are no UTF-8 are marked, and no password has those.
  static func firstLine(_ path: String) throws(Problem) -> String {
    let line = try contents(path).prefix { $0 != 0x0A }
    return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }

  static func contents(_ path: String) throws(Problem) -> Data {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Problem.system(errno) }
    defer { close(file) }
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count > 0 {
        contents += buffer[..<count]
        guard contents.count <= bytesMax else {
          throw Problem(words: "it has more than \(bytesMax >> 20) MiB")
        }
      } else if count == 0 {
        return contents
      } else if errno != EINTR {
        throw Problem.system(errno)
      }
    }
  }
}

extension SmallFile.Problem {
  fileprivate static func system(_ code: Int32) -> Self {
    let words = String(cString: strerror(code))
    return Self(words: words.prefix(1).lowercased() + words.dropFirst())
  }
}
