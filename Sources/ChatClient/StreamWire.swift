/// A pair of socket streams as one wire for bytes. Knows nothing of what the bytes say.

import SocketStreams

/// Connects, sends what it is given in order, and hands on what comes. Used on one run loop.
final class StreamWire {
  enum Event {
    case opened
    case received([UInt8])
    /// The last event. Bytes that came before the end were handed on.
    case ended(ConnectionEnd)
  }

  /// Told what happens; nothing after ``close()``.
  var onEvent: ((Event) -> Void)?

  private let address: ServerAddress
  private var input: InputStream?
  private var output: OutputStream?
  private let ear = StreamEar()
  private var outgoing: [[UInt8]] = []
  private var outgoingSent = 0
  private var isOpen = false
  private var readBuffer = [UInt8](repeating: 0, count: 16_384)

  init(to address: ServerAddress) {
    self.address = address
  }

  func open(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
    Stream.getStreamsToHost(
      withName: address.host, port: address.port, inputStream: &input, outputStream: &output)
    ear.onEvent = { [weak self] stream, event in self?.heard(event, from: stream) }
    for stream in [input, output] as [Stream?] {
      stream?.delegate = ear
      stream?.schedule(in: runLoop, forMode: mode)
      stream?.open()
    }
  }

  /// Sends bytes after what is still to be sent, in a write of their own.
  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    outgoing.append(bytes)
    flush()
  }

  func close() {
    onEvent = nil
    ear.onEvent = nil
    outgoing = []
    input?.close()
    output?.close()
    input = nil
    output = nil
  }

  private func heard(_ event: Stream.Event, from stream: Stream) {
    if event.contains(.openCompleted), stream === output {
      isOpen = true
      onEvent?(.opened)
    }
    if event.contains(.hasBytesAvailable) { read() }
    if event.contains(.hasSpaceAvailable) { flush() }
    if event.contains(.errorOccurred) { fail(with: stream.streamError) }
    if event.contains(.endEncountered), stream === input { onEvent?(.ended(.byServer)) }
  }

  /// One read an event: where bytes are left the stream sends another event.
  private func read() {
    guard let input else { return }
    let count = input.read(&readBuffer, maxLength: readBuffer.count)
    if count > 0 {
      onEvent?(.received(Array(readBuffer[..<count])))
    } else if count == 0 {
      onEvent?(.ended(.byServer))
    } else {
      fail(with: input.streamError)
    }
  }

  /// What the socket does not take waits for the event that says it has space again.
  private func flush() {
    guard isOpen else { return }
    while let bytes = outgoing.first, let output, output.hasSpaceAvailable {
      let rest = bytes.count - outgoingSent
      let count = bytes.withUnsafeBufferPointer { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        return output.write(base + outgoingSent, maxLength: rest)
      }
      // A failed write is told by the error event too, after what can still be read.
      guard count > 0 else { return }
      outgoingSent += count
      guard outgoingSent == bytes.count else { continue }
      outgoing.removeFirst()
      outgoingSent = 0
    }
  }

  private func fail(with error: (any Error)?) {
    onEvent?(.ended(.failed(error.map(words(for:)) ?? "connection lost")))
  }
}

/// Listens to the streams in place of the wire, which keeps its face small.
private final class StreamEar: NSObject, StreamDelegate {
  var onEvent: ((Stream, Stream.Event) -> Void)?

  func stream(_ stream: Stream, handle event: Stream.Event) {
    onEvent?(stream, event)
  }
}
