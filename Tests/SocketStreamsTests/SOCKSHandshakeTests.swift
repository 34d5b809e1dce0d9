/// SOCKS conversations as tables, in every chop: what is sent, what a reply means, and that no byte
/// beyond a reply is asked for. No socket.

import Foundation
import SocketStreams
import Testing

/// One conversation that succeeds: what goes out and what comes back, by turns.
struct Conversation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let host: String
  let proxy: SOCKSProxy
  let turns: [(out: [UInt8], back: [UInt8])]

  init(
    _ name: String, to host: String, _ version: SOCKSProxy.Version, user: String? = nil,
    password: String? = nil, _ turns: [(out: [UInt8], back: [UInt8])]
  ) {
    testDescription = name
    self.host = host
    self.turns = turns
    proxy = SOCKSProxy(
      host: "proxy.example", port: 1080, version: version, user: user, password: password)
  }
}

private let port: UInt16 = 0x1234
private let name = Array("example.org".utf8)
private let ok5: [UInt8] = [5, 0, 0, 1, 192, 0, 2, 7, 0x10, 0x20]
private let ok4: [UInt8] = [0, 90, 0x10, 0x20, 192, 0, 2, 7]
private let ipv6: [UInt8] = [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]

private let conversations = [
  Conversation(
    "SOCKS 5: a name is the proxy's to resolve", to: "example.org", .v5,
    [([5, 1, 0], [5, 0]), ([5, 1, 0, 3, 11] + name + [0x12, 0x34], ok5)]),
  Conversation(
    "SOCKS 5: an IPv4 address", to: "192.0.2.1", .v5,
    [([5, 1, 0], [5, 0]), ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], ok5)]),
  Conversation(
    "SOCKS 5: an IPv6 address, and one in the reply", to: "2001:db8::1", .v5,
    [
      ([5, 1, 0], [5, 0]),
      ([5, 1, 0, 4] + ipv6 + [0x12, 0x34], [5, 0, 0, 4] + ipv6 + [1, 2]),
    ]),
  Conversation(
    "SOCKS 5: a name in the reply", to: "192.0.2.1", .v5,
    [
      ([5, 1, 0], [5, 0]),
      ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], [5, 0, 0, 3, 11] + name + [1, 2]),
    ]),
  Conversation(
    "SOCKS 5: an empty name in the reply", to: "192.0.2.1", .v5,
    [
      ([5, 1, 0], [5, 0]),
      ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], [5, 0, 0, 3, 0, 1, 2]),
    ]),
  Conversation(
    "RFC 1929: user and password", to: "192.0.2.1", .v5, user: "ann", password: "pw",
    [
      ([5, 2, 0, 2], [5, 2]), ([1, 3] + Array("ann".utf8) + [2] + Array("pw".utf8), [1, 0]),
      ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], ok5),
    ]),
  Conversation(
    "RFC 1929: a user without a password", to: "192.0.2.1", .v5, user: "ann",
    [
      ([5, 2, 0, 2], [5, 2]), ([1, 3] + Array("ann".utf8) + [0], [1, 0]),
      ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], ok5),
    ]),
  Conversation(
    "a user is not named to a proxy that does not ask", to: "192.0.2.1", .v5, user: "ann",
    password: "pw",
    [([5, 2, 0, 2], [5, 0]), ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], ok5)]),
  Conversation(
    "an empty user is none", to: "192.0.2.1", .v5, user: "", password: "pw",
    [([5, 1, 0], [5, 0]), ([5, 1, 0, 1, 192, 0, 2, 1, 0x12, 0x34], ok5)]),
  Conversation(
    "SOCKS 4: an IPv4 address", to: "192.0.2.1", .v4,
    [([4, 1, 0x12, 0x34, 192, 0, 2, 1, 0], ok4)]),
  Conversation(
    "SOCKS 4: a user", to: "192.0.2.1", .v4, user: "ann", password: "not said",
    [([4, 1, 0x12, 0x34, 192, 0, 2, 1] + Array("ann".utf8) + [0], ok4)]),
  Conversation(
    "SOCKS 4a: a name", to: "example.org", .v4, user: "ann",
    [([4, 1, 0x12, 0x34, 0, 0, 0, 1] + Array("ann".utf8) + [0] + name + [0], ok4)]),
  Conversation(
    "a shortened address is a name", to: "127.1", .v4,
    [([4, 1, 0x12, 0x34, 0, 0, 0, 1, 0] + Array("127.1".utf8) + [0], ok4)]),
]

