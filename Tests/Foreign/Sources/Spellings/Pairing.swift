/// Pairs that are not made for a host: bound in memory, or around a socket somebody has; and events
/// on a dispatch queue.

import SocketStreams

/// Feeds a body to whoever reads `input`, as an upload of unknown length does.
public final class UploadBody: NSObject, StreamDelegate {
  private struct BoundStreams {
    let input: InputStream
    let output: OutputStream
  }

  private lazy var boundStreams: BoundStreams = {
    var inputOrNil: InputStream? = nil
    var outputOrNil: OutputStream? = nil
    Stream.getBoundStreams(
      withBufferSize: 4096, inputStream: &inputOrNil, outputStream: &outputOrNil)
    guard let input = inputOrNil, let output = outputOrNil else {
      fatalError("On return of `getBoundStreams`, both streams are there.")
    }
    output.delegate = self
    output.schedule(in: .current, forMode: .default)
    output.open()
    return BoundStreams(input: input, output: output)
  }()
  private var rest: Data

  public init(_ body: Data) { rest = body }

  public var input: InputStream { boundStreams.input }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard aStream == boundStreams.output else { return }
    if eventCode.contains(.hasSpaceAvailable) {
      if rest.isEmpty { return boundStreams.output.close() }
      let count = rest.withUnsafeBytes { buffer in
        self.boundStreams.output.write(
          buffer.bindMemory(to: UInt8.self).baseAddress!, maxLength: rest.count)
      }
      if count > 0 { rest = Data(rest.dropFirst(count)) }
    }
    if eventCode.contains(.errorOccurred) { boundStreams.output.close() }
  }
}

/// A pair bound in C's way.
public func boundPair(_ size: Int) -> (InputStream, OutputStream) {
  var readStream: Unmanaged<CFReadStream>?
  var writeStream: Unmanaged<CFWriteStream>?
  CFStreamCreateBoundPair(nil, &readStream, &writeStream, size as CFIndex)
  return (readStream!.takeRetainedValue(), writeStream!.takeRetainedValue() as OutputStream)
}

/// A server's side of one connection, made of the socket that `accept` gave.
public final class AcceptedConnection: NSObject, StreamDelegate {
  private let inputStream: InputStream
  private let outputStream: OutputStream
  public private(set) var heard = ""

  public init(socket: CFSocketNativeHandle) {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocket(kCFAllocatorDefault, socket, &readStream, &writeStream)
    inputStream = readStream!.takeUnretainedValue() as InputStream
    outputStream = writeStream!.takeUnretainedValue() as OutputStream
    readStream?.release()
    writeStream?.release()
    super.init()
    CFReadStreamSetProperty(
      inputStream as CFReadStream, CFStreamPropertyKey(kCFStreamPropertyShouldCloseNativeSocket),
      kCFBooleanTrue)
    CFWriteStreamSetProperty(
      outputStream as CFWriteStream, CFStreamPropertyKey(kCFStreamPropertyShouldCloseNativeSocket),
      kCFBooleanTrue)
    for stream in [inputStream, outputStream] {
      stream.delegate = self
      stream.schedule(in: RunLoop.current, forMode: RunLoop.Mode.default)
      stream.open()
    }
  }

  public func send(_ text: String) -> Int {
    let bytes: [UInt8] = Array(text.utf8)
    return outputStream.write(bytes, maxLength: bytes.count)
  }

  public func close() {
    inputStream.close()
    outputStream.close()
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard eventCode == .hasBytesAvailable, let inputStream = aStream as? InputStream else { return }
    var buffer = [UInt8](repeating: 0, count: 100)
    while inputStream.hasBytesAvailable {
      let count = inputStream.read(&buffer, maxLength: 100)
      if count <= 0 { return }
      heard += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}

/// A transport in the manner of the web-socket libraries: one serial queue for everything.
public final class QueueTransport: NSObject, StreamDelegate {
  private static let sharedWorkQueue = DispatchQueue(label: "transport", attributes: [])
  private var inputStream: InputStream?
  private var outputStream: OutputStream?
  public var onText: ((String) -> Void)?
  public var onConnect: (() -> Void)?
  public var onClose: ((Error?) -> Void)?

  public func connect(url: URL, timeout: TimeInterval) {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    let h = url.host! as NSString
    CFStreamCreatePairWithSocketToHost(nil, h, UInt32(url.port!), &readStream, &writeStream)
    inputStream = readStream!.takeRetainedValue()
    outputStream = writeStream!.takeRetainedValue()
    guard let inStream = inputStream, let outStream = outputStream else { return }
    inStream.delegate = self
    outStream.delegate = self
    CFReadStreamSetDispatchQueue(inStream, QueueTransport.sharedWorkQueue)
    CFWriteStreamSetDispatchQueue(outStream, QueueTransport.sharedWorkQueue)
    inStream.open()
    outStream.open()
  }

  public func write(data: Data) -> Int {
    guard let outStream = outputStream else { return -1 }
    return data.withUnsafeBytes { (buffer: UnsafePointer<UInt8>) -> Int in
      outStream.write(buffer, maxLength: data.count)
    }
  }

  public func cleanup() {
    if let stream = inputStream {
      stream.delegate = nil
      CFReadStreamSetDispatchQueue(stream, nil)
      stream.close()
    }
    if let stream = outputStream {
      stream.delegate = nil
      CFWriteStreamSetDispatchQueue(stream, nil)
      stream.close()
    }
    outputStream = nil
    inputStream = nil
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    dispatchPrecondition(condition: .onQueue(QueueTransport.sharedWorkQueue))
    switch eventCode {
    case .openCompleted where aStream == outputStream:
      onConnect?()
    case .hasBytesAvailable where aStream == inputStream:
      let buf = NSMutableData(length: 4096)
      let buffer = buf!.mutableBytes.assumingMemoryBound(to: UInt8.self)
      let length = inputStream!.read(buffer, maxLength: 4096)
      if length > 0 {
        onText?(String(decoding: UnsafeBufferPointer(start: buffer, count: length), as: UTF8.self))
      }
    case .errorOccurred, .endEncountered:
      onClose?(aStream.streamError)
    default:
      break
    }
  }
}
