/// Clients that own a thread and a run loop, in Foundation's spelling and in Core Foundation's.

import SocketStreams

/// Runs its loop on a queue of its own, and is ended from wherever its last reference goes.
public final class SessionStream: NSObject, StreamDelegate {
  private let queue = DispatchQueue(label: "session")
  private var inputStream: InputStream?
  private var outputStream: OutputStream?
  private var sessionLoop: RunLoop?
  private let lock = NSLock()
  private var text = ""
  public let isReady = DispatchSemaphore(value: 0)
  public let hasEnded = DispatchSemaphore(value: 0)

  public var heard: String { lock.withLock { text } }

  public init?(host: String, port: Int) {
    var inputStreamHandle: InputStream?
    var outputStreamHandle: OutputStream?
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &inputStreamHandle,
      outputStream: &outputStreamHandle)
    guard let input = inputStreamHandle, let output = outputStreamHandle else { return nil }
    inputStream = input
    outputStream = output
    super.init()
    input.delegate = self
    output.delegate = self
    queue.async { [weak self, hasEnded] in
      let mode = RunLoop.Mode.init("kCFRunLoopDefaultMode")
      self?.sessionLoop = RunLoop.current
      input.schedule(in: .current, forMode: mode)
      output.schedule(in: .current, forMode: .default)
      input.open()
      output.open()
      RunLoop.current.run()
      hasEnded.signal()
    }
  }

  deinit {
    guard let sessionLoop = sessionLoop else { return }
    inputStream?.close()
    inputStream?.remove(from: sessionLoop, forMode: .default)
    outputStream?.close()
    outputStream?.remove(from: sessionLoop, forMode: .default)
  }

  public func write(_ data: Data) -> Int {
    data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int in
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
      return outputStream?.write(start, maxLength: buffer.count) ?? -1
    }
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    if eventCode == .openCompleted, aStream is OutputStream { isReady.signal() }
    guard eventCode.contains(.hasBytesAvailable), aStream == inputStream else { return }
    autoreleasepool {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = inputStream!.read(&bytes, maxLength: 256)
      if count > 0 {
        lock.withLock { text += String(decoding: bytes[..<count], as: UTF8.self) }
      }
    }
  }
}

/// A socket thread in the manner of C: `CFRunLoopRun` until somebody stops it.
public final class SocketThread: Thread, StreamDelegate {
  private let port: Int
  private var runLoop: RunLoop!
  private var cfRunLoop: CFRunLoop!
  private var inputStream: CFReadStream!
  private var outputStream: CFWriteStream!
  private let isReady = DispatchSemaphore(value: 0)
  public let isOver = DispatchSemaphore(value: 0)
  public let hasHeard = DispatchSemaphore(value: 0)
  public private(set) var heard = ""

  public init(port: Int) {
    self.port = port
    super.init()
    name = "socket"
  }

  public override func main() {
    autoreleasepool {
      runLoop = RunLoop.current
      cfRunLoop = CFRunLoopGetCurrent()
      var readStream: Unmanaged<CFReadStream>?
      var writeStream: Unmanaged<CFWriteStream>?
      CFStreamCreatePairWithSocketToHost(
        kCFAllocatorDefault, "localhost" as CFString, UInt32(port), &readStream, &writeStream)
      inputStream = readStream!.takeRetainedValue()
      outputStream = writeStream!.takeRetainedValue()
      inputStream.delegate = self
      CFReadStreamScheduleWithRunLoop(inputStream, cfRunLoop, CFRunLoopMode.commonModes)
      CFWriteStreamScheduleWithRunLoop(outputStream, CFRunLoopGetCurrent(), .defaultMode)
      _ = CFReadStreamOpen(inputStream)
      CFWriteStreamOpen(outputStream)
      isReady.signal()
      CFRunLoopRun()
      CFReadStreamUnscheduleFromRunLoop(inputStream, cfRunLoop, .commonModes)
      CFWriteStreamUnscheduleFromRunLoop(outputStream, cfRunLoop, CFRunLoopMode.defaultMode)
      CFReadStreamClose(inputStream)
      CFWriteStreamClose(outputStream)
      isOver.signal()
    }
  }

  /// From any thread: hands the text to the socket's own.
  public func post(_ text: String) {
    isReady.wait()
    isReady.signal()
    CFRunLoopPerformBlock(cfRunLoop, CFRunLoopMode.commonModes.rawValue) {
      let bytes = Array(text.utf8)
      CFWriteStreamWrite(self.outputStream, bytes, bytes.count)
    }
    CFRunLoopWakeUp(cfRunLoop)
  }

  public func stop() {
    isReady.wait()
    isReady.signal()
    CFRunLoopStop(runLoop.getCFRunLoop())
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard eventCode == .hasBytesAvailable else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    while CFReadStreamHasBytesAvailable(inputStream) {
      let count = CFReadStreamRead(inputStream, &bytes, bytes.count)
      if count <= 0 { break }
      heard += String(decoding: bytes[..<count], as: UTF8.self)
    }
    hasHeard.signal()
  }
}

/// A client in Core Foundation's calls alone, which runs the loop in slices while it waits.
public final class CoreFoundationClient {
  let readStream: CFReadStream
  let writeStream: CFWriteStream

  public init(port: Int) {
    var read: Unmanaged<CFReadStream>?
    var write: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault, "localhost" as CFString, UInt32(port), &read, &write)
    readStream = read!.takeRetainedValue()
    writeStream = write!.takeRetainedValue()
  }

  /// The echo of some bytes, or the error in numbers.
  public func echo(_ text: String) -> Result<String, NSError> {
    guard CFReadStreamGetStatus(readStream) == .notOpen,
      CFReadStreamOpen(readStream), CFWriteStreamOpen(writeStream)
    else { return .failure(CFReadStreamCopyError(readStream)) }
    CFReadStreamScheduleWithRunLoop(readStream, CFRunLoopGetCurrent(), .defaultMode)
    let limit = CFAbsoluteTimeGetCurrent() + 10
    while CFWriteStreamGetStatus(writeStream) == CFStreamStatus.opening,
      CFAbsoluteTimeGetCurrent() < limit
    {
      CFRunLoopRunInMode(.defaultMode, 0.01, true)
    }
    if CFWriteStreamGetStatus(writeStream) == .error {
      return .failure(CFWriteStreamCopyError(writeStream)! as NSError)
    }
    let bytes = [UInt8](text.utf8)
    var sent: CFIndex = 0
    while sent < bytes.count, CFWriteStreamCanAcceptBytes(writeStream) {
      sent += CFWriteStreamWrite(writeStream, Array(bytes[sent...]), bytes.count - sent)
    }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 16)
    while answer.count < bytes.count, CFAbsoluteTimeGetCurrent() < limit {
      if CFReadStreamHasBytesAvailable(readStream) {
        let count = CFReadStreamRead(readStream, &buffer, buffer.count)
        if count <= 0 { break }
        answer.append(buffer, count: count)
      } else {
        CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 0.05, true)
      }
    }
    CFReadStreamClose(readStream)
    CFWriteStreamClose(writeStream)
    return .success(String(decoding: answer, as: UTF8.self))
  }

  /// Why it failed, as C code asks.
  public var failure: String {
    let error: CFStreamError = CFWriteStreamGetError(writeStream)
    switch error.domain {
    case CFStreamErrorDomain.POSIX.rawValue: return String(cString: strerror(error.error))
    case CFIndex(kCFStreamErrorDomainNetDB): return String(cString: gai_strerror(error.error))
    default: return "domain \(error.domain), error \(error.error)"
    }
  }
}
