/// A pair of socket streams as one wire for bytes. Knows nothing of what the bytes say.

import SocketStreams

/// Connects, secures, sends what it is given in order, and hands on what comes. Used on one run
/// loop.
final class StreamWire {
  enum Event {
    /// The server was reached, and TLS is being agreed on.
    case reached
    /// Bytes may go and come, under this version of TLS where it is spoken.
    case opened(tlsVersion: String?)
    case received([UInt8])
    /// The last event. Bytes that came before the end were handed on.
    case ended(ConnectionEnd)
  }

  /// Told what happens; nothing after ``close()``.
  var onEvent: ((Event) -> Void)?

  private let address: ServerAddress
  private let security: ChatSecurity
  private var input: InputStream?
  private var output: OutputStream?
  private let ear = StreamEar()
  private var outgoing: [[UInt8]] = []
  private var outgoingSent = 0
  private var isOpen = false
  private var hasRead = false
  private var readBuffer = [UInt8](repeating: 0, count: 16_384)

  init(to address: ServerAddress, security: ChatSecurity) {
    self.address = address
    self.security = security
  }

  func open(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
    if let path = address.path {
      Stream.getStreams(toUnixSocketAt: path, inputStream: &input, outputStream: &output)
    } else {
      Stream.getStreamsToHost(
        withName: address.host, port: address.port, inputStream: &input, outputStream: &output)
    }
    guard let output, security.isTaken(by: output) else {
      // As every other end, this one is told by the run loop.
      let bound = LoopBound(self)
      let end: ConnectionEnd =
        ChatSecurity.isTLSAvailable
        ? .insecure("TLS could not be set up", .other)
        : .insecure("TLS is not part of this build", .unavailable)
      runLoop.perform(inModes: [mode]) { bound.object?.onEvent?(.ended(end)) }
      return
    }
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
    if event.contains(.openCompleted), stream === output { connected() }
    if !event.isDisjoint(with: [.hasBytesAvailable, .hasSpaceAvailable]) { lookForHandshake() }
    if event.contains(.hasBytesAvailable) { read() }
    if event.contains(.hasSpaceAvailable) { flush() }
    if event.contains(.errorOccurred) { fail(with: stream.streamError) }
    if event.contains(.endEncountered), stream === input { onEvent?(.ended(.byServer)) }
  }

  private func connected() {
    switch security {
    case .plainText: becomeOpen(tlsVersion: nil)
    case .tls: if !isOpen { onEvent?(.reached) }
    }
  }

  /// The first bytes or space of either stream tell that the handshake is done.
  private func lookForHandshake() {
    guard !isOpen, case .tls = security, let version = output?.tlsVersion else { return }
    becomeOpen(tlsVersion: version)
  }

  private func becomeOpen(tlsVersion: String?) {
    isOpen = true
    onEvent?(.opened(tlsVersion: tlsVersion))
  }

  /// One read an event: where bytes are left the stream sends another event.
  private func read() {
    guard let input else { return }
    let count = input.read(&readBuffer, maxLength: readBuffer.count)
    let isFirst = !hasRead
    hasRead = true
    if isFirst, security == .plainText, Self.isAlert(readBuffer.prefix(max(0, count))) {
      let words = "the server speaks TLS and was spoken to in plain text"
      onEvent?(.ended(.insecure(words, .plainText)))
    } else if count > 0 {
      onEvent?(.received(Array(readBuffer[..<count])))
    } else if count == 0 {
      onEvent?(.ended(.byServer))
    } else {
      fail(with: input.streamError)
    }
  }

  /// Does an alert begin here? RFC 8446 5.1: its type, then the major version. No chat begins so.
  private static func isAlert(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: [0x15, 0x03])
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
    onEvent?(.ended(error.map { ConnectionEnd($0) } ?? .failed("connection lost")))
  }
}

/// Listens to the streams in place of the wire, which keeps its face small.
private final class StreamEar: NSObject, StreamDelegate {
  var onEvent: ((Stream, Stream.Event) -> Void)?

  func stream(_ stream: Stream, handle event: Stream.Event) {
    onEvent?(stream, event)
  }
}
