/// The two streams of a `SocketConnection` and the tasks that wait for them. Bytes stay in the
/// socket until a task asks for them, and in the task's call until the socket takes them.

internal import Dispatch

// @unchecked because every variable is used under `lock`, and the streams lock themselves.
final class ConnectionStreams: StreamDelegate, @unchecked Sendable {
  let input: InputStream
  let output: OutputStream
  private let queue = DispatchQueue(label: "SocketConnection")
  private let lock = NSLock()
  private let readTimeout: Duration?
  private let writeTimeout: Duration?

  /// The output stream has taken bytes once. (It also calls itself ready when it has failed, which
  /// only its events tell apart.)
  private var isOpen = false
  private var isClosed = false
  private var readers: [Reader] = []
  private var writers: [Writer] = []
  /// Bytes that an iterator took and did not hand out.
  private var leftover: [UInt8] = []
  private var timer: (any DispatchSourceTimer)?
  private var timerIsSetFor: ContinuousClock.Instant?

  private static let readBytesMax = 256 * 1024

  private struct Reader {
    let continuation: CheckedContinuation<[UInt8]?, any Error>
    let deadline: ContinuousClock.Instant?
  }

  private struct Writer {
    let bytes: [UInt8]
    var sent = 0
    let continuation: CheckedContinuation<Void, any Error>
    let operation: SocketConnectionError.Operation
    let limit: Duration?
    /// Set anew with each progress; nil until the writers before are done.
    var deadline: ContinuousClock.Instant?
  }

  init(
    _ input: InputStream, _ output: OutputStream,
    _ options: SocketConnection.Options
  ) {
    self.input = input
    self.output = output
    readTimeout = options.readTimeout
    writeTimeout = options.writeTimeout
  }

  deinit {
    timer?.cancel()
    input.close()
    output.close()
  }

  /// Returns when the output stream takes bytes.
  func open(within limit: Duration?) async throws {
    input.delegate = self
    output.delegate = self
    CFReadStreamSetDispatchQueue(input, queue)
    CFWriteStreamSetDispatchQueue(output, queue)
    input.open()
    output.open()
    do {
      try await send([], .connecting, limit)
    } catch {
      close()
      throw error
    }
  }

  /// At most `readBytesMax` of what has come; nil at the peer's end and after `close()`.
  func read() async throws -> [UInt8]? {
    try await closingOnCancellation {
      try await withCheckedThrowingContinuation { continuation in
        change {
          readers.append(
            Reader(continuation: continuation, deadline: readTimeout.map { .now + $0 }))
        }
      }
    }
  }

  /// Returns when all bytes are taken.
  func write(_ bytes: [UInt8]) async throws {
    if !bytes.isEmpty { try await send(bytes, .writing, writeTimeout) }
  }

  private func send(
    _ bytes: [UInt8], _ operation: SocketConnectionError.Operation, _ limit: Duration?
  ) async throws {
    try await closingOnCancellation {
      try await withCheckedThrowingContinuation { continuation in
        change {
          writers.append(
            Writer(
              bytes: bytes, continuation: continuation, operation: operation, limit: limit))
        }
      }
    }
  }

  /// What a reader did not hand out is the next reader's.
  func giveBack(_ bytes: ArraySlice<UInt8>) {
    change { leftover.insert(contentsOf: bytes, at: 0) }
  }

  func close() {
    change { isClosed = true }
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    change {
      if eventCode == .hasSpaceAvailable { isOpen = true }
    }
  }

  private func closingOnCancellation<Value>(_ body: () async throws -> Value) async throws -> Value
  {
    let result: Result<Value, any Error>
    do {
      result = .success(
        try await withTaskCancellationHandler(operation: body, onCancel: { close() }))
    } catch {
      result = .failure(error)
    }
    if Task.isCancelled {
      close()
      throw CancellationError()
    }
    return try result.get()
  }
}

// MARK: Serving

