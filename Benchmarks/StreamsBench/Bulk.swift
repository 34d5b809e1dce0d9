/// One GiB from a sending thread, read 64 KiB at a time: bare recv against the input stream.

import SocketStreams

private let bulkBytes = 1 << 30
private let readBytes = 64 * 1024

@Sendable private func pour(_ connection: Int32) {
  let buffer = [UInt8](repeating: 1, count: 256 * 1024)
  var left = bulkBytes
  while left > 0 {
    let count = send(connection, buffer, min(left, buffer.count), Int32(MSG_NOSIGNAL))
    guard count > 0 else { return }
    left -= count
  }
}

private final class Drain: StreamDelegate {
  let input: InputStream
  var total = 0
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: readBytes)

  init(port: UInt16) throws {
    var input: InputStream?
    Stream.getStreamsToHost(
      withName: "127.0.0.1", port: Int(port), inputStream: &input, outputStream: nil)
    guard let input else { throw BenchError(what: "no stream") }
    self.input = input
    input.delegate = self
    input.schedule(in: .current, forMode: .default)
    input.open()
  }

  deinit { buffer.deallocate() }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasBytesAvailable: total += max(0, input.read(buffer, maxLength: readBytes))
    case .endEncountered, .errorOccurred: CFRunLoopStop(CFRunLoopGetCurrent())
    default: break
    }
  }
}

func bulkBenchmark() throws -> [Figure] {
  let port = try serving(pour)
  var raw: [Double] = []
  var streams: [Double] = []
  for _ in 0..<5 {
    var buffer = [UInt8](repeating: 0, count: readBytes)
    raw.append(
      try seconds {
        let descriptor = try connected(to: port)
        while recv(descriptor, &buffer, readBytes, 0) > 0 {}
        close(descriptor)
      })
    streams.append(
      try seconds {
        let drain = try Drain(port: port)
        CFRunLoopRun()
        guard drain.total == bulkBytes else { throw BenchError(what: "\(drain.total) bytes") }
        drain.input.close()
      })
  }
  func rate(_ values: [Double]) -> String {
    String(format: "%.2f GiB/s", Double(bulkBytes) / median(values) / Double(1 << 30))
  }
  print("bulk of 1 GiB: recv \(rate(raw)), streams \(rate(streams))")
  return [
    Figure(name: "streams / recv", value: median(raw) / median(streams), bar: 0.8, atMost: false)
  ]
}
