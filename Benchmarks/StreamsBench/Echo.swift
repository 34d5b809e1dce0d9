/// Round trips of 64 bytes: a blocking socket, streams inside CFRunLoopRun, and streams with
/// `run(mode:before:)` called per event, all against the same echoing thread.

import SocketStreams

private let messageBytes = 64

/// Sends the next message when the last one has come back whole.
private final class PingPong: StreamDelegate {
  let input: InputStream
  let output: OutputStream
  var left: Int
  var isOpen = false
  private var missing = 0
  private var buffer = [UInt8](repeating: 0, count: messageBytes)
  private let message = [UInt8](repeating: 7, count: messageBytes)

  init(port: UInt16, rounds: Int, route: DeliveryRoute = .preferred) throws {
    let made = makeSocketStreams(host: "127.0.0.1", port: port, route: route)
    guard let input = made.input, let output = made.output else {
      throw BenchError(what: "no streams")
    }
    self.input = input
    self.output = output
    left = rounds
    for stream in [input as Stream, output as Stream] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .default)
      stream.open()
    }
    while !isOpen { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
  }

  func ping() {
    missing = messageBytes
    _ = output.write(message, maxLength: messageBytes)
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    if eventCode == .hasSpaceAvailable { isOpen = true }
    guard eventCode == .hasBytesAvailable else { return }
    missing -= input.read(&buffer, maxLength: messageBytes)
    guard missing == 0 else { return }
    left -= 1
    if left > 0 { ping() } else { CFRunLoopStop(CFRunLoopGetCurrent()) }
  }

  func close() {
    input.close()
    output.close()
  }
}

private func blockingRound(_ port: UInt16, _ rounds: Int) throws -> Double {
  let descriptor = try connected(to: port)
  defer { close(descriptor) }
  let message = [UInt8](repeating: 7, count: messageBytes)
  var buffer = message
  return seconds {
    for _ in 0..<rounds {
      _ = send(descriptor, message, messageBytes, 0)
      _ = recv(descriptor, &buffer, messageBytes, Int32(MSG_WAITALL))
    }
  }
}

/// One timed round of streams; `isEndless` runs one CFRunLoopRun, else `run` is called per event.
private func streamsRound(
  _ port: UInt16, _ rounds: Int, route: DeliveryRoute = .preferred, isEndless: Bool
) throws -> Double {
  let game = try PingPong(port: port, rounds: rounds, route: route)
  defer { game.close() }
  return seconds {
    game.ping()
    if isEndless {
      CFRunLoopRun()
    } else {
      while game.left > 0 { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
  }
}

/// Rounds are short and alternate, and the ratio is taken within each: a shared machine changes
/// its pace by a factor of four from one second to the next.
func echoBenchmark() throws -> [Figure] {
  let port = try serving(echo)
  let rounds = 3_000
  var columns: [String: [Double]] = [:]
  for _ in 0..<31 {
    columns["blocking", default: []].append(try blockingRound(port, rounds))
    columns["endless", default: []].append(try streamsRound(port, rounds, isEndless: true))
    columns["per event", default: []].append(try streamsRound(port, rounds, isEndless: false))
    columns["thread", default: []].append(
      try streamsRound(port, rounds, route: .thread, isEndless: true))
  }
  func micro(_ name: String) -> String {
    String(format: "%.1f µs", median(columns[name] ?? []) / Double(rounds) * 1e6)
  }
  func ratio(_ name: String) -> Double {
    median(zip(columns[name] ?? [], columns["blocking"] ?? []).map { $0 / $1 })
  }
  print(
    "echo of 64 bytes: blocking \(micro("blocking")), CFRunLoopRun \(micro("endless")),",
    "run per event \(micro("per event")), fallback route \(micro("thread"))")
  print("  fallback route / blocking: \(String(format: "%.2f", ratio("thread"))) (no bar)")
  return [
    Figure(name: "CFRunLoopRun / blocking", value: ratio("endless"), bar: 1.5, atMost: true),
    Figure(name: "run per event / blocking", value: ratio("per event"), bar: 5, atMost: true),
  ]
}