/// Answers a handshake out of `turns`, at most `chop` bytes at once.
private func play(
  _ proxy: SOCKSProxy, to host: String, _ turns: [(out: [UInt8], back: [UInt8])], chop: Int
) throws -> (end: SOCKSHandshake.Action, sent: [[UInt8]], left: Int) {
  var handshake = try SOCKSHandshake(to: host, port: port, via: proxy)
  var action = handshake.begin()
  var sent: [[UInt8]] = []
  var rest: ArraySlice<UInt8> = []
  while case .exchange(let bytes, let atMost) = action {
    if !bytes.isEmpty {
      try check(rest.isEmpty && sent.count < turns.count, "it speaks out of turn")
      rest = turns[sent.count].back[...]
      sent.append(bytes)
    }
    try check(atMost > 0, "it asks for nothing")
    try check(!rest.isEmpty, "it waits for what nobody sends")
    let count = min(chop, atMost, rest.count)
    action = handshake.receive(Array(rest.prefix(count)))
    rest = rest.dropFirst(count)
  }
  return (action, sent, rest.count)
}

@Suite struct SOCKSHandshakeTests {
  @Test("every conversation succeeds in every chop", arguments: conversations)
  func succeeds(conversation: Conversation) throws {
    for chop in 1...24 {
      let (end, sent, left) = try play(
        conversation.proxy, to: conversation.host, conversation.turns, chop: chop)
      #expect(end == .done, "chop \(chop)")
      #expect(sent == conversation.turns.map(\.out), "chop \(chop)")
      #expect(left == 0, "chop \(chop)")
    }
  }

  @Test("not a byte beyond the reply is asked for", arguments: conversations)
  func stopsAtTheReply(conversation: Conversation) throws {
    var turns = conversation.turns
    turns[turns.count - 1].back += Array("the destination's first words".utf8)
    for chop in 1...64 {
      let (end, _, left) = try play(
        conversation.proxy, to: conversation.host, turns, chop: chop)
      #expect(end == .done && left == 29, "chop \(chop): \(left) left")
    }
  }

  @Test("a connection that ends is told at every byte", arguments: conversations)
  func ends(conversation: Conversation) throws {
    let all = conversation.turns.flatMap(\.back)
    for length in 0..<all.count {
      var handshake = try SOCKSHandshake(
        to: conversation.host, port: port, via: conversation.proxy)
      var action = handshake.begin()
      for byte in all.prefix(length) {
        guard case .exchange = action else { throw Failed(description: "over at \(length)") }
        action = handshake.receive([byte])
      }
      #expect(handshake.receiveEnd() == .failed(.ended), "after \(length) bytes")
    }
  }

