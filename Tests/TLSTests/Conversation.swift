/// Two engines in one test, and the ciphertext that goes between them in pieces of any size.

import TLS
import TestSupport

/// A client's engine and a server's. What goes wrong in a handshake is kept, not thrown, as the
/// other side has yet to hear of it.
final class Conversation {
  let client: TLSEngine
  let server: TLSEngine
  private(set) var clientError: TLSError?
  private(set) var serverError: TLSError?
  /// How many bytes of ciphertext go at once.
  var pieceMax = Int.max

  init(
    client: TLSConfiguration, server: TLSConfiguration, peerName: String? = "localhost"
  ) throws {
    self.client = try TLSEngine(.shared(for: client), peerName: peerName)
    self.server = try TLSEngine(.shared(for: server), peerName: nil)
  }

  /// A client that trusts the tests' root, and a server that shows a certificate of this kind.
  convenience init(
    showing kind: Certificates.Kind = .good, version: TLSVersion = .v1_3,
    peerName: String? = "localhost", adjust: (inout TLSConfiguration) -> Void = { _ in }
  ) throws {
    var client = try TLSConfiguration.trustingClient()
    client.leastVersion = version
    client.greatestVersion = version
    adjust(&client)
    try self.init(client: client, server: .server(showing: kind), peerName: peerName)
  }

  /// Shakes hands as far as it goes.
  func shakeHands() {
    advance(client)
    repeat {} while carry()
  }

  /// Both directions once, until an engine must be read from first. Says whether anything went.
  @discardableResult func carry() -> Bool {
    let there = carry(from: client, to: server)
    let back = carry(from: server, to: client)
    return there || back
  }

  @discardableResult func carry(from: TLSEngine, to: TLSEngine) -> Bool {
    var hasMoved = false
    while from.bytesToSend > 0, !to.isReadable {
      let moved = from.send { bytes in
        to.receive { room in
          let count = min(pieceMax, bytes.count, room.count)
          room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
          return count
        }
      }
      guard moved > 0 else { break }
      hasMoved = true
      advance(to)
    }
    return hasMoved
  }

  private func advance(_ engine: TLSEngine) {
    do throws(TLSError) {
      _ = try engine.handshake()
    } catch {
      if engine === client { clientError = error } else { serverError = error }
    }
  }

  /// Says `bytes` from one engine to the other, reading as it goes. What was heard.
  func say(_ bytes: [UInt8], from: TLSEngine, to: TLSEngine) throws -> [UInt8] {
    var heard: [UInt8] = []
    var said = 0
    while said < bytes.count || from.bytesToSend > 0 || to.isReadable {
      said += try from.write(bytes[said...])
      carry(from: from, to: to)
      heard += try to.readAll()
    }
    return heard
  }
}

extension TLSEngine {
  func write(_ bytes: ArraySlice<UInt8>) throws -> Int {
    try bytes.withUnsafeBytes { bytes in
      // A closure's throws are not typed here; the engine's are.
      try write(bytes)
    }
  }

  func write(_ text: String) throws -> Int { try write(Array(text.utf8)[...]) }

  /// One read with room for `count` bytes.
  func read(_ count: Int = 4_096) throws -> (result: TLSRead, bytes: [UInt8]) {
    var room = [UInt8](repeating: 0, count: count)
    let result = try room.withUnsafeMutableBytes { try read(into: $0) }
    guard case .bytes(let count) = result else { return (result, []) }
    return (result, Array(room[..<count]))
  }

  /// Everything that can be read now.
  func readAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while case let (.bytes, bytes) = try read(65_536) { all += bytes }
    return all
  }

  /// Takes in ciphertext from elsewhere.
  func receive(_ bytes: [UInt8]) {
    _ = receive { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Everything that is to be sent, taken off.
  func sendAll() -> [UInt8] {
    var all: [UInt8] = []
    _ = send { bytes in
      all += bytes
      return bytes.count
    }
    return all
  }
}

extension TLSConfiguration {
  /// Trusts the tests' root and nothing else.
  static func trustingClient() throws -> TLSConfiguration {
    var configuration = TLSConfiguration()
    configuration.extraRoots = try Certificates.made().root()
    configuration.trustsSystem = false
    return configuration
  }

  static func server(showing kind: Certificates.Kind) throws -> TLSConfiguration {
    var configuration = TLSConfiguration(role: .server)
    configuration.identity = try .made(kind)
    return configuration
  }
}

extension TLSIdentity {
  static func made(_ kind: Certificates.Kind) throws -> TLSIdentity {
    let certificates = try Certificates.made()
    return try TLSIdentity(pem: certificates.chain(kind), key: certificates.key(kind))
  }
}
