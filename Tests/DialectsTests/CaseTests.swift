/// The byte-level cases, by hand clock: what another person sees of each. Opens no socket.

import Foundation
import Testing

struct ByteCase: Decodable, CustomTestStringConvertible {
  struct Chunk: Decodable {
    var after_ms: Int
    var hex: String

    var bytes: [UInt8] {
      var digits = hex.utf8.map { UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0) }[...]
      var bytes: [UInt8] = []
      while let high = digits.popFirst(), let low = digits.popFirst() {
        bytes.append(high << 4 | low)
      }
      return bytes
    }
  }

  var name: String
  var chunks: [Chunk]
  var expect_lines: [String]
  var why: String

  var testDescription: String { name }

  static func load(_ file: String) -> [ByteCase] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    do {
      let data = try Data(contentsOf: folder.appending(path: file))
      return try JSONDecoder().decode([ByteCase].self, from: data)
    } catch {
      preconditionFailure("\(file) is not readable: \(error)")
    }
  }

  /// What the watcher is shown, without leaves, which the cases pass over.
  var lines: [String] {
    var talk = PlainTalk()
    for chunk in chunks { talk.read(chunk.bytes, after: .milliseconds(chunk.after_ms)) }
    talk.pass(.milliseconds(2_200))
    return talk.seen.filter { !$0.hasSuffix(" has left") }
  }
}

@Suite("Byte-level cases")
struct CaseTests {
  @Test(
    "What the tutorials' clients send is understood", arguments: ByteCase.load("legacy-cases.json"))
  func legacy(_ sample: ByteCase) {
    #expect(sample.lines == sample.expect_lines, "\(sample.why)")
  }

  @Test("So is what the rules make of rarer clients", arguments: ByteCase.load("more-cases.json"))
  func more(_ sample: ByteCase) {
    #expect(sample.lines == sample.expect_lines, "\(sample.why)")
  }
}
