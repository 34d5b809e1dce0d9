/// Half a GiB through TLS, 64 KiB at a time, in each direction: streams against a bare OpenSSL
/// loop, both with the same bare server.

import BareTLS
import SocketStreams

private let bulkBytes = 1 << 29
private let pieceBytes = 64 * 1024

/// Reads to the end, or writes until all is written, by events.
private final class SecureClient: StreamDelegate {
  let input: InputStream
  let output: OutputStream
  let isReading: Bool
  var total = 0
  private var buffer = [UInt8](repeating: 0, count: pieceBytes)

  init(port: UInt16, isReading: Bool) throws {
    let made = makeSocketStreams(host: "127.0.0.1", port: port, route: .preferred)
    guard let input = made.input, let output = made.output else {
      throw BenchError(what: "no streams")
    }
    self.input = input
    self.output = output
    self.isReading = isReading
    let settings: [String: Any] = [kCFStreamSSLValidatesCertificateChain as String: false]
    input.setProperty(settings, forKey: .init(rawValue: kCFStreamPropertySSLSettings as String))
    for stream in [input as Stream, output as Stream] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .default)
      stream.open()
    }
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasBytesAvailable: total += max(0, input.read(&buffer, maxLength: pieceBytes))
    case .hasSpaceAvailable where !isReading:
      let left = bulkBytes - total
      if left > 0 {
        total += max(0, output.write(buffer, maxLength: min(left, pieceBytes)))
      } else {
        CFRunLoopStop(CFRunLoopGetCurrent())
      }
    case .endEncountered, .errorOccurred: CFRunLoopStop(CFRunLoopGetCurrent())
    default: break
    }
  }

  func run() throws {
    CFRunLoopRun()
    guard total == bulkBytes else {
      throw BenchError(what: "\(total) bytes, \(String(describing: input.streamError))")
    }
    input.close()
    output.close()
  }
}

func secureBulkBenchmark() throws -> [Figure] {
  guard bare_tls_start() == 0 else { throw BenchError(what: "OpenSSL did not start") }
  let pouring = try serving { _ = bare_tls_pour($0, bulkBytes) }
  let swallowing = try serving { _ = bare_tls_swallow($0) }
  var bareRead: [Double] = []
  var bareWrite: [Double] = []
  var read: [Double] = []
  var write: [Double] = []
  for _ in 0..<5 {
    bareRead.append(
      try seconds {
        let descriptor = try connected(to: pouring)
        guard bare_tls_drain(descriptor, pieceBytes) == bulkBytes else {
          throw BenchError(what: "the bare loop lost bytes")
        }
        close(descriptor)
      })
    read.append(try seconds { try SecureClient(port: pouring, isReading: true).run() })
    bareWrite.append(
      try seconds {
        let descriptor = try connected(to: swallowing)
        guard bare_tls_push(descriptor, bulkBytes, pieceBytes) == 0 else {
          throw BenchError(what: "the bare loop could not write")
        }
        close(descriptor)
      })
    write.append(try seconds { try SecureClient(port: swallowing, isReading: false).run() })
  }
  func rate(_ values: [Double]) -> String {
    String(format: "%.2f GiB/s", Double(bulkBytes) / median(values) / Double(1 << 30))
  }
  print("TLS bulk of 512 MiB: read: bare \(rate(bareRead)), streams \(rate(read));")
  print("  written: bare \(rate(bareWrite)), streams \(rate(write))")
  return [
    Figure(
      name: "read / bare OpenSSL", value: median(zip(bareRead, read).map { $0 / $1 }), bar: 0.8,
      atMost: false),
    Figure(
      name: "written / bare OpenSSL", value: median(zip(bareWrite, write).map { $0 / $1 }),
      bar: 0.8, atMost: false),
  ]
}
