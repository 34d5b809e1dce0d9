/// Much at once: many pairs on one loop, many bytes there and back.

import Foundation
import SocketStreams
import Testing

/// A pair whose delegate answers each byte that comes with the next number, up to a last one.
private final class Counter: StreamDelegate {
  static let last: UInt8 = 5
  let input: InputStream
  let output: OutputStream
  private(set) var heard: [UInt8] = []

  init(_ port: Int, _ route: DeliveryRoute) {
    let made = makeSocketStreams(host: "127.0.0.1", port: UInt16(port), route: route)
    (input, output) = (made.input!, made.output!)
    for stream in [input as Stream, output] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .default)
      stream.open()
    }
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard eventCode == .hasBytesAvailable else { return }
    heard += input.take().bytes
    if let number = heard.last, number < Self.last { _ = output.write([number + 1], maxLength: 1) }
  }

  func close() {
    input.close()
    output.close()
  }
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct LoadTests {
  @Test("line 40: 500 pairs share one loop, descriptors above 1,023 among them")
  func manyPairs() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, "setrlimit")
      for route in DeliveryRoute.allCases { try await converse(on: route) }
    }
  }

  @Test(
    "line 40: ten megabytes go and come back through events, intact",
    arguments: DeliveryRoute.allCases)
  func thereAndBack(route: DeliveryRoute) async throws {
    try await withConnection(route) { streams, peer in
      let total = 10_000_000
      let bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
        for index in 0..<total {
          buffer[index] = UInt8(truncatingIfNeeded: index &* 7 &+ index >> 9)
        }
        count = total
      }
      let echo = Companion {
        var left = total
        while left > 0 {
          let piece = try peer.receive()
          try check(!piece.isEmpty, "an end")
          try peer.send(piece)
          left -= piece.count
        }
      }
      var sent = 0
      var received: [UInt8] = []
      func more() {
        guard sent < total else { return }
        sent += bytes[sent...].withUnsafeBufferPointer {
          max(0, streams.output.write($0.baseAddress!, maxLength: min($0.count, 50_000)))
        }
      }
      streams.recorder.handler = { _, event in
        if event == .hasSpaceAvailable { more() }
        if event == .hasBytesAvailable { received += streams.input.take().bytes }
      }
      more()
      try check(run(20) { received.count == total }, "stuck at \(sent), \(received.count)")
      try check(received == bytes, "other bytes")
      try echo.join()
    }
  }
}

private func converse(on route: DeliveryRoute) async throws {
  try await onThread {
    let listener = try Listener(backlog: 1024)
    let pairs = (0..<500).map { _ in Counter(listener.port, route) }
    let peers = try pairs.map { _ in try listener.accept() }
    for peer in peers { try peer.send([1]) }
    let answers = Companion {
      for number in stride(from: UInt8(2), through: Counter.last, by: 2) {
        for peer in peers { try check(try peer.receive() == [number], "another answer") }
        if number < Counter.last { for peer in peers { try peer.send([number + 1]) } }
      }
    }
    let isDone = run(20) { pairs.allSatisfy { $0.heard == [1, 3, 5] } }
    try check(isDone, "\(pairs.count { $0.heard != [1, 3, 5] }) pairs wait")
    try answers.join()
    try check(pairs.contains { $0.input.nativeHandle > 1023 }, "no high descriptors")
    for pair in pairs { pair.close() }
  }
}
