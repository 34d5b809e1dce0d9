/// Clients without a run loop: one that asks in a loop, one that opens and writes at once.

import SocketStreams

/// Never schedules its streams, and asks them instead.
public final class PollingClient {
  private var inputStream: InputStream?
  private var outputStream: OutputStream?
  public private(set) var error: Error?

  public init() {}

  /// Opens, and waits by asking; false when the connection failed.
  public func connect(port: Int, until limit: Date) -> Bool {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      nil, "localhost" as CFString?, UInt32(port), &readStream, &writeStream)
    inputStream = readStream!.takeRetainedValue()
    outputStream = writeStream!.takeRetainedValue()
    inputStream!.open()
    outputStream!.open()
    while Date() < limit {
      if let error = outputStream!.streamError {
        self.error = error
        return false
      }
      if outputStream!.streamStatus == .open && outputStream!.hasSpaceAvailable { return true }
      _ = poll(nil, 0, 1)
    }
    return false
  }

  public func write(_ text: String) -> Int {
    let bytes = [UInt8](text.utf8)
    return outputStream!.write(bytes, maxLength: bytes.count)
  }

  /// What comes up to a line end.
  public func readLine(until limit: Date) -> String? {
    let length = 16
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: length)
    defer { buffer.deallocate() }
    let data = NSMutableData(capacity: length)
    while Date() < limit {
      if inputStream!.hasBytesAvailable {
        let result = inputStream!.read(buffer, maxLength: length)
        if result <= 0 { return nil }
        data?.append(buffer, length: result)
        if buffer[result - 1] == 10 {
          return NSString(data: data! as Data, encoding: String.Encoding.utf8.rawValue) as String?
        }
      }
      if let error = inputStream!.streamError {
        self.error = error
        return nil
      }
      if inputStream!.streamStatus == Stream.Status.atEnd { return nil }
      _ = poll(nil, 0, 1)
    }
    return nil
  }

  public func close() {
    inputStream?.close()
    outputStream?.close()
  }
}

/// Writes in the line after `open()`, as many do, and reads until it has all; nothing in between.
public func echoInOneGo(_ text: String, port: Int) -> String {
  var input: InputStream!
  var output: OutputStream!
  Stream.getStreamsToHost(
    withName: "127.0.0.1", port: port, inputStream: &input, outputStream: &output)
  input.open()
  output.open()
  defer {
    input.close()
    output.close()
  }
  let data = text.data(using: .utf8)!
  _ = data.withUnsafeBytes {
    output.write($0.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: data.count)
  }
  var all = [UInt8]()
  var piece = [UInt8](repeating: 0, count: 64)
  while all.count < data.count {
    let count = input.read(&piece, maxLength: piece.count)
    if count < 1 { break }
    all += piece[0..<count]
  }
  return String(bytes: all, encoding: .utf8) ?? ""
}
