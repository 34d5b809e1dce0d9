/// How a server is to run. The defaults of the program are spelled out here and nowhere else.

import Glibc
package import Loop
package import Stores

/// Where to listen, and whether it must be had.
package struct ListenAddress: Sendable {
  package var place: ListenPlace
  /// Set for what an operator asked for; a machine without IPv6 is not an error by default.
  package var isRequired: Bool

  package init(_ place: ListenPlace, isRequired: Bool = true) {
    self.place = place
    self.isRequired = isRequired
  }

  package init(_ address: SocketAddress, isRequired: Bool = true) {
    self.init(.tcp(address), isRequired: isRequired)
  }
}

/// Everything that can be set from outside.
package struct Configuration: Sendable {
  package static let port: UInt16 = 12_345

  package var listen: [ListenAddress] = []
  package var limits = Limits()
  /// Most connections at once.
  package var capacity: Int
  /// Where messages are kept; nil: in memory, within ``Limits/memory``.
  package var store: (any MessageStore)?
  /// What finds messages of the store; nil: nothing is found. Closed before the store.
  package var search: (any MessageSearch)?
  /// Where the store lies, and where operators are listened to; nil: nowhere.
  package var directory: DataDirectory?
  /// Removes what the store need not keep any longer, and gives the number of messages that was.
  /// Called when the server has begun, and then from time to time (``Limits/expiryPause``); it
  /// works in small steps, and ends when its task is cancelled. Nil: everything is kept.
  package var expire: (@Sendable () async throws(StoreError) -> Int)?
  /// One sentence that people are told when they log in by name; nil: none.
  package var welcome: String?
  /// What tokens are signed with: 32 bytes that nobody else knows.
  package var tokenKey: [UInt8] = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  /// Makes the one who registers with it the owner, while there is none: 128 random bits.
  package var ownerCode: String? = (0..<2).map { _ in
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return String(repeating: "0", count: 13 - digits.count) + digits
  }.joined()
  /// Names by which browsers may call this server besides its addresses and the machine's name.
  package var publicNames: [String] = []
  /// Pages of these origins may ask too, such as `https://chat.example.org`.
  package var allowedOrigins: [String] = []
  /// One line for the operator.
  package var log: @Sendable (String) -> Void

  /// Raises the process's soft limit of descriptors to the hard one; the capacity follows from it.
  package init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
    capacity = max(1, Self.raiseDescriptorLimit() - Limits().descriptorsReserved)
  }

  /// This machine only, IPv4 and where there is one IPv6.
  package mutating func listenOnLoopback() {
    for (host, isRequired) in [("127.0.0.1", true), ("::1", false)] {
      guard let address = SocketAddress(host: host, port: Self.port) else { continue }
      listen.append(ListenAddress(address, isRequired: isRequired))
    }
  }

  /// By what this machine's own name is known: as it is, and on a network without a name server
  /// (RFC 6762 3). Empty where it has none.
  static let hostNames: [String] = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return [] }
    let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let host = String(decoding: bytes, as: UTF8.self)
    return [host, host + ".local"]
  }()

  private static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
