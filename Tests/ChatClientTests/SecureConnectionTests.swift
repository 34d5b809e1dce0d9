/// The library's connection by TLS, through a real relay to a scripted server.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatClient

@Suite(.timeLimit(.minutes(20))) struct SecureConnectionTests {
  private let server: ScriptedServer
  private let diary = Diary()

  init() throws {
    server = try ScriptedServer()
  }

  private static func root() throws -> TrustedCertificates {
    try #require(TrustedCertificates(pem: Data(Certificates.made().root())))
  }

  private func connection(
    to address: String, trusting certificates: TrustedCertificates? = nil,
    speech: ChatConnection.Speech = .plain
  ) throws -> ChatConnection {
    let connection = ChatConnection(
      to: try #require(ServerAddress(address)), as: try UserName("ann"), speech: speech,
      security: .tls(trusting: certificates))
    connection.delegate = diary
    return connection
  }

  private func logIn(_ connection: ChatConnection) throws -> ScriptedPeer {
    connection.open()
    try diary.run { connection.state == .loggingIn }
    let peer = try server.accept()
    try peer.welcome()
    try diary.run { connection.state == .open }
    return peer
  }

  @Test("the states are entered in order, and the version is known from the login on")
  func states() throws {
    let relay = try TLSRelay(to: server.port)
    let connection = try connection(to: relay.address, trusting: Self.root())
    #expect(connection.tlsVersion == nil)
    let peer = try logIn(connection)
    connection.finish()
    try peer.write("* pong \(peer.line("ping:"))\n")
    try diary.run { connection.state == .closed(.finished) }
    #expect(diary.states == [.securing, .loggingIn, .open, .closed(.finished)])
    #expect(diary.tlsVersions == [nil, "TLS 1.3", "TLS 1.3", "TLS 1.3"])
    #expect(diary.lines == [.joined("ann")])
    #expect(try peer.intake.line() == nil)
  }

  @Test("megabytes go through whole, what the socket does not take at once too")
  func volume() throws {
    let relay = try TLSRelay(to: server.port)
    let connection = try connection(to: relay.address, trusting: Self.root())
    let peer = try logIn(connection)
    let count = 2_000
    let text = String(repeating: "x", count: 1_000)
    for number in 1...count { connection.ask(.ping("\(number) \(text)")) }
    for number in 1...count {
      // The loop turns only as long as nothing is there to be read.
      while try !peer.intake.hasLine() {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      let line = try peer.line("ping:")
      guard line == "\(number) \(text)" else { throw Failure("\(line.prefix(20)), not \(number)") }
      try peer.write("bob: \(line)\n")
      if number % 50 == 0 { try diary.run { diary.lines.count == number + 1 } }
    }
    #expect(diary.lines.last == .said(from: "bob", text: "\(count) \(text)"))
  }

  @Test("a tutorial server's greeting that comes with the handshake is shown")
  func greeting() throws {
    let relay = try TLSRelay(to: server.port)
    let connection = try connection(
      to: relay.address, trusting: Self.root(), speech: .tutorial)
    connection.open()
    try diary.run { connection.state == .open }
    let peer = try server.accept()
    try peer.write("welcome\n")
    try diary.run { diary.lines == [.other("welcome")] }
    #expect(diary.states == [.securing, .loggingIn, .open])
  }

  @Test(
    "every bad certificate closes with its kind, before anything is said (pitfall 17)",
    arguments: [
      (.expired, .outOfDate), (.expiredIntermediate, .outOfDate), (.notYetValid, .outOfDate),
      (.wrongHost, .wrongHost), (.selfSigned, .notTrusted),
      (.unknownAuthority, .notTrusted), (.unknownAuthorityAlone, .notTrusted),
      (.missingIntermediate, .badCertificate), (.wrongSignature, .badCertificate),
      (.notAuthority, .badCertificate), (.client, .badCertificate),
    ] as [(Certificates.Kind, SecurityProblem)])
  func badCertificates(kind: Certificates.Kind, problem: SecurityProblem) throws {
    let relay = try TLSRelay(to: server.port, showing: kind)
    let connection = try connection(to: relay.address, trusting: Self.root())
    connection.open()
    try diary.run {
      if case .closed = connection.state { true } else { false }
    }
    #expect(diary.states.count == 2)
    #expect(diary.states.first == .securing)
    guard case .closed(.notSecured(let words, problem)) = connection.state else {
      throw Failure("\(connection.state)")
    }
    #expect(words.first?.isLowercase == true && !words.hasSuffix("."), "\(words)")
    #expect(connection.tlsVersion == nil)
  }

  @Test("a connection that is let go in the handshake is closed")
  func letGo() throws {
    var connection: ChatConnection? = try connection(to: server.address)
    connection?.open()
    try diary.run { connection?.state == .securing }
    let peer = try server.accept()
    connection = nil
    try peer.intake.readToEnd()
    // A TLS hello, and nothing in plain text after it.
    #expect(peer.intake.bytes.starts(with: [0x16, 0x03]))
    #expect(diary.states == [.securing])
  }

  @Test("certificates are taken only where all of them can be read")
  func certificates() throws {
    let good = try Certificates.made()
    let root = Data(try good.root())
    #expect(TrustedCertificates(pem: root + root) != nil)
    #expect(
      TrustedCertificates(pem: Data("# a comment\n".utf8) + root)?.pem.count ?? 0 > root.count)
    #expect(TrustedCertificates(pem: Data()) == nil)
    #expect(TrustedCertificates(pem: Data("no certificate\n".utf8)) == nil)
    #expect(TrustedCertificates(pem: Data(try good.key(.good))) == nil)
    let cut = String(decoding: root, as: UTF8.self).replacingOccurrences(of: "MII", with: "MI-")
    #expect(TrustedCertificates(pem: Data(cut.utf8)) == nil)
    #expect(TrustedCertificates(pem: root + Data(cut.utf8)) == nil)
    #expect(ChatSecurity.isTLSAvailable)
  }
}
