/// What is read from a `SocketConnection`, as sequences: chunks as they come, bytes, lines.
/// Each reads from the socket when it is asked for more and has nothing, and never ahead of that.

extension SocketConnection {
  /// The bytes as they come, 1 to 65,536 at a time. Ends at the peer's end and after ``close()``.
  public var chunks: Chunks { Chunks(streams: streams) }

  /// The bytes one by one. A loop that is left early leaves the rest to the next.
  public var bytes: Bytes { Bytes(streams: streams) }

  /// The lines, of at most 65,536 bytes each; see ``lines(bytesMax:)``.
  public var lines: Lines { lines(bytesMax: 64 * 1024) }

  /// The lines, without their ends: LF, or CR and LF. What comes after the last end is a line too.
  ///
  /// Bytes that are no UTF-8 become replacement characters. A loop that is left early leaves the
  /// rest to the next.
  ///
  /// - Parameter bytesMax: More bytes before an end throw ``SocketConnectionError/lineTooLong(limit:)``,
  ///   so that a peer cannot fill the memory.
  public func lines(bytesMax: Int) -> Lines { Lines(streams: streams, bytesMax: bytesMax) }

  /// See ``SocketConnection/chunks``.
  public struct Chunks: AsyncSequence, Sendable {
    let streams: ConnectionStreams

    /// Reads once for each element.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let streams: ConnectionStreams

      /// The next chunk; nil at the end.
      public func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> [UInt8]? {
        try await streams.read()
      }
    }

    /// An iterator; any number may be at work, and share what comes.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(streams: streams) }
  }

  /// See ``SocketConnection/bytes``.
  public struct Bytes: AsyncSequence, Sendable {
    let streams: ConnectionStreams

    /// Reads when it has handed out what it has.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let held: HeldBytes

      /// The next byte; nil at the end.
      public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> UInt8? {
        while held.start == held.bytes.count {
          guard try await held.readMore() else { return nil }
        }
        defer { held.start += 1 }
        return held.bytes[held.start]
      }
    }

    /// An iterator; any number may be at work, and share what comes.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(held: HeldBytes(streams)) }
  }

  /// See ``SocketConnection/lines(bytesMax:)``.
  public struct Lines: AsyncSequence, Sendable {
    let streams: ConnectionStreams
    let bytesMax: Int

    /// Reads until there is a line.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let held: HeldBytes
      let bytesMax: Int

      /// The next line; nil at the end.
      public func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> String? {
        while true {
          if let line = try held.takeLine(bytesMax: bytesMax) { return line }
          if try await !held.readMore() { return try held.takeRest(bytesMax: bytesMax) }
        }
      }
    }

    /// An iterator; any number may be at work, and share what comes.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(held: HeldBytes(streams), bytesMax: bytesMax)
    }
  }
}

/// What an iterator has taken from its connection and not handed out. At its end the connection
/// gets it back.
final class HeldBytes {
  private let streams: ConnectionStreams
  fileprivate var bytes: [UInt8] = []
  /// The first byte not handed out.
  fileprivate var start = 0
  /// Where to look on for the end of a line.
  private var searched = 0

  init(_ streams: ConnectionStreams) { self.streams = streams }

  deinit {
    if start < bytes.count { streams.giveBack(bytes[start...]) }
  }

  /// False at the end.
  fileprivate func readMore() async throws -> Bool {
    guard let more = try await streams.read() else { return false }
    if start == bytes.count {
      bytes = more
      searched = 0
    } else {
      bytes.removeSubrange(..<start)
      searched -= start
      bytes += more
    }
    start = 0
    return true
  }

  /// Nil when no whole line is there.
  fileprivate func takeLine(bytesMax: Int) throws -> String? {
    guard let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      // A CR may be the first half of the end.
      let count = bytes.count - start - (bytes.last == UInt8(ascii: "\r") ? 1 : 0)
      guard count <= bytesMax else { throw SocketConnectionError.lineTooLong(limit: bytesMax) }
      return nil
    }
    let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
    let line = bytes[start..<(hasReturn ? end - 1 : end)]
    guard line.count <= bytesMax else { throw SocketConnectionError.lineTooLong(limit: bytesMax) }
    start = end + 1
    return String(decoding: line, as: UTF8.self)
  }

  /// What is left at the end, if anything.
  fileprivate func takeRest(bytesMax: Int) throws -> String? {
    let rest = bytes[start...]
    guard !rest.isEmpty else { return nil }
    guard rest.count <= bytesMax else { throw SocketConnectionError.lineTooLong(limit: bytesMax) }
    start = bytes.count
    return String(decoding: rest, as: UTF8.self)
  }
}
