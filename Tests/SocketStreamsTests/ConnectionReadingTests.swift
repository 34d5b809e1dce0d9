/// What a `SocketConnection` reads: chunks, bytes and lines, however they come in pieces.

import Foundation
import SocketStreams
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectionReadingTests {
  static let sample = "one\r\ntwo\n\nvier är fünf\r\n\rsix\r\r\nlast"
  static let sampleLines = ["one", "two", "", "vier är fünf", "\rsix\r", "last"]

  @Test("lines are the same in every two pieces, and byte by byte")
  func everyChop() async throws {
    let bytes = Array(Self.sample.utf8)
    let chops =
      (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
    for pieces in chops {
      let (here, there) = try await SocketConnection.pair()
      async let lines = here.lines.taken()
      for piece in pieces { try await there.write(piece) }
      there.close()
      #expect(try await lines == Self.sampleLines)
    }
  }

  @Test("lines are the same through a buffer of any size", arguments: [1, 2, 3, 7])
  func smallBuffers(size: Int) async throws {
    let (here, there) = try await SocketConnection.pair(bufferSize: size)
    async let lines = here.lines.taken()
    try await there.write(Self.sample)
    there.close()
    #expect(try await lines == Self.sampleLines)
  }

  @Test("bytes that are no UTF-8 become replacement characters, line by line")
  func noUTF8() async throws {
    let (here, there) = try await SocketConnection.pair()
    try await there.write([0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0xA4, 0x0A])
    #expect(try await here.lines.taken(3) == ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
  }

  @Test("a line may have as many bytes as the limit, and no more", arguments: ["\n", "\r\n", ""])
  func lineLimit(end: String) async throws {
    for count in [7, 8, 9] {
      let (here, there) = try await SocketConnection.pair()
      let line = String(repeating: "x", count: count)
      try await there.write(line + end)
      there.close()
      if count <= 8 {
        #expect(try await here.lines(bytesMax: 8).taken() == [line])
      } else {
        let failure = await error { _ = try await here.lines(bytesMax: 8).taken() }
        #expect(failure as? SocketConnectionError == .lineTooLong(limit: 8))
      }
    }
  }

  @Test("a line without an end is refused before the peer has filled the memory")
  func endlessLine() async throws {
    let (connection, peer) = try await connected()
    async let sent = onThread { try peer.sendWhatFits(atMost: 50_000_000) }
    let failure = await error { _ = try await connection.lines.taken() }
    #expect(failure as? SocketConnectionError == .lineTooLong(limit: 65_536))
    #expect(try await sent < 50_000_000)
  }

  @Test("a line that was too long comes back in chunks that are not")
  func longLineLeft() async throws {
    let (here, there) = try await SocketConnection.pair(bufferSize: 1 << 20)
    try await there.write([UInt8](repeating: 7, count: 400_000))
    there.close()
    let failure = await error { _ = try await here.lines(bytesMax: 300_000).taken() }
    #expect(failure as? SocketConnectionError == .lineTooLong(limit: 300_000))
    #expect(try await here.chunks.taken().map(\.count) == [262_144, 137_856])
  }

  @Test("what a loop leaves is the next one's, whichever kind they are")
  func leftOver() async throws {
    let (here, there) = try await SocketConnection.pair()
    try await there.write("one\ntwo\nabcdefthree\nrest")
    there.close()
    #expect(try await here.lines.taken(1) == ["one"])
    #expect(try await here.lines.taken(1) == ["two"])
    #expect(try await here.bytes.taken(2) == Array("ab".utf8))
    #expect(try await here.bytes.taken(4) == Array("cdef".utf8))
    #expect(try await here.lines.taken(1) == ["three"])
    #expect(try await here.chunks.taken() == [Array("rest".utf8)])
    #expect(try await here.lines.taken() == [])
    #expect(try await here.bytes.taken() == [])
  }

  @Test("bytes and chunks come whole and in order, over a socket")
  func bulk() async throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let (one, onePeer) = try await connected()
    async let oneSent: Void = onThread {
      try onePeer.send(bytes)
      onePeer.close()
    }
    #expect(try await one.bytes.taken() == bytes)
    try await oneSent

    let (two, twoPeer) = try await connected()
    async let twoSent: Void = onThread {
      try twoPeer.send(bytes)
      twoPeer.close()
    }
    let chunks = try await two.chunks.taken()
    #expect(chunks.flatMap { $0 } == bytes)
    #expect(chunks.allSatisfy { (1...262_144).contains($0.count) })
    try await twoSent
  }

  @Test("the peer's end ends a loop, and every loop after it")
  func end() async throws {
    let (connection, peer) = try await connected()
    try peer.send("last words")
    peer.sendEnd()
    #expect(try await connection.lines.taken() == ["last words"])
    #expect(try await connection.lines.taken() == [])
    try await connection.write("goodbye")
    #expect(try await onThread { try peer.receive() } == Array("goodbye".utf8))
  }

  @Test("a reset is an error, after the bytes that came before it")
  func reset() async throws {
    let (connection, peer) = try await connected()
    try peer.send("one\n")
    #expect(try await connection.lines.taken(1) == ["one"])
    async let failure = error { _ = try await connection.lines.taken() }
    peer.reset()
    #expect((await failure as? POSIXError)?.code == .ECONNRESET)
  }

  @Test("several loops share what comes, and lose nothing")
  func severalReaders() async throws {
    let (connection, peer) = try await connected()
    let count = 200
    async let sent: Void = onThread {
      for _ in 0..<count { try peer.send([UInt8](repeating: 1, count: 1000)) }
      peer.close()
    }
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await connection.chunks.taken().reduce(0) { $0 + $1.count }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == count * 1000)
    try await sent
  }
}
