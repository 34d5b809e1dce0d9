/// A TLS server in front of a plain one, as operators put it there: `socat` as a child process.
/// Knows no chat.

import Foundation

/// Takes one connection, decrypts it, and passes it on to a port of this machine; then it is gone.
package final class TLSRelay {
  package let child: ChildProcess
  package let port: Int

  /// `options` are socat's of its `OPENSSL-LISTEN`, such as `openssl-max-proto-version=TLS1.2`.
  package init(
    to plainPort: Int, showing kind: Certificates.Kind = .good, _ options: [String] = []
  ) throws {
    let certificates = try Certificates.made()
    let listen = [
      "OPENSSL-LISTEN:0", "bind=127.0.0.1", "cert=\(certificates.chainPath(kind))",
      "key=\(certificates.keyPath(kind))", "verify=0",
    ]
    child = try ChildProcess(running: [
      // It tells at this level where it listens; and it waits no longer than this when one side
      // has ended and the other has not.
      "socat", "-d", "-d", "-t", "10", (listen + options).joined(separator: ","),
      "TCP:127.0.0.1:\(plainPort)",
    ])
    while let line = try child.errors.line() {
      guard line.contains(" listening on "), let port = line.split(separator: ":").last else {
        continue
      }
      self.port = Int(port) ?? 0
      return
    }
    throw Failure("socat did not start: \(child.errors.text)")
  }

  /// By the name that the good certificate is for.
  package var address: String { "localhost:\(port)" }
}
