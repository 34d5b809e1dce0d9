/// What is looked for eight bytes at a time is found at every place, beside every neighbour.

import Testing
import Wire

@Suite("Bytes looked through eight at a time")
struct ByteRunTests {
  /// Each byte at each place of two words, among letters and beside what borrows from it.
  private func everywhere(_ check: ([UInt8], _ byte: UInt8, _ place: Int) -> Void) {
    for neighbour in [0x61, 0x20, 0x21, 0x7E] as [UInt8] {
      for place in 0..<17 {
        for byte in UInt8(0)...0x7F {
          var text = [UInt8](repeating: neighbour, count: 17)
          text[place] = byte
          check(text, byte, place)
        }
      }
    }
  }

  @Test("A hazard of ASCII is never passed over, and nothing else is taken for one")
  func hazards() {
    everywhere { text, byte, place in
      let isHarmless = byte >= 0x20 && byte < 0x7F
      guard Hazard.isAbsent(in: text.span) != isHarmless else { return }
      Issue.record("\(byte) at \(place)")
    }
  }

  @Test("Nor is the end of a string, an escape or a control")
  func strings() {
    everywhere { text, byte, place in
      let document = try? JSONDocument(([0x22] + text + [0x22])[...])
      let isLetter = byte >= 0x20 && byte != 0x22 && byte != 0x5C
      guard (document != nil) != isLetter else { return }
      Issue.record("\(byte) at \(place)")
    }
  }

  @Test("A string is written so that it can be read, whatever is in it and wherever")
  func written() {
    everywhere { text, byte, place in
      let string = String(decoding: text, as: UTF8.self)
      var quoted: [UInt8] = []
      quoted.append(quoted: string)
      let document = try? JSONDocument(quoted[...])
      let back = document.flatMap { $0.string($0.root) }
      if back == string, !quoted.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return }
      Issue.record("\(byte) at \(place)")
    }
  }

  @Test("A line ends at its first LF")
  func lineFeeds() {
    for filler in [0x61, 0x0B, 0x09, 0x8A, 0x00, 0xFF] as [UInt8] {
      for first in 0..<20 {
        for second in first + 1..<21 {
          var text = [UInt8](repeating: filler, count: 21)
          text[first] = 0x0A
          text[second] = 0x0A
          var reader = JSONLineReader(bytesMax: 100)
          text.withUnsafeBytes { reader.received($0) }
          reader.ended()
          var lines: [Int] = []
          while case .line(let line) = reader.next() { lines.append(line.count) }
          let isBlank = filler == 0x09
          let whole = [first, second - first - 1, 20 - second].filter { $0 > 0 }
          #expect(lines == (isBlank ? [] : whole))
        }
      }
    }
  }
}
