/// A connection for `async` code: a value over a pair of streams. Connects, writes and closes here;
/// reads in SocketConnection+Reading.swift. Knows no delegates and no run loops.

/// A connection to a host, to a service on this machine, or to another end in memory.
///
/// Any task may use it, and several at once. Nothing is read from the socket unless somebody reads
/// here, and a write waits until the socket has taken all of it: neither side can make the other
/// one store more than the kernel's buffers hold.
///
/// When a task that waits here is cancelled, the connection is closed and the call throws
/// `CancellationError`. The connection is also closed when the last copy of the value is gone.
public struct SocketConnection: Sendable {
  let streams: ConnectionStreams

  // MARK: Connecting

  /// Connects to a TCP port of a host, by name or address.
  ///
  /// - Parameters:
  ///   - host: A name, an IPv4 or an IPv6 address (without brackets).
  ///   - port: 1 to 65,535.
  ///   - options: TLS, a proxy, and how long reads and writes may take.
  ///   - timeout: The time for everything up to a connection that takes bytes: look-up, proxy and
  ///     TLS included. Nil: as long as the system tries.
  /// - Throws: ``SocketConnectionError``, or what failed as the streams tell it: a `POSIXError`
  ///   (`ECONNREFUSED`), or an `NSError` of ``kCFErrorDomainCFNetwork`` for the look-up, of
  ///   `NSStreamSocketSSLErrorDomain`, of `NSStreamSOCKSErrorDomain`.
  public static func connect(
    toHost host: String, port: Int, options: Options = Options(), timeout: Duration? = .seconds(30)
  ) async throws -> SocketConnection {
    guard 1...65_535 ~= port else {
      throw SocketConnectionError.refused("a port \(port): ports are 1 to 65535")
    }
    var input: InputStream!
    var output: OutputStream!
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &input, outputStream: &output)
    try options.configure(input)
    return try await open(input, output, options: options, timeout: timeout)
  }

  /// Connects to a Unix-domain socket; else as ``connect(toHost:port:options:timeout:)``.
  ///
  /// - Parameters:
  ///   - path: The socket's file; 107 bytes at most.
  ///   - options: How long reads and writes may take; there is no proxy to a file.
  ///   - timeout: The time for connecting.
  public static func connect(
    toUnixSocketAt path: String, options: Options = Options(), timeout: Duration? = .seconds(30)
  ) async throws -> SocketConnection {
    var input: InputStream!
    var output: OutputStream!
    Stream.getStreams(toUnixSocketAt: path, inputStream: &input, outputStream: &output)
    try options.configure(input)
    return try await open(input, output, options: options, timeout: timeout)
  }

  /// Opens the two streams of a pair that was made elsewhere and not opened yet, with whatever
  /// properties they were given. Nobody else may use them from then on.
  ///
  /// - Parameters:
  ///   - input: What is to be read: a socket's stream or a bound one.
  ///   - output: What is to be written to.
  ///   - options: How long reads and writes may take; security and proxy are not looked at.
  ///   - timeout: The time until the output stream takes bytes.
  public static func open(
    _ input: InputStream, _ output: OutputStream, options: Options = Options(),
    timeout: Duration? = .seconds(30)
  ) async throws -> SocketConnection {
    guard input is SocketInputStream, output is SocketOutputStream else {
      throw SocketConnectionError.refused("connections over streams of files or data")
    }
    let streams = ConnectionStreams(input, output, options)
    try await streams.open(within: timeout)
    return SocketConnection(streams: streams)
  }

  /// Two connections in memory, each the other one's peer: for tests, and for parts of one program.
  ///
  /// - Parameters:
  ///   - bufferSize: How many bytes may be on the way in each direction.
  ///   - options: How long reads and writes may take.
  public static func pair(
    bufferSize: Int = 64 * 1024, options: Options = Options()
  ) async throws -> (SocketConnection, SocketConnection) {
    var inputs: [InputStream?] = [nil, nil]
    var outputs: [OutputStream?] = [nil, nil]
    for end in 0...1 {
      Stream.getBoundStreams(
        withBufferSize: bufferSize, inputStream: &inputs[end], outputStream: &outputs[1 - end])
    }
    return (
      try await open(inputs[0]!, outputs[0]!, options: options),
      try await open(inputs[1]!, outputs[1]!, options: options)
    )
  }

  // MARK: Writing

  /// Writes all bytes, and returns when the socket has taken them. What several tasks write goes
  /// out in the order of their calls, each call's bytes together.
  ///
  /// - Throws: ``SocketConnectionError``, or the stream's error. The connection is closed when the
  ///   time is over or the task is cancelled: nobody could tell how much of the bytes went.
  public func write(_ bytes: some Sequence<UInt8>) async throws {
    try await streams.write(Array(bytes))
  }

  /// Writes a text as UTF-8.
  public func write(_ text: some StringProtocol) async throws {
    try await streams.write(Array(text.utf8))
  }

  // MARK: Ending

  /// Closes the connection, now and for good. Who reads here sees the end; who writes gets
  /// ``SocketConnectionError/closed``. Bytes that were not read are lost.
  public func close() { streams.close() }

  // MARK: Looking

  /// The socket's descriptor, for options such as `TCP_NODELAY`; nil in memory and after the end.
  public var nativeHandle: CFSocketNativeHandle? {
    let data =
      streams.input.property(
        forKey: kCFStreamPropertySocketNativeHandle as Stream.PropertyKey) as? Data
    return data?.withUnsafeBytes { $0.loadUnaligned(as: CFSocketNativeHandle.self) }
  }

  /// The version of TLS in use, such as `TLSv1.3`; nil without TLS.
  public var tlsVersion: String? {
    streams.input.property(forKey: kSocketStreamsSSLProtocolVersion as Stream.PropertyKey)
      as? String
  }

  /// The peer's certificates as DER, its own first; empty without TLS.
  public var peerCertificates: [Data] {
    let key = kCFStreamPropertySSLPeerCertificates as Stream.PropertyKey
    return streams.input.property(forKey: key) as? [Data] ?? []
  }
}
