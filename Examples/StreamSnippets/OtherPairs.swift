/// Streams that are made for no host, as the guide shows them: in memory, around a socket, by path.

import SocketStreams

/// Two streams in memory: what is written to one is read from the other.
func boundStreams() -> (InputStream, OutputStream) {
  var input: InputStream!
  var output: OutputStream!
  Stream.getBoundStreams(
    withBufferSize: 4096, inputStream: &input, outputStream: &output)
  return (input, output)
}

/// Streams around a socket that `accept` gave; they close it in the end.
func streams(around socket: Int32) -> (InputStream, OutputStream) {
  var read: Unmanaged<CFReadStream>?
  var write: Unmanaged<CFWriteStream>?
  CFStreamCreatePairWithSocket(nil, socket, &read, &write)
  let input = read!.takeRetainedValue()
  let output = write!.takeRetainedValue()
  input.setProperty(
    true, forKey: Stream.PropertyKey(kCFStreamPropertyShouldCloseNativeSocket as String))
  return (input, output)
}

/// Streams to a service of this machine that listens on a file.
func streams(toSocketAt path: String) -> (InputStream, OutputStream) {
  var input: InputStream!
  var output: OutputStream!
  Stream.getStreams(toUnixSocketAt: path, inputStream: &input, outputStream: &output)
  return (input, output)
}
