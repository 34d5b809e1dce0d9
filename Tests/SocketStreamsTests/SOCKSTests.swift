/// Connections through SOCKS proxies: real ones, and ones that misbehave.

import Foundation
import SocketStreams
import Testing

/// Says a word in each direction, through whatever is between.
private func speak(_ near: Connection, _ far: Connection) throws {
  try near.send("question")
  try check(try far.receive(exactly: 8) == Array("question".utf8), "garbled on its way there")
  try far.send("answer")
  try check(try near.receive(exactly: 6) == Array("answer".utf8), "garbled on its way back")
}

/// Connects to `host` at a listener's port through the proxy, and speaks.
private func connect(
  _ host: String, _ listener: Listener, via proxy: SOCKSProxy, resolver: Resolver = .system
) throws {
  let attempt = try Attempt(
    to: .host(host, UInt16(listener.port)), via: proxy, resolver: resolver)
  let socket = try attempt.socket()
  try speak(socket, try listener.accept())
}

private let domain = NSStreamSOCKSErrorDomain

/// As CFSocketStream.h composes the codes of that domain.
private func composed(_ subdomain: Int, _ code: Int) -> Int { subdomain << 16 | code }

@Suite(.timeLimit(.minutes(20))) struct RealProxyTests {
  @Test("microsocks connects: IPv4, IPv6 and names, which it resolves")
  func microsocks() throws {
    let proxy = try RealProxy.microsocks()
    let listener = try Listener()
    try connect("127.0.0.1", listener, via: proxy.proxy())
    try connect("localhost", listener, via: proxy.proxy())
    try connect("::1", try Listener(ipv6: true), via: proxy.proxy())
    try proxy.stop()
  }

  @Test("names are the proxy's to resolve: only the proxy's own is looked up here")
  func resolvesNothing() throws {
    let proxy = try RealProxy.microsocks()
    let asked = AskedHosts()
    let resolver = Resolver { host, receive in
      asked.add(host)
      receive(.ipv4, .success([IPAddress("127.0.0.1")].compactMap { $0 }))
    }
    var named = proxy.proxy()
    named.host = "proxy.example"
    try connect("localhost", try Listener(), via: named, resolver: resolver)
    #expect(asked.hosts == ["proxy.example"])
    try proxy.stop()
  }

  @Test("microsocks takes the right user and password, and no other")
  func password() throws {
    let proxy = try RealProxy.microsocks(user: "ann", password: "secret")
    let listener = try Listener()
    try connect("127.0.0.1", listener, via: proxy.proxy(user: "ann", password: "secret"))
    for (user, word, code) in [
      ("ann", "wrong", composed(3, 2)), ("bob", "secret", composed(3, 2)),
      (nil, nil, composed(4, 0xFF)),
    ] {
      let attempt = try Attempt(
        to: .host("127.0.0.1", UInt16(listener.port)),
        via: proxy.proxy(user: user, password: word))
      let error = try attempt.error(of: domain)
      #expect(error.code == code, "\(error)")
      #expect(error.localizedDescription.contains("127.0.0.1:\(proxy.port)"))
      #expect(!error.localizedDescription.contains("secret"))
    }
    try proxy.stop()
  }

  @Test("dante connects with SOCKS 4 and 5")
  func dante() throws {
    let proxy = try RealProxy.dante()
    let listener = try Listener()
    try connect("127.0.0.1", listener, via: proxy.proxy(.v4))
    try connect("127.0.0.1", listener, via: proxy.proxy(.v4, user: "ann"))
    try connect("127.0.0.1", listener, via: proxy.proxy(.v5))
    try connect("localhost", listener, via: proxy.proxy(.v5))
    try proxy.stop()
  }

  @Test("dante's refusals are told with their reasons")
  func danteRefuses() throws {
    let proxy = try RealProxy.dante()
    let closed = try BoundPort()
    for (host, version, code, words) in [
      ("127.0.0.1", SOCKSProxy.Version.v5, composed(5, 5), "the connection was refused"),
      ("127.0.0.9", .v5, composed(5, 2), "its rules do not allow"),
      ("127.0.0.1", .v4, composed(2, 91), "rejected or failed"),
    ] {
      let attempt = try Attempt(
        to: .host(host, UInt16(closed.number)), via: proxy.proxy(version))
      let error = try attempt.error(of: domain)
      #expect(error.code == code, "\(error)")
      for part in ["127.0.0.1:\(proxy.port)", "\(host):\(closed.number)", words] {
        #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
      }
    }
    try proxy.stop()
  }

  @Test("a SOCKS 4a server of Perl's resolves names and looks at the user")
  func perl() throws {
    let proxy = try RealProxy.perl()
    let listener = try Listener()
    try connect("localhost", listener, via: proxy.proxy(.v4, user: "ann"))
    try connect("127.0.0.1", listener, via: proxy.proxy(.v4, user: "ann"))
    let stranger = try Attempt(
      to: .host("localhost", UInt16(listener.port)), via: proxy.proxy(.v4, user: "bob"))
    #expect(try stranger.error(of: domain).code == composed(2, 93))
    try proxy.stop()
  }

  @Test("a SOCKS 5 server that is spoken to in SOCKS 4 is an error, not a hang")
  func otherVersion() throws {
    let proxy = try RealProxy.microsocks()
    let attempt = try Attempt(to: .host("127.0.0.1", 9), via: proxy.proxy(.v4))
    let error = try attempt.error(of: domain)
    #expect(error.code == composed(1, 5), "\(error)")
    #expect(error.localizedDescription.contains("does not speak SOCKS 4"), "\(error)")
    try proxy.stop()
  }
}

