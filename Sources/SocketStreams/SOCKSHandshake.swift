/// The client's part of a SOCKS conversation: SOCKS 4, 4a and 5 (RFC 1928, RFC 1929). Bytes in,
/// bytes out; knows no socket and no clock, and asks for no byte beyond the proxy's replies.

package struct SOCKSHandshake {
  package enum Action: Equatable {
    /// Send this, possibly nothing, then pass on at most so many bytes of what comes.
    case exchange(sending: [UInt8], thenAtMost: Int)
    /// Connected: whatever comes next is the destination's.
    case done
    case failed(SOCKSFailure)
  }

  private enum Phase {
    /// SOCKS 4: eight bytes.
    case reply4
    /// SOCKS 5: the version and the method that the proxy chose.
    case method
    /// RFC 1929: its version and the verdict.
    case verdict
    /// SOCKS 5: the reply, as long as its address makes it.
    case reply5
    case over
  }

  private let proxy: SOCKSProxy
  /// What asks for the connection, once the proxy listens.
  private let request: [UInt8]
  private var phase: Phase
  /// What came of the reply under way.
  private var reply: [UInt8] = []

  /// Throws what cannot be said in the proxy's protocol.
  package init(
    to host: String, port: UInt16, via proxy: SOCKSProxy
  ) throws(SOCKSFailure) {
    self.proxy = proxy
    let user = Array((proxy.user ?? "").utf8)
    let password = Array((proxy.password ?? "").utf8)
    // RFC 1929, section 2: their lengths are one byte each.
    guard user.count <= 255 else { throw .userTooLong(bytes: user.count) }
    guard password.count <= 255 else { throw .passwordTooLong(bytes: password.count) }
    switch proxy.version {
    case .v4:
      request = try Self.request4(host, port, user)
      phase = .reply4
    case .v5:
      request = try Self.request5(host, port)
      phase = .method
    }
  }

  // MARK: What comes in

  /// The connection to the proxy is there.
  package func begin() -> Action {
    switch phase {
    case .reply4: .exchange(sending: request, thenAtMost: missing)
    // RFC 1928, section 3: 0 is no authentication, 2 user and password.
    case .method:
      .exchange(sending: hasUser ? [5, 2, 0, 2] : [5, 1, 0], thenAtMost: missing)
    case .verdict, .reply5, .over: preconditionFailure("the conversation has begun")
    }
  }

  /// Bytes of the proxy, not more than the last action allowed.
  package mutating func receive(_ bytes: [UInt8]) -> Action {
    precondition(bytes.count <= missing, "bytes beyond the reply")
    reply += bytes
    do throws(SOCKSFailure) {
      // Early, so that a wrong reply need not be a long one to be refused.
      try judge()
      if missing > 0 { return .exchange(sending: [], thenAtMost: missing) }
      return advance()
    } catch {
      phase = .over
      return .failed(error)
    }
  }

  /// The proxy ended the connection.
  package mutating func receiveEnd() -> Action {
    phase = .over
    return .failed(.ended)
  }

  // MARK: The replies

  private var hasUser: Bool { !(proxy.user ?? "").isEmpty }

  /// How many bytes the reply under way still lacks, as far as is known already.
  private var missing: Int {
    let length =
      switch phase {
      case .reply4: 8
      case .method, .verdict: 2
      case .reply5: Self.length5(of: reply)
      case .over: 0
      }
    return length - reply.count
  }

  /// RFC 1928, section 6: VER REP RSV ATYP, an address, two bytes of port. Five bytes are in every
  /// such reply, and the fifth is a name's length.
  private static func length5(of reply: [UInt8]) -> Int {
    guard reply.count >= 5 else { return 5 }
    switch reply[3] {
    case 1: return 10
    case 4: return 22
    default: return 7 + Int(reply[4])
    }
  }

  /// Throws as soon as the bytes so far cannot become a good reply.
  private func judge() throws(SOCKSFailure) {
    guard let first = reply.first else { return }
    let second = reply.count > 1 ? reply[1] : nil
    switch phase {
    case .reply4:
      // SOCKS 4's replies are of version 0.
      guard first == 0 else { throw .wrongVersion(first) }
      if let second, second != 90 { throw .refused4(code: second) }
    case .method:
      guard first == 5 else { throw .wrongVersion(first) }
      switch second {
      case nil, 0: break
      case 2 where hasUser: break
      case 0xFF: throw .noAcceptableMethod(hadUser: hasUser)
      case let method?: throw .garbled("method \(method) was not offered")
      }
    case .verdict:
      guard first == 1 else { throw .garbled("version \(first) of the authentication") }
      if let second, second != 0 { throw .authenticationRefused(code: second) }
    case .reply5:
      guard first == 5 else { throw .wrongVersion(first) }
      if let second, second != 0 { throw .refused5(code: second) }
      if reply.count > 3, ![1, 3, 4].contains(reply[3]) { throw .badAddress(type: reply[3]) }
    case .over: break
    }
  }

  /// A whole, good reply is there.
  private mutating func advance() -> Action {
    let method = reply[1]
    reply = []
    switch phase {
    case .method where method == 2:
      phase = .verdict
      return .exchange(sending: credentials, thenAtMost: missing)
    case .method, .verdict:
      phase = .reply5
      return .exchange(sending: request, thenAtMost: missing)
    case .reply4, .reply5, .over:
      phase = .over
      return .done
    }
  }

  // MARK: What is sent

  /// RFC 1929, section 2.
  private var credentials: [UInt8] {
    let user = Array((proxy.user ?? "").utf8)
    let password = Array((proxy.password ?? "").utf8)
    return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
  }

  /// RFC 1928, sections 4 and 5: names go to the proxy as they are.
  private static func request5(_ host: String, _ port: UInt16) throws(SOCKSFailure) -> [UInt8] {
    let address: [UInt8]
    if let literal = IPAddress(host) {
      address = [literal.family == .ipv4 ? 1 : 4] + literal.bytes
    } else {
      let name = try checked(name: host)
      address = [3, UInt8(name.count)] + name
    }
    return [5, 1, 0] + address + port.bytes
  }

  /// SOCKS 4; an address of 0.0.0.1 says that a name follows the user (4a).
  private static func request4(
    _ host: String, _ port: UInt16, _ user: [UInt8]
  ) throws(SOCKSFailure) -> [UInt8] {
    guard !user.contains(0) else { throw .userHoldsNUL }
    let head = [4, 1] + port.bytes
    guard let literal = IPAddress(host) else {
      return try head + [0, 0, 0, 1] + user + [0] + checked(name: host) + [0]
    }
    guard literal.family == .ipv4 else { throw .ipv6OverVersion4(host) }
    return head + literal.bytes + user + [0]
  }

  private static func checked(name: String) throws(SOCKSFailure) -> [UInt8] {
    let bytes = Array(name.utf8)
    guard (1...255).contains(bytes.count) else { throw .nameLength(bytes: bytes.count) }
    guard !bytes.contains(0) else { throw .nameHoldsNUL }
    return bytes
  }
}

extension UInt16 {
  /// In network order.
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
