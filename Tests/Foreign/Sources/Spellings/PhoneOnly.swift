/// A file as an app has it: its one import is `UIKit`, which brings Foundation and the streams.

import UIKit

public final class PhoneOnly: NSObject, StreamDelegate, Talker {
  private var inputStream: InputStream!
  private var outputStream: OutputStream!
  public private(set) var heard = ""

  public func start(port: Int) {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault, "localhost" as CFString, UInt32(port), &readStream, &writeStream)
    inputStream = readStream!.takeRetainedValue()
    outputStream = writeStream!.takeRetainedValue()
    inputStream.delegate = self
    inputStream.schedule(in: .current, forMode: .common)
    outputStream.schedule(in: .current, forMode: .common)
    inputStream.open()
    outputStream.open()
  }

  public func say(_ text: String) {
    outputStream.write(text, maxLength: text.utf8.count)
  }

  public func stop() {
    inputStream.close()
    outputStream.close()
  }

  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard case .hasBytesAvailable = eventCode else { return }
    var array = Array(repeating: UInt8(0), count: 64)
    let count = (aStream as! InputStream).read(&array, maxLength: array.count)
    if count > 0 { heard += String(bytes: array.prefix(count), encoding: .ascii)! }
  }
}