/// The hosts that a resolver was asked for.
private final class AskedHosts: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var list: [String] = []

  func add(_ host: String) { lock.withLock { list.append(host) } }
  var hosts: [String] { lock.withLock { list } }
}

/// A proxy that is the test itself.
private struct FakeProxy {
  let listener: Listener
  let attempt: Attempt
  let connection: Connection

  init(
    _ version: SOCKSProxy.Version = .v5, to host: String = "192.0.2.1",
    limit: Duration = .seconds(20)
  ) throws {
    listener = try Listener()
    var proxy = SOCKSProxy(host: "127.0.0.1", port: UInt16(listener.port), version: version)
    proxy.limit = limit
    attempt = try Attempt(to: .host(host, 80), via: proxy)
    connection = try listener.accept()
  }

  /// Takes the greeting and accepts it, then takes the request for an IPv4 address.
  func takeRequest() throws {
    try check(try connection.receive(exactly: 3) == [5, 1, 0], "another greeting")
    try connection.send([5, 0])
    try check(
      try connection.receive(exactly: 10) == [5, 1, 0, 1, 192, 0, 2, 1, 0, 80], "another request")
  }
}

private let notSOCKS: [(reply: [UInt8], code: Int, words: String)] = [
  (
    Array("HTTP/1.1 400 Bad Request".utf8), composed(1, 72),
    "does not speak SOCKS 5: its answer began with the byte 72"
  ),
  ([4, 0], composed(1, 4), "began with the byte 4"),
  ([5, 9], 2, "method 9 was not offered"),
  ([5, 0, 5, 0, 0, 7], 1, "unknown type 7"),
  ([5, 0, 5, 4], composed(5, 4), "192.0.2.1:80: the host is unreachable"),
  ([5, 0, 5, 99], composed(5, 99), "the reason is unknown (code 99)"),
]

