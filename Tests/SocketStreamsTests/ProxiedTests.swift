/// Streams through SOCKS proxies: how the settings are spelled, and their events.

import Foundation
import SocketStreams
import TestSupport
import Testing

private let proxyKey = Stream.PropertyKey.socksProxyConfigurationKey

private func settings(_ proxy: RealProxy, _ more: [String: Any] = [:]) -> [String: Any] {
  let own: [String: Any] = [
    kCFStreamPropertySOCKSProxyHost as String: "127.0.0.1",
    kCFStreamPropertySOCKSProxyPort as String: Int(proxy.port),
  ]
  return own.merging(more) { _, new in new }
}

@Suite(.timeLimit(.minutes(20))) struct ProxiedTests {
  @Test(
    "line 36: the proxy's settings are taken in Apple's spelling and in Foundation's"
  )
  func spellings() async throws {
    try await onThread {
      let proxy = try RealProxy.microsocks(user: "ann", password: "secret")
      let listener = try Listener()
      let foundation: [String: Any] = [
        StreamSOCKSProxyConfiguration.hostKey.rawValue: "127.0.0.1",
        StreamSOCKSProxyConfiguration.portKey.rawValue: NSNumber(value: proxy.port),
        StreamSOCKSProxyConfiguration.versionKey.rawValue: StreamSOCKSProxyVersion.version5,
        StreamSOCKSProxyConfiguration.userKey.rawValue: "ann",
        StreamSOCKSProxyConfiguration.passwordKey.rawValue: "secret",
      ]
      let structs: [AnyHashable: Any] = [
        StreamSOCKSProxyConfiguration.hostKey: "127.0.0.1",
        StreamSOCKSProxyConfiguration.portKey: Int(proxy.port),
        StreamSOCKSProxyConfiguration.versionKey: StreamSOCKSProxyVersion.version5,
        StreamSOCKSProxyConfiguration.userKey: "ann",
        StreamSOCKSProxyConfiguration.passwordKey: "secret",
      ]
      let apple = settings(
        proxy,
        [
          kCFStreamPropertySOCKSVersion as String: kCFStreamSocketSOCKSVersion5,
          kCFStreamPropertySOCKSUser as String: "ann",
          kCFStreamPropertySOCKSPassword as String: "secret",
        ])
      // Five settings each.
      let all: [(Any, onInput: Bool)] = [
        (foundation, true), (structs, true), (structs as NSDictionary, false), (apple, false),
      ]
      for (dictionary, onInput) in all {
        // A name that only the proxy resolves: it is asked for localhost.
        let streams = Streams(port: listener.port, host: "localhost", .preferred)
        let half: Stream = onInput ? streams.input : streams.output
        try check(half.setProperty(dictionary, forKey: proxyKey), "refused")
        let kept = streams.input.property(forKey: proxyKey) as? NSDictionary
        try check(kept?.count == 5, "the pair's settings")
        streams.schedule()
        streams.open()
        let peer = try listener.accept()
        try check(run { streams.recorder.has("out space") }, "\(streams.recorder.events)")
        try check(streams.output.put("through") == 7, "write")
        try check(try peer.receive() == Array("through".utf8), "what the peer got")
        try peer.send("back")
        try check(try streams.read(until: "back") == "back", "read")
        streams.close()
      }
      try proxy.stop()
    }
  }

  @Test("lines 36, 37: TLS through a SOCKS 5 proxy to openssl s_server and back")
  func securedAndProxied() async throws {
    try await onThread {
      let proxy = try RealProxy.microsocks(user: "ann", password: "secret")
      let server = try SecureServer()
      let streams = Streams(port: server.port, host: "localhost", .preferred)
      let dictionary = settings(
        proxy,
        [
          kCFStreamPropertySOCKSUser as String: "ann",
          kCFStreamPropertySOCKSPassword as String: "secret",
        ])
      try check(streams.input.setProperty(dictionary, forKey: proxyKey), "proxy refused")
      try check(streams.output.setProperty(trusting(), forKey: sslSettings), "TLS refused")
      streams.schedule()
      streams.open()
      try streams.waitForSpace()
      try check(streams.output.put("there\n") == 6, "write")
      try server.hears("there")
      try server.type("and back\n")
      try check(try streams.read(until: "\n") == "and back\n", "read")
      streams.close()
      try proxy.stop()
    }
  }
}
