/// Run loops for the tests, each on a thread of its own, and a delegate that writes down what it
/// hears. Waits run the loop under a time limit; nothing sleeps.

import Foundation
import SocketStreams

/// How long anything may take before it counts as hanging, in seconds: long, because the other
/// tests load the machine meanwhile.
let longWait = 20.0

/// Runs `body` on a fresh thread, whose current run loop it may use.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}

/// Runs the current loop until `condition` holds; false when the limit passed first.
@discardableResult
func run(
  _ seconds: Double = longWait, mode: RunLoop.Mode = .default,
  until condition: () -> Bool = { false }
) -> Bool {
  let limit = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    if Date() >= limit { return false }
    let slice = min(limit, Date(timeIntervalSinceNow: 0.02))
    // A loop without sources returns at once; a short poll keeps such a wait from spinning.
    if !RunLoop.current.run(mode: mode, before: slice) { poll(nil, 0, 1) }
  }
  return true
}

/// Keeps `mode` of the current loop from being empty, until it is removed: a stream that is never
/// opened. (A Foundation timer would leak with its thread.)
func keepAlive(_ mode: RunLoop.Mode = .default) -> InputStream {
  let stream = makeSocketStreams(host: "", port: 0, route: .thread, output: false).input!
  stream.schedule(in: .current, forMode: mode)
  return stream
}

/// Waits for `condition` without running a loop.
@discardableResult
func wait(_ seconds: Double = longWait, until condition: () -> Bool) -> Bool {
  let limit = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    if Date() >= limit { return false }
    poll(nil, 0, 1)
  }
  return true
}

/// Notes every event as "in open", "out space" and so on, in order.
final class Recorder: StreamDelegate {
  var events: [String] = []
  var threads: Set<UInt> = []
  /// Called after the event was noted.
  var handler: ((Stream, Stream.Event) -> Void)?

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    let side = aStream is InputStream ? "in" : "out"
    let name =
      switch eventCode {
      case .openCompleted: "open"
      case .hasBytesAvailable: "bytes"
      case .hasSpaceAvailable: "space"
      case .errorOccurred: "error"
      case .endEncountered: "end"
      default: "unknown \(eventCode.rawValue)"
      }
    events.append("\(side) \(name)")
    threads.insert(UInt(pthread_self()))
    handler?(aStream, eventCode)
  }

  func count(_ event: String) -> Int { events.filter { $0 == event }.count }
  func has(_ event: String) -> Bool { events.contains(event) }
}

/// A pair of streams with a recorder, not yet opened.
struct Streams: @unchecked Sendable {
  // @unchecked because some tests hand streams to other threads, as clients do; the recorder is
  // looked at on the loop's thread only.
  let input: InputStream
  let output: OutputStream
  let recorder = Recorder()

  init(port: Int, host: String = "127.0.0.1", _ route: DeliveryRoute) {
    let made = makeSocketStreams(host: host, port: UInt16(port), route: route)
    self.init(made.input!, made.output!)
  }

  init(_ input: InputStream, _ output: OutputStream) {
    self.input = input
    self.output = output
    input.delegate = recorder
    output.delegate = recorder
  }

  func schedule(_ mode: RunLoop.Mode = .default) {
    input.schedule(in: .current, forMode: mode)
    output.schedule(in: .current, forMode: mode)
  }

  func open() {
    input.open()
    output.open()
  }

  func close() {
    input.close()
    output.close()
  }

  /// Opened, scheduled and both told so; the far side's connection.
  static func connected(
    _ route: DeliveryRoute, _ listener: Listener
  ) throws -> (Streams, Connection) {
    let streams = Streams(port: listener.port, route)
    streams.schedule()
    streams.open()
    let peer = try listener.accept()
    try check(
      run { streams.recorder.has("in open") && streams.recorder.has("out space") },
      "no opening: \(streams.recorder.events)")
    return (streams, peer)
  }
}

extension InputStream {
  /// One read of at most `limit` bytes: the bytes, and the call's result.
  func take(_ limit: Int = 65_536) -> (bytes: [UInt8], result: Int) {
    var buffer = [UInt8](repeating: 0, count: max(1, limit))
    let result = read(&buffer, maxLength: limit)
    return (Array(buffer[0..<max(0, result)]), result)
  }

  func takeText(_ limit: Int = 65_536) -> String {
    String(decoding: take(limit).bytes, as: UTF8.self)
  }
}

extension OutputStream {
  /// Sends past the stream until the kernel takes no byte for a while; how many bytes went. (The
  /// kernel takes bytes long after it has ceased to call a socket writable.)
  func fill() throws -> Int {
    let piece = [UInt8](repeating: 7, count: 65_536)
    var sent = 0
    var refusals = 0
    while refusals < 8 {
      let count = send(nativeHandle, piece, piece.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        sent += count
        refusals = 0
      } else {
        try check(errno == EAGAIN && sent < 100_000_000, "send: errno \(errno) after \(sent)")
        refusals += 1
        poll(nil, 0, 50)
      }
    }
    return sent
  }

  func put(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    return write(bytes, maxLength: bytes.count)
  }
}

/// Runs `body` on a fresh thread with streams that are connected and scheduled in `.default`.
func withConnection(
  _ route: DeliveryRoute, _ body: @escaping @Sendable (Streams, Connection) throws -> Void
) async throws {
  try await onThread {
    let listener = try Listener()
    let (streams, peer) = try Streams.connected(route, listener)
    // A handler that speaks of the streams would keep them.
    defer { streams.recorder.handler = nil }
    try body(streams, peer)
    streams.close()
  }
}

/// A thread beside the test's own; `join` gives what its body threw.
final class Companion: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var result: Result<Void, any Error>?

  init(_ body: @escaping @Sendable () throws -> Void) {
    Thread {
      let result = Result { try body() }
      self.lock.withLock { self.result = result }
    }.start()
  }

  var hasEnded: Bool { lock.withLock { result != nil } }

  func join(within seconds: Double = longWait) throws {
    try check(wait(seconds) { hasEnded }, "the other thread goes on")
    try lock.withLock { result }?.get()
  }
}

/// Streams that two threads of a test hand to each other.
final class SharedStreams: @unchecked Sendable {
  // @unchecked because the lock guards the variable, and the streams may be closed anywhere.
  private let lock = NSLock()
  private var streams: Streams?
  private var isOver = false

  var isDropped: Bool { lock.withLock { isOver } }
  func drop() { lock.withLock { (streams, isOver) = (nil, true) } }
  func set(_ streams: Streams) { lock.withLock { self.streams = streams } }
  var isSet: Bool { lock.withLock { streams != nil } }
  func close() { lock.withLock { streams }?.close() }
  func put(_ text: String) -> Int { lock.withLock { streams }?.output.put(text) ?? -1 }
  /// On the loop's thread only.
  func has(_ event: String) -> Bool { lock.withLock { streams }?.recorder.has(event) ?? false }
  /// On the loop's thread only.
  var threads: Set<UInt> { lock.withLock { streams }?.recorder.threads ?? [] }
}

final class LoopBox: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var loop: RunLoop?

  func set(_ loop: RunLoop) { lock.withLock { self.loop = loop } }
  var value: RunLoop? { lock.withLock { loop } }
}
