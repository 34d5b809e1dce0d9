/// Words and ends between two engines: bulk, back-pressure, half-closes, and what cuts them short.

import TLS
import Testing
import TestSupport

@Suite("Transfers")
struct TransferTests {
  private func established(_ version: TLSVersion = .v1_3) throws -> Conversation {
    let talk = try Conversation(version: version)
    talk.shakeHands()
    #expect(talk.client.isEstablished && talk.server.isEstablished)
    return talk
  }

  @Test("Much comes through unchanged, both ways", arguments: TLSVersion.allCases)
  func bulk(version: TLSVersion) throws {
    let talk = try established(version)
    var state: UInt32 = 1
    let bytes = (0..<600_003).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    #expect(try talk.say(bytes, from: talk.client, to: talk.server) == bytes)
    talk.pieceMax = 1_461
    #expect(try talk.say(bytes, from: talk.server, to: talk.client) == bytes)
  }

  @Test(
    "A read gives as much as there is room for, however the records lie", arguments: [1, 7, 99])
  func rooms(count: Int) throws {
    let talk = try established()
    for word in ["one", "", "two", "three"] { _ = try talk.client.write(word) }
    talk.carry()
    var heard: [UInt8] = []
    while talk.server.isReadable {
      let (result, bytes) = try talk.server.read(count)
      #expect(result == .bytes(min(count, 11 - heard.count)))
      heard += bytes
    }
    #expect(heard == "onetwothree".bytes)
    #expect(try talk.server.read().result == .needsMore)
  }

  @Test("One write takes four records' worth, and nothing while a quarter of a MiB waits")
  func writeLimits() throws {
    let talk = try established()
    let bytes = [UInt8](repeating: 1, count: TLSEngine.writeMax + 1)
    #expect(try talk.client.write([]) == 0)
    var taken = 0
    while true {
      let count = try talk.client.write(bytes[...])
      guard count > 0 else { break }
      #expect(count == TLSEngine.writeMax)
      taken += count
    }
    #expect(talk.client.bytesToSend > TLSEngine.bytesToSendMax)
    #expect(talk.client.bytesToSend < TLSEngine.bytesToSendMax + TLSEngine.writeMax + 1_024)
    #expect(try talk.say([], from: talk.client, to: talk.server).count == taken)
    #expect(try talk.client.write("x") == 1)
  }

  @Test("Readable is what can be read without more ciphertext, and nothing less")
  func readable() throws {
    // The tickets of TLS 1.3 came behind the handshake: nothing that could be read.
    let talk = try established()
    #expect(!talk.client.isReadable)
    _ = try talk.server.write("abc")
    let record = talk.server.sendAll()
    for byte in record.dropLast() {
      talk.client.receive([byte])
      #expect(!talk.client.isReadable)
      #expect(try talk.client.read().result == .needsMore)
    }
    talk.client.receive([record[record.count - 1]])
    #expect(talk.client.isReadable)
    #expect(try talk.client.read(2).bytes == "ab".bytes)
    #expect(talk.client.isReadable)
    #expect(try talk.client.read(2).bytes == "c".bytes)
    #expect(!talk.client.isReadable)
  }

