/// An engine over a blocking socket against the `openssl` program, as client and as server.

import Foundation
import TLS
import Testing
import TestSupport

/// An engine, a connected socket, and what was heard.
private final class Line {
  let engine: TLSEngine
  private let intake: Intake
  private let send: ([UInt8]) throws -> Void
  private(set) var heard: [UInt8] = []

  init(_ engine: TLSEngine, intake: Intake, send: @escaping ([UInt8]) throws -> Void) {
    self.engine = engine
    self.intake = intake
    self.send = send
  }

  func shakeHands() throws {
    while try !engine.handshake() { try turn() }
  }

  func say(_ text: String) throws {
    #expect(try engine.write(text) == text.utf8.count)
  }

  /// Until this was heard.
  func hear(_ expected: String) throws {
    while !text.contains(expected) { try turn() }
  }

  /// Until the peer's close-notify.
  func hearEnd() throws {
    while try engine.read().result != .ended { try turn() }
  }

  var text: String { String(decoding: heard, as: UTF8.self) }

  /// Sends what is to be sent, then reads once.
  private func turn() throws {
    if engine.bytesToSend > 0 { try flush() }
    let bytes = try intake.read()
    if bytes.isEmpty { engine.receiveEnd() } else { engine.receive(bytes) }
    if engine.isEstablished || engine.isReadable { heard += try engine.readAll() }
  }

  func flush() throws { try send(engine.sendAll()) }
}

@Suite("Against the openssl program")
struct ProgramTests {
  private func serverProgram(
    _ kind: Certificates.Kind, _ options: String...
  ) throws -> (program: ChildProcess, port: UInt16) {
    let certificates = try Certificates.made()
    let chain = certificates.chainPath(kind)
    let program = try ChildProcess(
      running: [
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", chain, "-cert_chain", chain,
        "-key", certificates.keyPath(kind), "-rev",
      ] + options, input: .pipe)
    while let line = try program.output.line() {
      guard line.hasPrefix("ACCEPT ") else { continue }
      let port = line.split(separator: ":").last.flatMap { UInt16($0) }
      return (program, try #require(port))
    }
    throw Failure("s_server: \(try program.ending().errors)")
  }

  private func client(_ port: UInt16, _ peerName: String) throws -> (Line, TestClient) {
    let socket = try TestClient(port: port)
    let engine = try TLSEngine(.shared(for: .trustingClient()), peerName: peerName)
    let line = Line(engine, intake: Intake(descriptor: dup(socket.descriptor))) {
      socket.send($0)
    }
    return (line, socket)
  }

  @Test("A client is answered by s_server", arguments: ["-tls1_2", "-tls1_3"])
  func asClient(version: String) throws {
    let (program, port) = try serverProgram(.good, version)
    let (line, socket) = try client(port, "localhost")
    try line.shakeHands()
    try line.say("desserts\n")
    try line.hear("stressed\n")
    line.engine.finish()
    try line.flush()
    #expect(line.engine.version == (version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3"))
    socket.close()
    program.send(SIGTERM)
    _ = try program.ending()
  }

  @Test("A client sees what is wrong with an s_server", arguments: [Certificates.Kind.expired])
  func badServer(kind: Certificates.Kind) throws {
    let (program, port) = try serverProgram(kind)
    let (line, socket) = try client(port, "localhost")
    #expect(
      error { try line.shakeHands() }?.cause == .certificateExpired(on: "2020-01-31", issuer: nil))
    // It is told why before the connection ends.
    try line.flush()
    try program.errors.read(until: "certificate expired")
    socket.close()
    program.send(SIGTERM)
    _ = try program.ending()
  }

  @Test("A server serves s_client, which verifies it, renews keys and says goodbye")
  func asServer() throws {
    let certificates = try Certificates.made()
    let listener = try ScriptedServer()
    let program = try ChildProcess(
      running: [
        "openssl", "s_client", "-connect", listener.address, "-CAfile", certificates.rootPath,
        "-verify_return_error", "-verify_hostname", "localhost", "-servername", "localhost",
      ], input: .pipe)
    let peer = try listener.accept()
    let engine = try TLSEngine(.shared(for: .server(showing: .good)), peerName: nil)
    let line = Line(engine, intake: peer.intake) { try peer.write($0) }
    try line.shakeHands()
    try line.say("welcome\n")
    try line.flush()
    try program.output.read(until: "welcome")
    // A line of K asks for new keys in both directions (RFC 8446 4.6.3).
    try program.type("K\n")
    try program.errors.read(until: "KEYUPDATE")
    try program.type("after\n")
    try line.hear("after\n")
    try line.say("heard\n")
    try line.flush()
    try program.output.read(until: "heard")
    program.endInput()
    try line.hearEnd()
    engine.finish()
    try line.flush()
    peer.end()
    let ending = try program.ending()
    #expect(ending.status == 0)
    #expect(ending.output.contains("Verify return code: 0 (ok)"))
  }
}
