/// The guide's code does what the guide says of it.

import Foundation
import SocketStreams
import TestSupport
import Testing

@testable import StreamSnippets

@Suite(.timeLimit(.minutes(20))) struct SnippetTests {
  @Test("the guide's run-loop client sends what does not fit at once, reads all, and ends")
  func runLoop() async throws {
    try await onThread {
      let listener = try Listener()
      let client = RunLoopClient()
      client.connect(to: "localhost", port: listener.port)
      let peer = try listener.accept()
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
      client.send(bytes)
      let far = Companion {
        let all = try peer.receive(exactly: bytes.count)
        try check(all == bytes, "other bytes came")
        try peer.send(Array(all.suffix(1000)))
        peer.sendEnd()
      }
      try check(run(20) { client.hasEnded }, "no end: \(client.received.count)")
      try far.join()
      try check(client.received == Data(bytes.suffix(1000)), "other bytes came back")
      try check(client.error == nil, "\(String(describing: client.error))")
    }
  }

  @Test("the guide's run-loop client hears of a refusal, and the guide's words say so")
  func refusal() async throws {
    try await onThread {
      let client = RunLoopClient()
      client.connect(to: "127.0.0.1", port: try BoundPort().number)
      try check(run { client.error != nil }, "no error")
      try check(
        explanation(client.error!) == "Nobody listens on that port.", explanation(client.error!))
    }
  }

  @MainActor @Test("the guide's client of the main actor hears all, then the end")
  func mainActor() throws {
    let listener = try Listener()
    let client = MainClient()
    client.connect(to: "127.0.0.1", port: listener.port)
    let peer = try listener.accept()
    try peer.send("all of it")
    peer.close()
    #expect(run { client.hasEnded }, "no end")
    #expect(client.received == "all of it")
  }

  @Test("the guide's queue client hears all, then the end, without a run loop")
  func queue() async throws {
    try await onThread {
      let listener = try Listener()
      let hasEnded = DispatchSemaphore(value: 0)
      let text = Noted()
      let client = QueueClient(host: "localhost", port: listener.port) {
        text.set($0)
        hasEnded.signal()
      }
      let peer = try listener.accept()
      try peer.send("all of it")
      peer.close()
      try check(hasEnded.wait(timeout: .now() + 5) == .success, "no end")
      try check(text.value == "all of it", text.value)
      client.close()
    }
  }

  @Test("the guide's words tell the kinds of errors apart")
  func words() {
    func sentence(_ domain: String, _ words: String = "It.") -> String {
      explanation(NSError(domain: domain, code: 2, userInfo: [NSLocalizedDescriptionKey: words]))
    }
    #expect(explanation(POSIXError(.EPIPE)) == "The peer broke the connection off.")
    #expect(explanation(POSIXError(.ETIMEDOUT)) == "The host does not answer.")
    #expect(sentence("kCFErrorDomainCFNetwork") == "There is no such host.")
    #expect(sentence(NSStreamSocketSSLErrorDomain) == "No secure connection. It.")
    #expect(sentence(NSStreamSOCKSErrorDomain) == "No way through the proxy. It.")
    #expect(sentence("mine") == "It.")
  }

  @Test("the guide's bound streams carry bytes in memory")
  func bound() {
    let (input, output) = boundStreams()
    input.open()
    output.open()
    #expect(output.put("hello") == 5)
    #expect(input.takeText() == "hello")
    input.close()
    output.close()
  }

  @Test("the guide's streams around a socket close it in the end")
  func around() throws {
    var ends: [Int32] = [-1, -1]
    try check(socketpair(AF_UNIX, streamSocket, 0, &ends) == 0, "no socket pair")
    let far = Connection(ends[1])
    let (input, output) = streams(around: ends[0])
    input.open()
    output.open()
    #expect(output.put("hello") == 5)
    #expect(try far.receive() == Array("hello".utf8))
    input.close()
    output.close()
    #expect(try far.receive() == [])
  }

  @Test("the guide's streams by path reach a service on a file")
  func path() async throws {
    try await onThread {
      let listener = try PathListener()
      let (input, output) = streams(toSocketAt: listener.path)
      input.open()
      output.open()
      let peer = try listener.accept()
      try check(output.put("hello") == 5, "not written")
      try check(try peer.receive() == Array("hello".utf8), "not received")
      input.close()
      output.close()
    }
  }

  @Test("the guide's question gets its answer")
  func question() async throws {
    let listener = try Listener()
    async let answered: Void = onThread {
      let peer = try listener.accept()
      try check(try peer.receive() == Array("who is there?\n".utf8), "another question")
      try peer.send("nobody\nelse\n")
      // What was not read makes the client's leave a reset.
      try check((try? peer.receive())?.isEmpty ?? true, "the client stays")
    }
    let answer = try await ask("who is there?", host: "127.0.0.1", port: listener.port)
    #expect(answer == "nobody")
    try await answered
  }

  @Test("the guide's conversation runs both ways at once, and its service answers in memory")
  func conversation() async throws {
    let (here, there) = try await SocketConnection.pair()
    async let served: Void = shout(on: there)
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (heard, hear) = AsyncStream.makeStream(of: String.self)
    async let spoken: Void = converse(on: here, saying: lines) { hear.yield($0) }
    line.yield("one")
    #expect(try await heard.taken(1) == ["ONE"])
    line.yield("two")
    #expect(try await heard.taken(1) == ["TWO"])
    line.finish()
    try await spoken
    try await served
  }

  /// In a process of its own: the guide's time limit of ten seconds is no match for this one, whose
  /// few threads for tasks other tests hold up.
  @Test("the guide's secure connection does not speak with a peer in clear")
  func secureConnection() async {
    await #expect(processExitsWith: .success) {
      let listener = try Listener()
      async let refused: Void = onThread {
        let peer = try listener.accept()
        try peer.send("welcome, stranger\n")
        _ = try peer.receive()
      }
      let failure = await error {
        _ = try await connectSecurely(to: "localhost", port: listener.port)
      }
      try await refused
      try check((failure as NSError?)?.domain == NSStreamSocketSSLErrorDomain, "\(failure as Any)")
      let words = explanation(try #require(failure))
      try check(words.hasPrefix("No secure connection. "), words)
    }
  }

  @Test("the guide's classic streams become a connection, and fail as one")
  func classic() async throws {
    let proxy = try BoundPort()
    let failure = await error {
      _ = try await connect(through: proxy.number, to: "example.org", port: 80)
    }
    #expect((failure as? POSIXError)?.code == .ECONNREFUSED)
  }

  @Test("the guide's TLS trusts a root of one's own where it is named, and no stranger's otherwise")
  func tls() async throws {
    try await onThread {
      let server = try SecureServer()
      let root = try Data(Certificates.made().root())
      for isTrusted in [true, false] {
        let streams = Streams(port: server.port, .preferred)
        let isTaken =
          isTrusted
          ? secure(streams.input, trusting: root, as: "localhost") : secure(streams.input)
        try check(isTaken, "not taken")
        streams.schedule()
        streams.open()
        let event = isTrusted ? "out space" : "in error"
        try check(run { streams.recorder.has(event) }, "\(streams.recorder.events)")
        streams.close()
      }
    }
  }

  @Test("the guide's proxy is taken before the opening, and not after it")
  func proxy() throws {
    let listener = try Listener()
    let streams = Streams(port: listener.port, .preferred)
    #expect(useProxy(streams.input, port: 1080))
    let kept =
      streams.output.property(forKey: .socksProxyConfigurationKey) as? NSDictionary
    #expect(kept?["SOCKSPort"] as? Int == 1080)
    streams.open()
    #expect(!useProxy(streams.input, port: 1081))
    streams.close()
  }
}

/// What another thread notes.
private final class Noted: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var text = ""

  func set(_ text: String) { lock.withLock { self.text = text } }
  var value: String { lock.withLock { text } }
}
