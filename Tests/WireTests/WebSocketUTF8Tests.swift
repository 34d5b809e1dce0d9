/// RFC 6455 8.1: a text is UTF-8, over all its fragments, and is refused at the first byte that
/// shows otherwise.

import Testing
import Wire

/// Can these bytes still become UTF-8? Asks the standard library about each way to go on.
private func mayBecomeUTF8(_ bytes: [UInt8]) -> Bool {
  let ways: [[UInt8]] =
    [[]]
    + [0x80, 0x90, 0xA0].flatMap { [[$0], [$0, 0x80], [$0, 0x80, 0x80]] as [[UInt8]] }
  return ways.contains { String(validating: bytes + $0, as: UTF8.self) != nil }
}

@Suite("Texts of a WebSocket are UTF-8")
struct WebSocketUTF8Tests {
  private static let sample = "aß水𝒳 and ascii of more than eight, é"

  @Test("A text is taken whatever its characters, in two and three fragments cut anywhere")
  func fragments() {
    let bytes = Array(Self.sample.utf8)
    let heard = [WebSocketHeard.text(bytes)]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let frames =
          clientFrame(1, Array(bytes[..<first]), isLast: false)
          + clientFrame(0, Array(bytes[first..<second]), isLast: false)
          + clientFrame(0, Array(bytes[second...]))
        if webSocketHeard([frames]) == heard { continue }
        Issue.record("cut at \(first) and \(second)")
      }
    }
  }

  @Test("Pings between the bytes of a character do not part it")
  func pings() {
    for character in ["ß", "水", "𝒳"] {
      let bytes = Array(character.utf8)
      var frames = clientFrame(1, [], isLast: false)
      for byte in bytes { frames += clientFrame(0, [byte], isLast: false) + clientFrame(9, [byte]) }
      frames += clientFrame(0)
      #expect(webSocketInEveryChop(frames) == bytes.map { .ping([$0]) } + [.text(bytes)])
    }
  }

  @Test("The first and last character of each length are taken, and their neighbours are not")
  func borders() {
    let taken: [[UInt8]] = [
      [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
      [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
      [0xF4, 0x8F, 0xBF, 0xBF],
    ]
    for bytes in taken { #expect(webSocketInEveryChop(clientFrame(1, bytes)) == [.text(bytes)]) }
    let refused: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC2], [0xE6, 0xB0],
      [0xF0, 0x9D, 0x92], [0xED, 0xA0, 0xB5, 0xED, 0xB2, 0xB3],
    ]
    for bytes in refused {
      #expect(webSocketInEveryChop(clientFrame(1, bytes)) == [.failed(.textNotUTF8)])
      let among = Array("letters before it ".utf8) + bytes + Array(" and behind it".utf8)
      #expect(webSocketInEveryChop(clientFrame(1, among)) == [.failed(.textNotUTF8)])
    }
  }

  @Test(
    "A wrong byte at any place of a character fails, wherever the fragments are cut",
    arguments: ["ß", "水", "𝒳"])
  func wrongByte(character: String) {
    let bytes = Array(character.utf8)
    for place in bytes.indices {
      for wrong in [0x41, 0x7F, 0xC0, 0xC3, 0xE6, 0xF0, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = wrong
        guard String(validating: changed, as: UTF8.self) == nil else { continue }
        let text = Array("before".utf8) + changed + Array("behind".utf8)
        for cut in 0...text.count {
          let frames =
            clientFrame(1, Array(text[..<cut]), isLast: false)
            + clientFrame(0, Array(text[cut...]))
          if webSocketHeard([frames]) == [.failed(.textNotUTF8)] { continue }
          Issue.record("\(wrong) at \(place), cut at \(cut)")
        }
      }
    }
  }

  @Test("A text that ends inside a character fails at the end of its last fragment, no sooner")
  func cutShort() {
    for character in ["ß", "水", "𝒳"] {
      let bytes = Array(character.utf8)
      for count in 1..<bytes.count {
        let begun = Array(bytes[..<count])
        #expect(webSocketInEveryChop(clientFrame(1, begun)) == [.failed(.textNotUTF8)])
        let open = clientFrame(1, begun, isLast: false)
        #expect(webSocketInEveryChop(open) == [])
        #expect(webSocketInEveryChop(open + clientFrame(0)) == [.failed(.textNotUTF8)])
        #expect(
          webSocketInEveryChop(open + clientFrame(0, Array(bytes[count...]))) == [.text(bytes)])
      }
    }
  }

  @Test("The walk begins anew with each message")
  func anew() {
    let frames = textFrame("水") + textFrame("a") + clientFrame(1, [0xB0])
    #expect(webSocketInEveryChop(frames) == [text("水"), text("a"), .failed(.textNotUTF8)])
  }

  /// Every begin of four bytes that can go on, and all that may come next.
  @Test("A text fails at the first byte behind which nothing can mend it, not sooner or later")
  func earliest() {
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0, 0xFF,
    ]
    var begins: [[UInt8]] = [[]]
    var tried = 0
    for length in 1...4 {
      var longer: [[UInt8]] = []
      for begin in begins {
        let next = length == 1 ? Array(UInt8(0x7E)...0xFF) : edges
        for byte in next {
          let bytes = begin + [byte]
          let isHope = mayBecomeUTF8(bytes)
          tried += 1
          if failsAtLast(bytes) == isHope { Issue.record("\(bytes) can go on: \(isHope)") }
          // What is whole is begun anew; no need to go on behind it.
          if isHope, String(validating: bytes, as: UTF8.self) == nil { longer.append(bytes) }
        }
      }
      begins = longer
    }
    #expect(begins.isEmpty)
    #expect(tried > 1_000)
  }

  /// Inside a fragment that says it is longer: does the last of these bytes fail the text?
  private func failsAtLast(_ bytes: [UInt8]) -> Bool {
    var reader = WebSocketReader(messageBytesMax: 100)
    let frame = clientFrame(1, bytes, claims: 50)
    frame.dropLast().withUnsafeBytes { reader.received($0) }
    if let heard = reader.next() { Issue.record("\(bytes): \(heard) too soon") }
    frame.suffix(1).withUnsafeBytes { reader.received($0) }
    let atLast = reader.next()
    // And the same where all came at once, and with letters in front.
    let ahead = clientFrame(1, Array("eight letters".utf8) + bytes, claims: 50)
    let atOnce = webSocketHeard([ahead])
    if atOnce != [atLast].compactMap({ $0 }) { Issue.record("\(bytes) at once: \(atOnce)") }
    return atLast == .failed(.textNotUTF8)
  }
}
