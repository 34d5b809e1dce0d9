/// A server that does what a test says, one step at a time. Knows the spelling, not the rules.

import Foundation

/// Listens on a free port of this machine.
package final class ScriptedServer {
  package let port: Int
  private let listener: Int32
  private let host: String

  package init(isIPv6: Bool = false) throws {
    host = isIPv6 ? "[::1]" : "127.0.0.1"
    listener = socket(
      isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var port: UInt16 = 0
    let bound = isIPv6 ? Self.bind6(listener, &port) : Self.bind4(listener, &port)
    guard bound, listen(listener, 16) == 0 else { throw Failure.system("listen") }
    self.port = Int(port)
  }

  deinit {
    close(listener)
  }

  /// As the program takes it.
  package var address: String { "\(host):\(port)" }

  package func accept() throws -> ScriptedPeer {
    var wish = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&wish, 1, patience) == 1 else { throw Failure("nobody connects") }
    let connection = Private.descriptor { Foundation.accept(listener, nil, nil) }
    guard connection >= 0 else { throw Failure.system("accept") }
    return ScriptedPeer(connection: connection)
  }

  private static func bind4(_ listener: Int32, _ port: inout UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let pointer = base.assumingMemoryBound(to: sockaddr.self)
      return bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
    }
    port = UInt16(bigEndian: address.sin_port)
    return bound
  }

  private static func bind6(_ listener: Int32, _ port: inout UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let bound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let pointer = base.assumingMemoryBound(to: sockaddr.self)
      return bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
    }
    port = UInt16(bigEndian: address.sin6_port)
    return bound
  }
}

/// The server's end of one connection.
package final class ScriptedPeer {
  package let intake: Intake
  private let connection: Int32

  fileprivate init(connection: Int32) {
    self.connection = connection
    intake = Intake(descriptor: connection)
  }

  package func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  package func write(_ bytes: [UInt8]) throws {
    guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure.system("send")
    }
  }

  /// The next line that begins so, without its beginning.
  package func line(_ beginning: String) throws -> String {
    guard let line = try intake.line() else {
      throw Failure("the client ended the connection; '\(beginning)' was expected")
    }
    guard line.hasPrefix(beginning) else { throw Failure("'\(line)', not '\(beginning)'") }
    return String(line.dropFirst(beginning.count))
  }

  /// Takes the login.
  package func welcome(_ name: String = "ann") throws {
    guard try line("iam:") == name else { throw Failure("another name") }
    try write("\(name) has joined\n* pong \(line("ping:"))\n")
  }

  /// Takes one text, echoes and answers it; gives the text.
  package func hear(from name: String = "ann") throws -> String {
    let text = try line("msg:")
    try write("\(name): \(text)\n* pong \(line("ping:"))\n")
    return text
  }

  /// Answers the last ping and sees the client go.
  package func farewell() throws {
    try write("* pong \(line("ping:"))\n")
    guard try intake.line() == nil else { throw Failure("there is more after the last ping") }
  }

  /// Nothing more from the server: an orderly end.
  package func end() {
    shutdown(connection, Int32(SHUT_WR))
  }

  /// The connection breaks off: RST in place of FIN.
  package func reset() {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    // The descriptor stays the intake's, but the connection under it is gone.
    var any = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
    connect(connection, &any, socklen_t(MemoryLayout<sockaddr>.size))
  }
}
