/// Round trips of 64 bytes: a blocking socket, streams inside CFRunLoopRun, and streams with
/// `run(mode:before:)` called per event, all against the same echoing thread.

import CoreFoundation
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

  init(port: UInt16, rounds: Int) throws {
    var input: InputStream?
    var output: OutputStream?
    Stream.getStreamsToHost(
      withName: "127.0.0.1", port: Int(port), inputStream: &input, outputStream: &output)
    guard let input, let output else { throw BenchError(what: "no streams") }
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

func echoBenchmark() throws -> [Figure] {
  let port = try serving(echo)
  let rounds = 20_000
  var blocking: [Double] = []
  var inside: [Double] = []
  var perEvent: [Double] = []
  for _ in 0..<7 {
    blocking.append(try blockingRound(port, rounds))

    let first = try PingPong(port: port, rounds: rounds)
    inside.append(
      seconds {
        first.ping()
        CFRunLoopRun()
      })
    first.close()

    let second = try PingPong(port: port, rounds: rounds)
    perEvent.append(
      seconds {
        second.ping()
        while second.left > 0 { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      })
    second.close()
  }
  func micro(_ values: [Double]) -> String {
    String(format: "%.1f µs", median(values) / Double(rounds) * 1e6)
  }
  print(
    "echo of 64 bytes: blocking \(micro(blocking)), CFRunLoopRun \(micro(inside)),",
    "run per event \(micro(perEvent))")
  return [
    Figure(
      name: "CFRunLoopRun / blocking", value: median(inside) / median(blocking), bar: 2,
      atMost: true),
    Figure(
      name: "run per event / blocking", value: median(perEvent) / median(blocking), bar: 5,
      atMost: true),
  ]
}
