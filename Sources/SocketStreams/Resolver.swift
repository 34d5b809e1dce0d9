/// Looks hosts up, IPv6 and IPv4 apart, so that one family need not wait for the other. Connects
/// to nothing and remembers nothing.

internal import Glibc

/// A way to look a host up; tests bring their own.
package struct Resolver: Sendable {
  /// Takes one family's answer. May be called from any thread, also before `lookUp` returns.
  package typealias Receiver = @Sendable (IPAddress.Family, AddressRace.Answer) -> Void

  /// Begins to look `host` up, and returns soon. Calls `receive` once for each family, or later
  /// than anybody waits for it: a look-up cannot be taken back.
  package let lookUp: @Sendable (_ host: String, _ receive: @escaping Receiver) -> Void

  package init(
    lookUp: @escaping @Sendable (_ host: String, _ receive: @escaping Receiver) -> Void
  ) {
    self.lookUp = lookUp
  }

  /// getaddrinfo, and so what the system is set up to ask: /etc/hosts, DNS and others.
  package static let system = Resolver { host, receive in
    // A name that C would cut short is another name.
    guard !host.isEmpty, !host.utf8.contains(0) else {
      return deliver(.failure(LookUpFailure(code: EAI_NONAME)), to: receive)
    }
    // A written address needs no asking, and no thread that could wait for an answer.
    if case .success(let literal) = addresses(of: host, AF_UNSPEC, AI_NUMERICHOST) {
      return deliver(.success(literal), to: receive)
    }
    let isStarted = DetachedThread.start("look-up") { askSystem(for: host, receive) }
    if !isStarted { deliver(.failure(LookUpFailure(code: EAI_AGAIN)), to: receive) }
  }

  /// One look-up's thread. RFC 8305, section 3: the IPv6 query goes first, IPv4's right after it.
  private static func askSystem(for host: String, _ receive: @escaping Receiver) {
    // What the machine itself knows is asked for once, for both families: the one that it lacks
    // would otherwise be looked for in the DNS, which may take its time, or not be there.
    if isLocal(host) { return deliver(addresses(of: host, AF_UNSPEC), to: receive) }
    let isStarted = DetachedThread.start("look-up IPv4") {
      receive(.ipv4, addresses(of: host, AF_INET))
    }
    receive(.ipv6, addresses(of: host, AF_INET6))
    if !isStarted { receive(.ipv4, addresses(of: host, AF_INET)) }
  }

  /// Parts an answer for both families.
  private static func deliver(_ answer: AddressRace.Answer, to receive: Receiver) {
    for family in [IPAddress.Family.ipv6, .ipv4] {
      receive(family, answer.map { $0.filter { $0.family == family } })
    }
  }

  private static func addresses(
    of host: String, _ family: Int32, _ flags: Int32 = 0
  ) -> AddressRace.Answer {
    var hints = addrinfo()
    hints.ai_family = family
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { return .failure(LookUpFailure(code: code)) }
    defer { freeaddrinfo(list) }
    let entries = sequence(first: list?.pointee) { $0?.ai_next?.pointee }
    return .success(entries.compactMap { $0.flatMap(IPAddress.init) })
  }
}

// Names that the DNS need not be asked about.
extension Resolver {
  /// Is the name `localhost` (RFC 6761, section 6.3) or one of /etc/hosts? Decides only how the
  /// system is asked, never what it answers.
  package static func isLocal(
    _ host: String, hosts path: String = "/etc/hosts"
  ) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    guard let file = fopen(path, "re") else { return false }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    defer { free(line) }
    var room = 0
    while case let count = getline(&line, &room, file), count > 0, let line {
      let text = UnsafeRawBufferPointer(start: line, count: count).prefix {
        $0 != UInt8(ascii: "#")
      }
      // The first word is the address.
      let names = text.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.dropFirst()
      if names.contains(where: { String(decoding: $0, as: UTF8.self).lowercased() == name }) {
        return true
      }
    }
    return false
  }
}
