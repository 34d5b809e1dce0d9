/// A chat client in the older spelling of Swift 3 and 4, and the ways in which delegates tell their
/// streams and events apart.

import SocketStreams

/// What the tests drive: says something, and notes what comes back.
public protocol Talker: AnyObject {
  func start(port: Int)
  func say(_ text: String)
  var heard: String { get }
  func stop()
}

/// Swift 3: `RunLoopMode`, typed pointers from `Data`, `default:` that prints.
public class OldChat: NSObject, StreamDelegate, Talker {
  var inputStream: InputStream!
  var outputStream: OutputStream!
  public private(set) var heard = ""
  public private(set) var sawRoom = false

  public func start(port: Int) {
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: &inputStream, outputStream: &outputStream)
    inputStream.delegate = self
    outputStream.delegate = self
    inputStream.schedule(in: RunLoop.current, forMode: RunLoopMode.defaultRunLoopMode)
    outputStream.schedule(in: RunLoop.current, forMode: .defaultRunLoopMode)
    inputStream.open()
    outputStream.open()
  }

  public func say(_ text: String) {
    let data = text.data(using: .utf8)!
    _ = data.withUnsafeBytes { outputStream.write($0, maxLength: data.count) }
  }

  /// The same with the pointer's type spelled out.
  public func shout(_ text: String) {
    let data = text.uppercased().data(using: String.Encoding.utf8)!
    _ = data.withUnsafeBytes { (bytes: UnsafePointer<UInt8>) in
      self.outputStream.write(bytes, maxLength: data.count)
    }
  }

  public func stop() {
    for stream in [inputStream as Stream, outputStream as Stream] {
      stream.close()
      stream.remove(from: .current, forMode: .defaultRunLoopMode)
      stream.delegate = nil
    }
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case Stream.Event.openCompleted:
      break
    case Stream.Event.hasBytesAvailable:
      guard let input = aStream as? InputStream else { return }
      var buffer = [UInt8](repeating: 0, count: 1024)
      while input.hasBytesAvailable {
        let len = input.read(&buffer, maxLength: buffer.count)
        if len > 0, let output = String(bytes: buffer[0..<len], encoding: .utf8) {
          heard += output
        }
      }
    case Stream.Event.hasSpaceAvailable:
      sawRoom = true
    case Stream.Event.errorOccurred, Stream.Event.endEncountered:
      print(aStream.streamError as Any, aStream.streamStatus.rawValue)
    case Stream.Event():
      print("an event without a name")
    default:
      print("another event")
    }
  }
}

/// Tells its two streams apart in every way that one finds, and queues what it cannot send yet.
public class Messenger: NSObject, Talker {
  fileprivate var inputStream: InputStream?
  fileprivate var outputStream: OutputStream?
  private var queue: [Data] = []
  private var canWrite = false
  public private(set) var heard = ""
  /// Which stream each event came from, as each way sees it; they must agree.
  public private(set) var disagreements = 0
  public private(set) var end: Error??

  public func start(port: Int) {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      nil, "localhost" as CFString, UInt32(port), &readStream, &writeStream)
    inputStream = readStream?.takeRetainedValue()
    outputStream = writeStream?.takeRetainedValue()
    [inputStream, outputStream].compactMap { $0 as Stream? }.forEach {
      $0.delegate = self
      $0.schedule(in: .current, forMode: .commonModes)
      $0.open()
    }
  }

  public func say(_ text: String) {
    queue.append(Data(text.utf8))
    if canWrite { writeNext() }
  }

  public func stop() {
    inputStream?.close()
    outputStream?.close()
    inputStream?.remove(from: .current, forMode: RunLoopMode.commonModes)
    outputStream?.remove(from: RunLoop.current, forMode: RunLoop.Mode.common)
    inputStream = nil
    outputStream = nil
  }

  private func writeNext() {
    guard !queue.isEmpty, let outputStream = outputStream else { return }
    let data = queue.removeFirst()
    let written = data.withUnsafeBytes { (rawBufferPointer: UnsafeRawBufferPointer) -> Int in
      let bufferPointer = rawBufferPointer.bindMemory(to: UInt8.self)
      return outputStream.write(bufferPointer.baseAddress!, maxLength: data.count)
    }
    canWrite = false
    if written >= 0, written < data.count { queue.insert(data.suffix(from: written), at: 0) }
  }
}

extension Messenger: StreamDelegate {
  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    let isInput = aStream == inputStream
    if isInput != (aStream === inputStream) { disagreements += 1 }
    if isInput != (aStream as? InputStream != nil) { disagreements += 1 }
    if isInput == (aStream is OutputStream) { disagreements += 1 }
    switch aStream {
    case inputStream!: if !isInput { disagreements += 1 }
    case outputStream!: if isInput { disagreements += 1 }
    default: disagreements += 1
    }

    switch eventCode {
    case .openCompleted:
      break
    case .hasBytesAvailable where aStream == inputStream:
      read()
    case .hasSpaceAvailable:
      canWrite = true
      writeNext()
    case .endEncountered:
      end = .some(nil)
      aStream.close()
      aStream.remove(from: .current, forMode: .common)
    case .errorOccurred:
      if let error = aStream.streamError { end = .some(error) }
    default:
      break
    }
  }

  private func read() {
    let bufferSize = 1024
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: bufferSize)
    defer { buffer.deallocate() }
    while inputStream!.hasBytesAvailable {
      let read = inputStream!.read(buffer, maxLength: bufferSize)
      if read < 0 { print(inputStream!.streamError!) }
      if read <= 0 { break }
      heard +=
        NSString(bytes: buffer, length: read, encoding: String.Encoding.utf8.rawValue)!
        as String
    }
  }
}
