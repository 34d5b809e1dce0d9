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

@Suite(.timeLimit(.minutes(1))) struct ProxiedTests {
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
      let apple = settings(
        proxy,
        [
          kCFStreamPropertySOCKSVersion as String: kCFStreamSocketSOCKSVersion5,
          kCFStreamPropertySOCKSUser as String: "ann",
          kCFStreamPropertySOCKSPassword as String: "secret",
        ])
      for (dictionary, onInput) in [(foundation, true), (apple, false)] {
        // A name that only the proxy resolves: it is asked for localhost.
        let streams = Streams(port: listener.port, host: "localhost", .preferred)
        let half: Stream = onInput ? streams.input : streams.output
        try check(half.setProperty(dictionary, forKey: proxyKey), "refused")
        let kept = streams.input.property(forKey: proxyKey) as? NSDictionary
        try check(kept?.count == dictionary.count, "the pair's settings")
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

  @Test("line 36: settings that make no proxy are refused, and all once the connecting has begun")
  func refused() async throws {
    try await onThread {
      let listener = try Listener()
      let streams = Streams(port: listener.port, .preferred)
      let host = kCFStreamPropertySOCKSProxyHost as String
      let bad: [[String: Any]] = [
        [:], [host: 7], [host: "p", kCFStreamPropertySOCKSProxyPort as String: 70_000],
        [host: "p", kCFStreamPropertySOCKSVersion as String: "6"],
        [host: "p", kSocketStreamsSOCKSTimeout as String: -1],
      ]
      for dictionary in bad {
        try check(!streams.input.setProperty(dictionary, forKey: proxyKey), "\(dictionary)")
      }
      try check(!streams.input.setProperty("socks://p", forKey: proxyKey), "a string")
      try check(streams.input.property(forKey: proxyKey) == nil, "kept what it refused")
      streams.open()
      try check(!streams.input.setProperty([host: "p"], forKey: proxyKey), "after open()")
      streams.close()
    }
  }

  @Test("lines 8, 9, 36: what goes wrong with a proxy fails both halves, in words")
  func failures() async throws {
    try await onThread {
      let proxy = try RealProxy.microsocks()
      let closed = try BoundPort()
      let streams = Streams(port: closed.number, .preferred)
      try check(streams.input.setProperty(settings(proxy), forKey: proxyKey), "refused")
      streams.schedule()
      streams.open()
      try check(
        run { streams.recorder.has("in error") && streams.recorder.has("out error") },
        "\(streams.recorder.events)")
      try check(!streams.recorder.has("in open"), "\(streams.recorder.events)")
      let error = try #require(streams.input.streamError as NSError?)
      try check(error.domain == NSStreamSOCKSErrorDomain, error.domain)
      try check(error.localizedDescription.contains("refused"), error.localizedDescription)
      streams.close()
      try proxy.stop()
    }
  }

  @Test("line 36: a proxy that says nothing is given up after the seconds that the settings allow")
  func silent() async throws {
    try await onThread {
      let silent = try Listener()
      let streams = Streams(port: 9, host: "example.invalid", .preferred)
      let dictionary: [String: Any] = [
        kCFStreamPropertySOCKSProxyHost as String: "127.0.0.1",
        kCFStreamPropertySOCKSProxyPort as String: silent.port,
        kSocketStreamsSOCKSTimeout as String: 0.2,
      ]
      try check(streams.input.setProperty(dictionary, forKey: proxyKey), "refused")
      streams.schedule()
      streams.open()
      try check(run { streams.recorder.has("in error") }, "\(streams.recorder.events)")
      streams.close()
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