extension ConnectionStreams {
  /// Changes something, then serves whoever can be served. Tasks are resumed outside the lock.
  private func change(_ body: () -> Void) {
    var resumptions: [() -> Void] = []
    lock.withLock {
      body()
      if isClosed { shut() }
      serveWriters(&resumptions)
      serveReaders(&resumptions)
      setTimer()
    }
    for resume in resumptions { resume() }
  }

  private func shut() {
    input.close()
    output.close()
    timer?.cancel()
    timer = nil
  }

  private func serveReaders(_ resumptions: inout [() -> Void]) {
    while let reader = readers.first {
      guard let result = take() ?? expiry(of: reader.deadline, .reading, readTimeout) else {
        return
      }
      readers.removeFirst()
      resumptions.append { reader.continuation.resume(with: result) }
    }
  }

  /// The result of a read; nil: there is none yet.
  private func take() -> Result<[UInt8]?, any Error>? {
    if isClosed { return .success(nil) }
    if !leftover.isEmpty {
      defer { leftover.removeFirst(min(leftover.count, Self.readBytesMax)) }
      return .success(Array(leftover.prefix(Self.readBytesMax)))
    }
    switch input.streamStatus {
    case .atEnd: return .success(nil)
    case .error: return .failure(failure(of: input))
    case _: guard input.hasBytesAvailable else { return nil }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.readBytesMax) { room in
      let count = input.read(room.baseAddress!, maxLength: room.count)
      if count < 0 { return .failure(failure(of: input)) }
      return .success(count == 0 ? nil : Array(room[..<count]))
    }
  }

  private func serveWriters(_ resumptions: inout [() -> Void]) {
    while !writers.isEmpty {
      var result = advance(&writers[0])
      if result == nil {
        let writer = writers[0]
        result = expiry(of: writer.deadline, writer.operation, writer.limit)
        guard result != nil else { return }
        // A part of the bytes may be out, and nothing can follow a part.
        isClosed = true
        shut()
      }
      let writer = writers.removeFirst()
      if let result { resumptions.append { writer.continuation.resume(with: result) } }
    }
  }

  /// Writes what goes. The result of the write; nil: it is not done yet.
  private func advance(_ writer: inout Writer) -> Result<Void, any Error>? {
    if isClosed { return .failure(SocketConnectionError.closed) }
    if writer.deadline == nil { writer.deadline = writer.limit.map { .now + $0 } }
    while true {
      guard output.streamStatus != .error else { return .failure(failure(of: output)) }
      if writer.sent == writer.bytes.count { return isOpen ? .success(()) : nil }
      guard output.hasSpaceAvailable else { return nil }
      let count = writer.bytes[writer.sent...].withUnsafeBufferPointer {
        output.write($0.baseAddress!, maxLength: $0.count)
      }
      guard count > 0 else { return .failure(failure(of: output)) }
      writer.sent += count
      writer.deadline = writer.limit.map { .now + $0 }
    }
  }

  private func failure(of stream: Stream) -> any Error {
    stream.streamError ?? SocketConnectionError.closed
  }

  // MARK: Time

  private func expiry<Value>(
    of deadline: ContinuousClock.Instant?, _ operation: SocketConnectionError.Operation,
    _ limit: Duration?
  ) -> Result<Value, any Error>? {
    guard let deadline, let limit, .now >= deadline else { return nil }
    return .failure(SocketConnectionError.timedOut(operation, limit: limit))
  }

  /// Sets the one timer to the next deadline. A timer that is set for an earlier one, since passed
  /// or put off, stays: it fires, nobody's time is over, and it is set anew.
  private func setTimer() {
    let next = (readers.map(\.deadline) + [writers.first?.deadline]).compactMap { $0 }.min()
    guard let next, !isClosed else { return }
    if let timerIsSetFor, timerIsSetFor <= next { return }
    timerIsSetFor = next
    let timer = self.timer ?? makeTimer()
    timer.schedule(deadline: .now() + (next - .now) / .seconds(1))
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in
      self?.change { self?.timerIsSetFor = nil }
    }
    timer.activate()
    self.timer = timer
    return timer
  }
}
