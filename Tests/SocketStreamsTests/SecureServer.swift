/// Peers for TLS tests: `openssl s_server` as a child process, and what both sides trust.

import Foundation
import SocketStreams
import TestSupport

/// `openssl s_server` for one connection after another. What is typed goes to the client; "Q" at
/// the beginning of a line ends the connection well.
final class SecureServer {
  let child: ChildProcess
  let port: Int

  init(_ kind: Certificates.Kind = .good, _ options: [String] = []) throws {
    let certificates = try Certificates.made()
    let words = [
      "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificates.chainPath(kind),
      "-cert_chain", certificates.chainPath(kind), "-key", certificates.keyPath(kind),
    ]
    child = try ChildProcess(running: words + options, input: .pipe)
    while let line = try child.output.line() {
      guard line.hasPrefix("ACCEPT "), let port = Int(line.split(separator: ":").last ?? "") else {
        continue
      }
      self.port = port
      return
    }
    throw Failed(description: "s_server did not start: \(child.errors.text)")
  }

  func type(_ text: String) throws { try child.type(text) }

  /// Waits until the server has printed this, as it prints what clients say.
  func hears(_ text: String) throws { try child.output.read(until: text) }
}

/// Settings that trust the tests' root, and more.
func trusting(_ more: [String: Any] = [:]) throws -> NSDictionary {
  let root = try Data(Certificates.made().root())
  var all: [String: Any] = [kSocketStreamsSSLAnchorCertificates as String: root]
  all.merge(more) { _, new in new }
  return NSDictionary(dictionary: all)
}

let sslSettings = Stream.PropertyKey(rawValue: kCFStreamPropertySSLSettings as String)

extension Streams {
  /// Scheduled and opened under the tests' trust.
  static func secured(
    _ port: Int, host: String = "localhost", _ settings: NSDictionary? = nil,
    _ route: DeliveryRoute = .preferred
  ) throws -> Streams {
    let streams = Streams(port: port, host: host, route)
    try check(
      streams.input.setProperty(settings ?? trusting(), forKey: sslSettings), "settings refused")
    streams.schedule()
    streams.open()
    return streams
  }

  func waitForSpace() throws {
    try check(
      run { recorder.has("out space") },
      "no space: \(recorder.events), \(String(describing: input.streamError))")
  }

  /// Reads, as bytes come, until they end with `ending`.
  func read(until ending: String) throws -> String {
    var all: [UInt8] = []
    let isWhole = run {
      if input.hasBytesAvailable { all += input.take().bytes }
      return String(decoding: all, as: UTF8.self).hasSuffix(ending)
    }
    try check(isWhole, "only \(String(decoding: all, as: UTF8.self))")
    return String(decoding: all, as: UTF8.self)
  }
}
