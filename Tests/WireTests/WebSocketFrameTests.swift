/// The frames that a server sends: their bytes, their size, and that a reader takes them.

import Testing
import Wire

@Suite("Frames of a WebSocket's server")
struct WebSocketFrameTests {
  static let heads: [(count: Int, head: [UInt8])] = [
    (0, [0x81, 0]), (1, [0x81, 1]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
    (127, [0x81, 126, 0, 127]), (256, [0x81, 126, 1, 0]), (65_535, [0x81, 126, 0xFF, 0xFF]),
    (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    (0x0123_4567_89AB, [0x81, 127, 0, 0, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB]),
  ]

  @Test("The head of a text has the shortest length and no mask", arguments: heads)
  func textHead(count: Int, head: [UInt8]) {
    var out: [UInt8] = [7]
    WebSocketFrame.appendTextHead(count: count, to: &out)
    #expect(out == [7] + head)
    #expect(head.withUnsafeBytes { WebSocketFrame.size(of: $0) } == head.count + count)
  }

  @Test("A frame's size is read from what begins with it, at most ten bytes of it")
  func size() {
    for count in [0, 1, 5, 8, 9, 125, 126, 200, 65_535, 65_536] {
      var frame: [UInt8] = []
      WebSocketFrame.appendTextHead(count: count, to: &frame)
      frame += [UInt8](repeating: 0xFF, count: count)
      let whole = frame.count
      #expect(frame.withUnsafeBytes { WebSocketFrame.size(of: $0) } == whole)
      #expect(frame.prefix(10).withUnsafeBytes { WebSocketFrame.size(of: $0) } == whole)
      frame += [0x81, 0x05]
      #expect(frame.withUnsafeBytes { WebSocketFrame.size(of: $0) } == whole)
    }
    for frame in [WebSocketFrame.ping([1, 2]), WebSocketFrame.close(1000, "bye")] {
      #expect(frame.withUnsafeBytes { WebSocketFrame.size(of: $0) } == frame.count)
    }
    let masked = clientFrame(1, Array(letters(300).utf8))
    #expect(masked.withUnsafeBytes { WebSocketFrame.size(of: $0) } == masked.count)
  }

  @Test("Control frames are one frame of at most 125 bytes")
  func control() {
    #expect(WebSocketFrame.ping([]) == [0x89, 0])
    #expect(WebSocketFrame.ping([1, 0xFF]) == [0x89, 2, 1, 0xFF])
    #expect(WebSocketFrame.pong([1]) == [0x8A, 1, 1])
    let most = [UInt8](repeating: 3, count: 125)
    #expect(WebSocketFrame.pong(most) == [0x8A, 125] + most)
    #expect(WebSocketFrame.close(1000, "") == [0x88, 2, 0x03, 0xE8])
    #expect(WebSocketFrame.close(4000, "né") == [0x88, 5, 0x0F, 0xA0, 0x6E, 0xC3, 0xA9])
  }

  @Test("A close's reason is cut at a character to what fits")
  func reason() {
    for letter in ["a", "ß", "水", "𝒳"] {
      for ahead in 0...4 {
        let reason = letters(ahead) + String(repeating: letter, count: 130)
        let close = WebSocketFrame.close(1000, reason)
        let sent = String(validating: close[4...], as: UTF8.self)
        let size = letter.utf8.count
        #expect(close.count == 4 + ahead + (123 - ahead) / size * size)
        #expect(sent.map { reason.hasPrefix($0) } == true)
        #expect(Int(close[1]) == close.count - 2)
      }
    }
    #expect(WebSocketFrame.close(1000, letters(123)).count == 127)
  }

  /// A reader wants a mask; one of zeros changes no byte.
  private func masked(_ frame: [UInt8]) -> [UInt8] {
    let head = frame[1] < 126 ? 2 : frame[1] == 126 ? 4 : 10
    var masked = frame
    masked[1] |= 0x80
    masked.insert(contentsOf: [0, 0, 0, 0], at: head)
    return masked
  }

  @Test("What is written is read as it was, but for the mask")
  func roundTrip() {
    for count in [0, 125, 126, 65_535, 65_536] {
      var frame: [UInt8] = []
      WebSocketFrame.appendTextHead(count: count, to: &frame)
      frame += Array(letters(count).utf8)
      #expect(webSocketHeard([masked(frame)]) == [text(letters(count))])
      #expect(webSocketHeard([frame]) == [.failed(.unmasked)])
    }
    #expect(webSocketHeard([masked(WebSocketFrame.ping([1]))]) == [.ping([1])])
    #expect(webSocketHeard([masked(WebSocketFrame.pong([1]))]) == [.pong([1])])
    #expect(
      webSocketHeard([masked(WebSocketFrame.close(1001, "水"))])
        == [.close(code: 1001, reason: "水")])
  }
}
