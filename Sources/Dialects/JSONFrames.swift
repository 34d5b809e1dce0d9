/// JSON lines as text frames of a WebSocket: one object a frame, without its line feed.

internal import Wire

enum JSONFrames {
  /// Appends what `body` writes, each line of it as a frame.
  static func encode(into out: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    let start = out.count
    body(&out)
    guard out.count > start else { return }
    var head: [UInt8] = []
    // Nearly always there is one line: then only its head has to be put before it.
    if let feed = out[start...].firstIndex(of: lineFeed), feed == out.count - 1 {
      out.removeLast()
      WebSocketFrame.appendTextHead(count: out.count - start, to: &head)
      out.insert(contentsOf: head, at: start)
      return
    }
    let lines = Array(out[start...])
    out.removeSubrange(start...)
    for line in lines.split(separator: lineFeed) {
      WebSocketFrame.appendTextHead(count: line.count, to: &out)
      out += line
    }
  }

  private static let lineFeed: UInt8 = 0x0A
}
