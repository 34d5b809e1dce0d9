/// A client on the main actor in language mode 6, as the guide shows it.

import SocketStreams

@MainActor
final class MainClient: NSObject, @MainActor StreamDelegate {
  private var input: InputStream!
  private var output: OutputStream!
  private(set) var received = ""
  private(set) var hasEnded = false

  func connect(to host: String, port: Int) {
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &input, outputStream: &output)
    for stream in [input as Stream, output as Stream] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .common)
      stream.open()
    }
  }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    switch event {
    case .hasBytesAvailable:
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = input.read(&buffer, maxLength: buffer.count)
      if count > 0 { received += String(decoding: buffer[..<count], as: UTF8.self) }
    case .endEncountered, .errorOccurred:
      input.close()
      output.close()
      hasEnded = true
    default:
      break
    }
  }
}
