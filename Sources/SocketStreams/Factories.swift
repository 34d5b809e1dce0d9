/// Makes pairs of streams: to a host, around a socket, and bound to each other. Opens nothing:
/// `open()` does.

public import Dispatch

extension Stream {
  /// Makes an input and an output stream that will share one TCP connection.
  ///
  /// Returns at once: no name is looked up and no socket exists before `open()`. Both streams are
  /// always made, whatever the host; a failure comes later as `Event.errorOccurred` (Apple's
  /// documentation of `getStreamsToHost(withName:port:inputStream:outputStream:)`). A half whose
  /// argument is nil is not made. `port` counts modulo 65,536.
  public class func getStreamsToHost(
    withName hostname: String, port: Int,
    inputStream: UnsafeMutablePointer<InputStream?>?,
    outputStream: UnsafeMutablePointer<OutputStream?>?
  ) {
    let made = makeSocketStreams(
      host: hostname, port: UInt16(truncatingIfNeeded: port), route: .preferred,
      input: inputStream != nil, output: outputStream != nil)
    inputStream?.pointee = made.input
    outputStream?.pointee = made.output
  }

  /// Makes an input and an output stream that will share one connection to a Unix-domain socket.
  ///
  /// `path` names the socket's file; Linux takes 107 bytes at most, and a longer one fails at
  /// `open()` with `ENAMETOOLONG`. All else is as with `getStreamsToHost`. Apple has no such call.
  public class func getStreams(
    toUnixSocketAt path: String,
    inputStream: UnsafeMutablePointer<InputStream?>?,
    outputStream: UnsafeMutablePointer<OutputStream?>?
  ) {
    let made = makeStreams(
      .remote(.unix(path: path)), route: .preferred,
      input: inputStream != nil, output: outputStream != nil)
    inputStream?.pointee = made.input
    outputStream?.pointee = made.output
  }

  /// Makes two streams in memory: what is written to the output stream is read from the input
  /// stream.
  ///
  /// At most `bufferSize` bytes wait in between (at least one): then `hasSpaceAvailable` is false
  /// and `write` waits for a read. Closing the output stream ends the input stream after the bytes
  /// that wait; closing the input stream makes writes fail with `EPIPE`.
  public class func getBoundStreams(
    withBufferSize bufferSize: Int,
    inputStream: UnsafeMutablePointer<InputStream?>?,
    outputStream: UnsafeMutablePointer<OutputStream?>?
  ) {
    let made = makeStreams(
      .memory(MemoryChannel(capacity: bufferSize)), route: .preferred,
      input: inputStream != nil, output: outputStream != nil)
    inputStream?.pointee = made.input
    outputStream?.pointee = made.output
  }
}

/// Makes an input and an output stream that will share one TCP connection; the same as
/// `Stream.getStreamsToHost` in Core Foundation's spelling. Both results are retained for the
/// caller: take them with `takeRetainedValue()`.
public func CFStreamCreatePairWithSocketToHost(
  _ alloc: CFAllocator?, _ host: CFString?, _ port: UInt32,
  _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>?,
  _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>?
) {
  let made = makeSocketStreams(
    host: host.map { String(describing: $0) } ?? "", port: UInt16(truncatingIfNeeded: port),
    route: .preferred, input: readStream != nil, output: writeStream != nil)
  readStream?.pointee = made.input.map { Unmanaged.passRetained($0) }
  writeStream?.pointee = made.output.map { Unmanaged.passRetained($0) }
}

/// Makes an input and an output stream around a socket that is connected already.
///
/// The socket is not touched before `open()`, which opens at once; a descriptor that is no socket
/// fails then. It stays the caller's to close after both streams are, unless
/// `kCFStreamPropertyShouldCloseNativeSocket` is set to true. Its blocking mode is never changed.
public func CFStreamCreatePairWithSocket(
  _ alloc: CFAllocator?, _ sock: CFSocketNativeHandle,
  _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>?,
  _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>?
) {
  let made = makeStreams(
    .native(Descriptor(sock, isBorrowed: true)), route: .preferred,
    input: readStream != nil, output: writeStream != nil)
  readStream?.pointee = made.input.map { Unmanaged.passRetained($0) }
  writeStream?.pointee = made.output.map { Unmanaged.passRetained($0) }
}

/// Makes two streams in memory; the same as `Stream.getBoundStreams` in Core Foundation's
/// spelling. Both results are retained for the caller.
public func CFStreamCreateBoundPair(
  _ alloc: CFAllocator?, _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>?,
  _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>?, _ transferBufferSize: Int
) {
  let made = makeStreams(
    .memory(MemoryChannel(capacity: transferBufferSize)), route: .preferred,
    input: readStream != nil, output: writeStream != nil)
  readStream?.pointee = made.input.map { Unmanaged.passRetained($0) }
  writeStream?.pointee = made.output.map { Unmanaged.passRetained($0) }
}

/// Delivers the stream's events on a serial queue from now on, and on no run loop; nil ends
/// delivery. Does nothing to a stream that is not a socket's or bound.
public func CFReadStreamSetDispatchQueue(_ stream: CFReadStream?, _ queue: DispatchQueue?) {
  (stream as? SocketInputStream)?.deliver(on: queue)
}

/// Delivers the stream's events on a serial queue from now on, and on no run loop; nil ends
/// delivery. Does nothing to a stream that is not a socket's or bound.
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream?, _ queue: DispatchQueue?) {
  (stream as? SocketOutputStream)?.deliver(on: queue)
}

/// Makes streams to a host; tests name the route that they exercise.
package func makeSocketStreams(
  host: String, port: UInt16, route: DeliveryRoute, input: Bool = true, output: Bool = true
) -> (input: InputStream?, output: OutputStream?) {
  makeStreams(.remote(.host(host, port)), route: route, input: input, output: output)
}

/// The one maker behind all spellings.
func makeStreams(
  _ origin: SocketPair.Origin, route: DeliveryRoute, input: Bool = true, output: Bool = true
) -> (input: InputStream?, output: OutputStream?) {
  guard input || output else { return (nil, nil) }
  let pair = SocketPair(origin, route: route, input: input, output: output)
  return (
    pair.input.map { SocketInputStream(pair: pair, half: $0) },
    pair.output.map { SocketOutputStream(pair: pair, half: $0) }
  )
}