@Suite(.timeLimit(.minutes(20))) struct FakeProxyTests {
  @Test("a proxy that is not there is ECONNREFUSED, one without a name is not found")
  func absent() throws {
    let closed = try BoundPort()
    let refused = try Attempt(
      to: .host("192.0.2.1", 80), via: SOCKSProxy(host: "127.0.0.1", port: UInt16(closed.number)))
    #expect(try refused.errno() == ECONNREFUSED)
    let nameless = try Attempt(
      to: .host("192.0.2.1", 80), via: SOCKSProxy(host: "", port: 1080))
    #expect(try nameless.error(of: "kCFErrorDomainCFNetwork").code == 2)
  }

  @Test("what arrives with the reply is the stream's: no byte is lost")
  func earlyBytes() throws {
    let proxy = try FakeProxy()
    try proxy.takeRequest()
    try proxy.connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array("welcome".utf8))
    let socket = try proxy.attempt.socket()
    #expect(try socket.receive(exactly: 7) == Array("welcome".utf8))
    try speak(socket, proxy.connection)
  }

  @Test("a reply that comes byte by byte is understood")
  func slowReply() throws {
    let proxy = try FakeProxy()
    try proxy.takeRequest()
    for byte: UInt8 in [5, 0, 0, 3, 2, 97, 98, 0] {
      try proxy.connection.send([byte])
      #expect(proxy.connection.isSilent(for: 0.01) && !proxy.attempt.hasEnded)
    }
    // The byte after the port is the destination's.
    try proxy.connection.send([0, 0x21])
    #expect(try proxy.attempt.socket().receive() == [0x21])
  }

  @Test("a proxy that says nothing is given up at its limit")
  func silent() throws {
    let proxy = try FakeProxy(limit: .milliseconds(200))
    let error = try proxy.attempt.error(of: domain)
    #expect(error.code == 101)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ETIMEDOUT)
    #expect(error.localizedDescription.contains("127.0.0.1:\(proxy.listener.port)"))
    // The socket is closed, too: the greeting, then the end.
    _ = try proxy.connection.receive(exactly: 3)
    #expect(try proxy.connection.receive().isEmpty)
  }

  @Test("the limit is one for the whole conversation, however busy")
  func drip() throws {
    let began = Date()
    let proxy = try FakeProxy(limit: .milliseconds(300))
    try proxy.takeRequest()
    // A name of 255 letters, a letter at a time.
    try proxy.connection.send([5, 0, 0, 3, 255])
    while !proxy.attempt.hasEnded {
      try check(Date().timeIntervalSince(began) < 10, "every byte extends the limit")
      poll(nil, 0, 20)
      try? proxy.connection.send([97])
    }
    #expect(try proxy.attempt.error(of: domain).code == 101)
  }

  @Test(
    "what is not SOCKS is told from what is",
    arguments: notSOCKS)
  func garbage(reply: [UInt8], code: Int, words: String) throws {
    let proxy = try FakeProxy()
    try proxy.connection.send(reply)
    let error = try proxy.attempt.error(of: domain)
    #expect(error.code == code, "\(error)")
    #expect(error.localizedDescription.contains(words), "\(error.localizedDescription)")
    #expect(error.userInfo["_kCFStreamErrorDomainKey"] as? Int == 5)
    #expect(error.userInfo["_kCFStreamErrorCodeKey"] as? Int == code)
  }

  @Test("a proxy that hangs up or breaks off is told")
  func hangsUp() throws {
    let ended = try FakeProxy()
    _ = try ended.connection.receive(exactly: 3)
    ended.connection.close()
    #expect(try ended.attempt.error(of: domain).code == 100)
    let broken = try FakeProxy()
    try broken.takeRequest()
    broken.connection.reset()
    let error = try broken.attempt.error(of: domain)
    #expect(error.code == 109)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ECONNRESET)
  }

  @Test("what cannot be said to a proxy fails before anybody is connected to")
  func unsayable() throws {
    let listener = try Listener()
    let proxy = SOCKSProxy(host: "127.0.0.1", port: UInt16(listener.port), version: .v4)
    for (endpoint, code, words) in [
      (Endpoint.host("2001:db8::1", 80), 107, "SOCKS 4 has no IPv6 addresses"),
      (.host(String(repeating: "a", count: 256), 80), 102, "256 bytes"),
      (.unix(path: "/tmp/socket"), 108, "need no proxy"),
    ] {
      let error = try Attempt(to: endpoint, via: proxy).error(of: domain)
      #expect(error.code == code && error.localizedDescription.contains(words), "\(error)")
    }
    #expect(listener.isSilent(for: 0))
  }

  @Test("line 31: an attempt abandoned in its talk with the proxy closes its socket")
  func abandoned() throws {
    let proxy = try FakeProxy()
    _ = try proxy.connection.receive(exactly: 3)
    proxy.attempt.abandon()
    #expect(try proxy.connection.receive().isEmpty)
    #expect(!proxy.attempt.hasEnded)
  }
}
