/// A client for Apple's systems as it is: nothing here knows of Linux.

import Foundation

public final class LineClient: NSObject, StreamDelegate {
  private var input: InputStream?
  private var output: OutputStream?
  public private(set) var lines: [String] = []
  private var partial = Data()

  public func connect(port: Int) {
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: &input, outputStream: &output)
    for stream in [input, output] as [Stream?] {
      stream?.delegate = self
      stream?.schedule(in: .current, forMode: .common)
      stream?.open()
    }
  }

  public func send(line: String) {
    let bytes = [UInt8]((line + "\r\n").utf8)
    output?.write(bytes, maxLength: bytes.count)
  }

  public func disconnect() {
    for stream in [input, output] as [Stream?] {
      stream?.close()
      stream?.remove(from: .current, forMode: .common)
    }
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard eventCode == .hasBytesAvailable, let input = aStream as? InputStream else { return }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = input.read(&buffer, maxLength: buffer.count)
    guard count > 0 else { return }
    partial.append(buffer, count: count)
    while let end = partial.range(of: Data("\r\n".utf8)) {
      lines.append(String(decoding: partial[..<end.lowerBound], as: UTF8.self))
      partial.removeSubrange(..<end.upperBound)
    }
  }
}
