/// A client whose events come on a serial dispatch queue, as the guide shows it. No run loop runs.

import SocketStreams

// @unchecked because everything but the end is used on `queue` only.
final class QueueClient: NSObject, StreamDelegate, @unchecked Sendable {
  private let queue = DispatchQueue(label: "connection")
  private let input: InputStream
  private let output: OutputStream
  private var received = ""
  private let whenEnded: @Sendable (String) -> Void

  init(host: String, port: Int, whenEnded: @escaping @Sendable (String) -> Void) {
    var input: InputStream!
    var output: OutputStream!
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &input, outputStream: &output)
    self.input = input
    self.output = output
    self.whenEnded = whenEnded
    super.init()
    input.delegate = self
    output.delegate = self
    CFReadStreamSetDispatchQueue(input, queue)
    CFWriteStreamSetDispatchQueue(output, queue)
    input.open()
    output.open()
  }

  func close() {
    queue.async {
      self.input.close()
      self.output.close()
    }
  }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    dispatchPrecondition(condition: .onQueue(queue))
    switch event {
    case .hasBytesAvailable:
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = input.read(&buffer, maxLength: buffer.count)
      if count > 0 { received += String(decoding: buffer[..<count], as: UTF8.self) }
    case .endEncountered, .errorOccurred:
      whenEnded(received)
      input.close()
      output.close()
    default:
      break
    }
  }
}
