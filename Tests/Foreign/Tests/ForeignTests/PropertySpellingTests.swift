/// Every spelling of a property reaches the stream as the key and the value that it means.

import SocketStreams
import Spellings
import Testing

/// Notes what it is told, and answers what it was told to.
private final class NotingInput: InputStream {
  var notes: [String] = []
  var failure: (any Error)?

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    notes.append("\(key.rawValue): \(spelled(property))")
    return true
  }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? {
    NSString(string: "of \(key.rawValue)")
  }

  override var streamError: (any Error)? { failure }
}

private final class NotingOutput: OutputStream {
  var notes: [String] = []

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    notes.append("\(key.rawValue): \(spelled(property))")
    return true
  }
}

/// A value in words; a dictionary's keys in their order.
private func spelled(_ value: Any?) -> String {
  switch value {
  case let level as StreamSocketSecurityLevel: level.rawValue
  case let type as StreamNetworkServiceTypeValue: type.rawValue
  case is NSNull: "<null>"
  case let number as NSNumber: number.stringValue
  case let text as String: text
  case let dictionary as NSDictionary:
    dictionary.map { "\(spelled($0.key))=\(spelled($0.value))" }.sorted().joined(separator: " ")
  case nil: "nil"
  case let other?: "\(type(of: other)) \(other)"
  }
}

@Suite(.timeLimit(.minutes(20))) struct PropertySpellingTests {
  static let settings = levels + dictionaries + proxies + sockets

  @Test("each setting arrives (pitfall 20)", arguments: settings.indices)
  func arrives(index: Int) {
    let setting = Self.settings[index]
    let input = NotingInput(data: Data())
    let output = NotingOutput(toMemory: ())
    #expect(setting.apply(input, output), "\(setting.name)")
    let notes = input.notes + output.notes
    #expect(!notes.isEmpty)
    for note in notes { #expect(note == "\(setting.key): \(setting.value)", "\(setting.name)") }
  }

  @Test("a transport's switches arrive on both streams")
  func transport() {
    let input = NotingInput(data: Data())
    let output = NotingOutput(toMemory: ())
    let transport = SecureTransport()
    transport.configure(input, output)
    transport.desiredTrustHostname = "example.org"
    transport.configure(input, output)
    let level =
      "kCFStreamPropertySocketSecurityLevel: kCFStreamSocketSecurityLevelNegotiatedSSL"
    let settings = "kCFStreamPropertySSLSettings: kCFStreamSSLPeerName="
    let rest = " kCFStreamSSLValidatesCertificateChain=0"
    let all = [
      level, settings + "<null>" + rest, level, settings + "example.org" + rest,
    ]
    #expect(input.notes == all)
    #expect(output.notes == all)
  }

  @Test("line 36: connected streams tell handle, host and port, in every spelling")
  func facts() async throws {
    try await onThread {
      let server = try EchoServer()
      let pair = openings[0].make(server.port)
      let input = try #require(pair.input)
      let output = try #require(pair.output)
      try check(Facts(input, output).handles == [])
      input.open()
      output.open()
      try check(output.write("hello", maxLength: 5) == 5)
      let facts = Facts(input, output)
      try check(facts.handles.count == 3)
      try check(Set(facts.handles).count == 1)
      try check((facts.handles.first ?? -1) > 2)
      try check(facts.host == "localhost")
      try check(facts.port == server.port)
      try check(facts.unknown == nil)
      input.close()
      output.close()
      try check(try server.transcript() == "hello")
    }
  }

  @Test("Core Foundation's calls reach the members of any stream")
  func anyStream() {
    let input = NotingInput(data: Data([1, 2, 3]))
    #expect(
      CFReadStreamCopyProperty(input, .socketNativeHandle) as? String
        == "of kCFStreamPropertySocketNativeHandle")
    #expect(CFReadStreamSetProperty(input, CFStreamPropertyKey("mine"), nil))
    #expect(input.notes == ["mine: nil"])
    #expect(CFReadStreamOpen(input))
    #expect(!CFReadStreamOpen(input))
    #expect(CFReadStreamGetStatus(input) == .open)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(CFReadStreamRead(input, &bytes, 8) == 3)
    CFReadStreamClose(input)
    #expect(CFReadStreamGetStatus(input) == .closed)

    let memory = OutputStream.toMemory()
    #expect(CFWriteStreamOpen(memory))
    #expect(CFWriteStreamWrite(memory, [7, 8], 2) == 2)
    #expect(CFWriteStreamCopyProperty(memory, .dataWritten) as? Data == Data([7, 8]))
    CFWriteStreamClose(memory)
  }

  @Test("Core Foundation's calls on no stream do nothing")
  func noStream() {
    #expect(!CFReadStreamOpen(nil))
    #expect(CFReadStreamGetStatus(nil) == .notOpen)
    #expect(CFReadStreamRead(nil, nil, 1) == -1)
    #expect(CFWriteStreamWrite(nil, nil, 1) == -1)
    #expect(CFReadStreamCopyError(nil) == nil)
    #expect(CFWriteStreamCopyProperty(nil, .dataWritten) == nil)
  }

  @Test("a failure is told in two numbers, whatever error it was")
  func numbers() {
    let input = NotingInput(data: Data())
    #expect(CFReadStreamGetError(input) == CFStreamError(domain: 0, error: 0))
    input.failure = POSIXError(.ETIMEDOUT)
    #expect(CFReadStreamGetError(input) == CFStreamError(domain: 1, error: 110))
    input.failure = NSError(
      domain: kCFErrorDomainCFNetwork as String, code: 2,
      userInfo: ["_kCFStreamErrorDomainKey": 12, "_kCFStreamErrorCodeKey": -2])
    #expect(
      CFReadStreamGetError(input)
        == CFStreamError(domain: CFIndex(kCFStreamErrorDomainNetDB), error: EAI_NONAME))
    input.failure = NSError(domain: NSStreamSocketSSLErrorDomain, code: -9807)
    #expect(CFReadStreamGetError(input) == CFStreamError(domain: 3, error: -9807))
    input.failure = NSError(domain: "mine", code: 1)
    #expect(CFReadStreamGetError(input) == CFStreamError(domain: -1, error: 1))
  }

  @Test("a key is one key in all its spellings")
  func keys() {
    #expect(kCFStreamPropertySocketSecurityLevel as Stream.PropertyKey == .socketSecurityLevelKey)
    #expect(kCFStreamPropertySOCKSProxy as Stream.PropertyKey == .socksProxyConfigurationKey)
    #expect(kCFStreamNetworkServiceType as Stream.PropertyKey == .networkServiceType)
    #expect(CFStreamPropertyKey.dataWritten == CFStreamPropertyKey(kCFStreamPropertyDataWritten))
    #expect(
      Stream.PropertyKey.fileCurrentOffsetKey.rawValue as NSString
        == kCFStreamPropertyFileCurrentOffset)
    let object = Stream.PropertyKey.networkServiceType as NSString
    #expect(object == kCFStreamNetworkServiceType)
    #expect((object as AnyObject) as? Stream.PropertyKey == .networkServiceType)
  }
}
