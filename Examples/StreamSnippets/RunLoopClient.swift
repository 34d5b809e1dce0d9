/// A client on the current thread's run loop, as the guide shows it: connects, reads, writes, ends.

import SocketStreams

final class RunLoopClient: NSObject, StreamDelegate {
  private var input: InputStream!
  private var output: OutputStream!
  private var unsent = Data()
  private var hasRoom = false
  private(set) var received = Data()
  private(set) var hasEnded = false
  private(set) var error: (any Error)?

  func connect(to host: String, port: Int) {
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &input, outputStream: &output)
    for stream in [input as Stream, output as Stream] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .common)
      stream.open()
    }
  }

  func send(_ bytes: some Sequence<UInt8>) {
    unsent.append(contentsOf: bytes)
    writeSome()
  }

  func close() {
    input.close()
    output.close()
  }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    switch event {
    case .hasBytesAvailable:
      readSome()
    case .hasSpaceAvailable:
      hasRoom = true
      writeSome()
    case .endEncountered:
      hasEnded = true
      close()
    case .errorOccurred:
      error = stream.streamError
      close()
    default:
      break
    }
  }

  private func readSome() {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = input.read(&buffer, maxLength: buffer.count)
    if count > 0 { received.append(contentsOf: buffer[..<count]) }
  }

  private func writeSome() {
    guard hasRoom, !unsent.isEmpty else { return }
    hasRoom = false
    let count = unsent.withUnsafeBytes {
      output.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: $0.count)
    }
    if count > 0 { unsent.removeFirst(count) }
  }
}