  @Test(
    "a bad reply is refused as soon as it shows",
    arguments: [
      (SOCKSProxy.Version.v5, [Array("HTTP".utf8)], SOCKSFailure.wrongVersion(72)),
      (.v5, [[4]], .wrongVersion(4)),
      (.v5, [[0, 91, 0, 0]], .wrongVersion(0)),
      (.v5, [[5, 0xFF]], .noAcceptableMethod(hadUser: true)),
      (.v5, [[5, 1]], .garbled("method 1 was not offered")),
      (.v5, [[5, 2], [5, 0]], .garbled("version 5 of the authentication")),
      (.v5, [[5, 2], [1, 1]], .authenticationRefused(code: 1)),
      (.v5, [[5, 0], [4]], .wrongVersion(4)),
      (.v5, [[5, 0], [5, 1]], .refused5(code: 1)),
      (.v5, [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]], .refused5(code: 5)),
      (.v5, [[5, 0], [5, 255]], .refused5(code: 255)),
      (.v5, [[5, 0], [5, 0, 0, 2]], .badAddress(type: 2)),
      (.v4, [[5, 0]], .wrongVersion(5)),
      (.v4, [[4, 90]], .wrongVersion(4)),
      (.v4, [[0, 91, 0, 0, 0, 0, 0, 0]], .refused4(code: 91)),
      (.v4, [[0, 92]], .refused4(code: 92)),
      (.v4, [[0, 93]], .refused4(code: 93)),
      (.v4, [[0, 0]], .refused4(code: 0)),
    ])
  func refuses(version: SOCKSProxy.Version, replies: [[UInt8]], failure: SOCKSFailure) throws {
    let proxy = SOCKSProxy(host: "p", port: 1, version: version, user: "ann", password: "pw")
    for chop in 1...10 {
      let turns = replies.map { (out: [UInt8](), back: $0) }
      let end = try play(proxy, to: "192.0.2.1", turns, chop: chop).end
      #expect(end == .failed(failure), "chop \(chop)")
    }
  }

  @Test("a proxy that wants a user is told apart from one that takes none of ours")
  func methods() throws {
    let proxy = SOCKSProxy(host: "p", port: 1)
    let end = try play(proxy, to: "192.0.2.1", [([], [5, 0xFF])], chop: 2).end
    #expect(end == .failed(.noAcceptableMethod(hadUser: false)))
  }

  @Test("lengths are taken up to their limits, and refused beyond them")
  func limits() throws {
    let text = { (count: Int) in String(repeating: "a", count: count) }
    let make = { (host: String, proxy: SOCKSProxy) in
      _ = try SOCKSHandshake(to: host, port: 1, via: proxy)
    }
    for version in [SOCKSProxy.Version.v4, .v5] {
      let proxy = SOCKSProxy(host: "p", port: 1, version: version)
      try make(text(255), proxy)
      #expect(throws: SOCKSFailure.nameLength(bytes: 256)) { try make(text(256), proxy) }
      #expect(throws: SOCKSFailure.nameLength(bytes: 0)) { try make("", proxy) }
      #expect(throws: SOCKSFailure.nameHoldsNUL) { try make("a\0b", proxy) }
      var user = proxy
      user.user = text(255)
      user.password = text(255)
      try make("a", user)
      user.password = text(256)
      #expect(throws: SOCKSFailure.passwordTooLong(bytes: 256)) { try make("a", user) }
      user.user = text(256)
      #expect(throws: SOCKSFailure.userTooLong(bytes: 256)) { try make("a", user) }
    }
  }

  @Test("SOCKS 4 has no words for an IPv6 address, nor for a user with a NUL")
  func version4() throws {
    #expect(throws: SOCKSFailure.ipv6OverVersion4("::1")) {
      try SOCKSHandshake(to: "::1", port: 1, via: SOCKSProxy(host: "p", port: 1, version: .v4))
    }
    #expect(throws: SOCKSFailure.userHoldsNUL) {
      try SOCKSHandshake(
        to: "a", port: 1, via: SOCKSProxy(host: "p", port: 1, version: .v4, user: "a\0b"))
    }
  }

  @Test("a name of 255 letters and the longest credentials are sent whole")
  func longest() throws {
    let long = String(repeating: "n", count: 255)
    let proxy = SOCKSProxy(host: "p", port: 1, user: long, password: long)
    let (end, sent, _) = try play(
      proxy, to: long, [([], [5, 2]), ([], [1, 0]), ([], ok5)], chop: 3)
    #expect(end == .done)
    #expect(sent[1] == [1, 255] + Array(long.utf8) + [255] + Array(long.utf8))
    #expect(sent[2] == [5, 1, 0, 3, 255] + Array(long.utf8) + [0x12, 0x34])
  }

  @Test("whatever a proxy says, the conversation ends, and never asks for more than it may")
  func noise() throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<5_000 {
      let version: SOCKSProxy.Version = round.isMultiple(of: 3) ? .v4 : .v5
      let proxy = SOCKSProxy(host: "p", port: 1, version: version, user: "ann")
      var handshake = try SOCKSHandshake(to: "example.org", port: 80, via: proxy)
      var action = handshake.begin()
      // Now and then the right thing, so that the later replies are reached as well.
      let likely: [UInt8] = version == .v4 ? [0, 90] : [5, 0, 5, 0, 0, 3]
      var heard: [UInt8] = []
      while case .exchange(_, let atMost) = action {
        #expect(atMost > 0 && heard.count <= 600, "\(heard)")
        let bytes = (0..<Int.random(in: 1...atMost, using: &random)).map { index -> UInt8 in
          let position = heard.count + index
          let isLikely = position < likely.count && !Int.random(in: 0..<8).isMultiple(of: 8)
          return isLikely ? likely[position] : UInt8.random(in: 0...255, using: &random)
        }
        heard += bytes
        action = handshake.receive(bytes)
      }
    }
  }
}
