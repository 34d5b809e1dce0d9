/// Run loops for the tests, each on a thread of its own, and a delegate that writes down what it
/// hears. Waits run the loop under a time limit; nothing sleeps.

import Foundation
import SocketStreams

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
  _ seconds: Double = 5, mode: RunLoop.Mode = .default, until condition: () -> Bool = { false }
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

/// Waits for `condition` without running a loop.
func wait(_ seconds: Double = 5, until condition: () -> Bool) -> Bool {
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
struct Streams {
  let input: InputStream
  let output: OutputStream
  let recorder = Recorder()

  init(port: Int, host: String = "127.0.0.1", _ route: DeliveryRoute) {
    let made = makeSocketStreams(host: host, port: UInt16(port), route: route)
    input = made.input!
    output = made.output!
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
  func put(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    return write(bytes, maxLength: bytes.count)
  }
}
