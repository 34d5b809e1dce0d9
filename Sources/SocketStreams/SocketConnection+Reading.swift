/// What is read from a `SocketConnection`, as sequences: chunks as they come, bytes, lines.
/// Each reads from the socket when it is asked for more and has nothing, and never ahead of that.

internal import Glibc

extension SocketConnection {
  /// The bytes as they come, 1 to 262,144 at a time. Ends at the peer's end and after ``close()``.
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
  /// - Parameter bytesMax: More bytes without an end throw
  ///   ``SocketConnectionError/lineTooLong(limit:)``, so that a peer cannot fill the memory.
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
      @usableFromInline let held: HeldBytes

      /// The next byte; nil at the end.
      // Inlined, because a call for each byte costs ten times what is done for it.
      @inlinable @inline(__always)
      public func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> UInt8? {
        if let byte = held.takeByte() { return byte }
        return try await held.readMore() ? held.takeByte() : nil
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
      @usableFromInline let held: HeldBytes
      @usableFromInline let bytesMax: Int

      /// The next line; nil at the end.
      @inlinable @inline(__always)
      public func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> String? {
        if let line = try held.takeLine(bytesMax: bytesMax) { return line }
        return try await held.readLine(bytesMax: bytesMax)
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
@usableFromInline
final class HeldBytes {
  private let streams: ConnectionStreams
  @usableFromInline var bytes: [UInt8] = []
  /// The first byte not handed out.
  @usableFromInline var start = 0
  /// Where to look on for the end of a line.
  private var searched = 0

  init(_ streams: ConnectionStreams) { self.streams = streams }

  deinit {
    if start < bytes.count { streams.giveBack(bytes[start...]) }
  }

  @inlinable @inline(__always)
  func takeByte() -> UInt8? {
    guard start < bytes.count else { return nil }
    defer { start += 1 }
    return bytes[start]
  }

  /// False at the end.
  @usableFromInline func readMore() async throws -> Bool {
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

  /// Nil at the end.
  @usableFromInline func readLine(bytesMax: Int) async throws -> String? {
    while try await readMore() {
      if let line = try takeLine(bytesMax: bytesMax) { return line }
    }
    // What comes after the last end is a line too, if it is anything.
    guard start < bytes.count else { return nil }
    return try takeLine(upTo: bytes.count, next: bytes.count, bytesMax: bytesMax)
  }

  /// Nil when no whole line is there.
  @usableFromInline func takeLine(bytesMax: Int) throws -> String? {
    let from = max(start, searched)
    let distance = bytes[from...].withUnsafeBytes { rest -> Int? in
      guard let base = rest.baseAddress, let end = memchr(base, 0x0A, rest.count) else {
        return nil
      }
      return UnsafeRawPointer(end) - base
    }
    guard let distance else {
      searched = bytes.count
      // A CR may be the first half of the end.
      let count = bytes.count - start - (bytes.last == 0x0D ? 1 : 0)
      guard count <= bytesMax else { throw SocketConnectionError.lineTooLong(limit: bytesMax) }
      return nil
    }
    let end = from + distance
    let hasReturn = end > start && bytes[end - 1] == 0x0D
    return try takeLine(upTo: hasReturn ? end - 1 : end, next: end + 1, bytesMax: bytesMax)
  }

  private func takeLine(upTo end: Int, next: Int, bytesMax: Int) throws -> String {
    guard end - start <= bytesMax else { throw SocketConnectionError.lineTooLong(limit: bytesMax) }
    defer { start = next }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
