/// The head of an answer over HTTP, as a device reads it.

struct WebHead {
  private(set) var status: Int?
  /// The empty line was there; what comes is the body.
  private(set) var isWhole = false

  mutating func take(_ line: String) throws(Violation) {
    guard line.utf8.last == 0x0D else { throw Violation(.spelled, "a head has \(line)") }
    if status == nil {
      guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
        throw Violation(.spelled, "an answer begins with \(line)")
      }
      self.status = status
    } else if line.utf8.count == 1 {
      isWhole = true
    }
  }
}