  @Test(
    "An end comes behind the words, and the other direction goes on", arguments: TLSVersion.allCases
  )
  func halfClose(version: TLSVersion) throws {
    let talk = try established(version)
    _ = try talk.client.write("last words")
    talk.client.finish()
    let once = talk.client.bytesToSend
    talk.client.finish()
    #expect(talk.client.bytesToSend == once)
    talk.carry()
    #expect(try talk.server.read().bytes == "last words".bytes)
    #expect(talk.server.isReadable)
    #expect(try talk.server.read().result == .ended)
    #expect(try talk.server.read().result == .ended)
    #expect(
      try talk.say("still here".bytes, from: talk.server, to: talk.client) == "still here".bytes)
    talk.server.finish()
    talk.carry()
    #expect(try talk.client.read().result == .ended)
    // The transport's own end is no truncation any more.
    talk.client.receiveEnd()
    #expect(try talk.client.read().result == .ended)
  }

  @Test("What comes behind an end is nobody's")
  func behindTheEnd() throws {
    let talk = try established()
    talk.client.finish()
    talk.carry()
    talk.server.receive("GET / HTTP/1.1\r\n".bytes)
    #expect(try talk.server.read().result == .ended)
  }

  @Test("An end that is asked for during the handshake is told after it")
  func earlyFinish() throws {
    let talk = try Conversation()
    _ = try talk.client.handshake()
    talk.client.finish()
    talk.shakeHands()
    #expect(talk.client.isEstablished)
    #expect(try talk.server.read().result == .ended)
  }

  @Test(
    "A transport that ends without a close-notify cut something off, and words before come first",
    arguments: TLSVersion.allCases, [false, true])
  func truncation(version: TLSVersion, inRecord: Bool) throws {
    let talk = try established(version)
    _ = try talk.client.write("words")
    talk.carry()
    if inRecord {
      _ = try talk.client.write("lost")
      talk.server.receive(Array(talk.client.sendAll().dropLast()))
    }
    talk.server.receiveEnd()
    #expect(try talk.server.read().bytes == "words".bytes)
    #expect(talk.server.isReadable)
    let expected = TLSError(.truncated)
    #expect(throws: expected) { try talk.server.read() }
    #expect(throws: expected) { try talk.server.read() }
    #expect(
      expected.description
        == "the connection to the peer ended without a TLS close; something may be missing")
  }

  @Test("A transport that ends during the handshake is an error of its own")
  func cutHandshake() throws {
    for count in [0, 1, 100] {
      let talk = try Conversation()
      _ = try talk.client.handshake()
      talk.carry(from: talk.client, to: talk.server)
      talk.client.receive(Array(talk.server.sendAll().prefix(count)))
      talk.client.receiveEnd()
      let expected = TLSError(.endedInHandshake, peerName: "localhost")
      #expect(throws: expected) { try talk.client.handshake() }
      #expect(talk.client.isReadable)
      #expect(
        expected.description == "localhost closed the connection during the TLS handshake")
    }
  }

  @Test("A changed record is an error behind the words before it", arguments: TLSVersion.allCases)
  func damage(version: TLSVersion) throws {
    let talk = try established(version)
    _ = try talk.client.write("good")
    var ciphertext = talk.client.sendAll()
    _ = try talk.client.write("changed")
    ciphertext += talk.client.sendAll()
    _ = try talk.client.write("never seen")
    ciphertext[ciphertext.count - 1] ^= 1
    talk.server.receive(ciphertext + talk.client.sendAll())
    #expect(try talk.server.read().bytes == "good".bytes)
    #expect(throws: TLSError(.damaged)) { try talk.server.read() }
    #expect(throws: TLSError(.damaged)) { try talk.server.write("x") }
    // The other side is told.
    talk.carry(from: talk.server, to: talk.client)
    #expect(throws: TLSError(.peerRefused(alert: "bad record MAC"), peerName: "localhost")) {
      try talk.client.read()
    }
  }

  @Test("What fails to be lent room or bytes changes nothing")
  func nothing() throws {
    let talk = try established()
    #expect(talk.client.receive { _ in -1 } == -1)
    #expect(talk.client.receive { _ in 0 } == 0)
    #expect(talk.client.receive { max(0, TLSEngine.receiveRoom - $0.count) } == 0)
    #expect(talk.client.send { _ in 1 } == 0)
    _ = try talk.client.write("word")
    let count = talk.client.bytesToSend
    #expect(talk.client.send { _ in -1 } == -1)
    #expect(talk.client.bytesToSend == count)
    talk.carry()
    #expect(try talk.server.read().bytes == "word".bytes)
  }
}
