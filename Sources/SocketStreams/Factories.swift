/// Makes pairs of streams that share one connection to a host. Opens nothing: `open()` does.

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

/// The one maker behind both spellings; tests name the route that they exercise.
package func makeSocketStreams(
  host: String, port: UInt16, route: DeliveryRoute, input: Bool = true, output: Bool = true
) -> (input: InputStream?, output: OutputStream?) {
  guard input || output else { return (nil, nil) }
  let pair = SocketPair(host: host, port: port, route: route, input: input, output: output)
  return (
    pair.input.map { SocketInputStream(pair: pair, half: $0) },
    pair.output.map { SocketOutputStream(pair: pair, half: $0) }
  )
}
