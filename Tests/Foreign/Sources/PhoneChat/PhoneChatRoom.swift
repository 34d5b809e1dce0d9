/// A chat room in the spelling of code for phones, with one import added. Nothing else is changed
/// for Linux: forced optionals, Core Foundation's maker, pointers from `allocate`, as one finds it.

import SocketStreams
import UIKit

public protocol PhoneChatRoomDelegate: AnyObject {
  func received(message: PhoneMessage)
  func connectionLost()
}

public struct PhoneMessage {
  public let sender: String
  public let text: String
  public let isOurs: Bool
}

public class PhoneChatRoom: NSObject {
  var inputStream: InputStream!
  var outputStream: OutputStream!
  public weak var delegate: PhoneChatRoomDelegate?
  var username = ""
  let maxReadLength = 4096

  public func setupNetworkCommunication(port: UInt32) {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?

    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault,
      "localhost" as CFString,
      port,
      &readStream,
      &writeStream)

    inputStream = readStream!.takeRetainedValue()
    outputStream = writeStream!.takeRetainedValue()

    inputStream.delegate = self

    inputStream.schedule(in: .current, forMode: .common)
    outputStream.schedule(in: .current, forMode: .common)

    inputStream.open()
    outputStream.open()
  }

  public func joinChat(username: String) {
    let data = "iam:\(username)\n".data(using: .utf8)!
    self.username = username
    data.withUnsafeBytes {
      guard let pointer = $0.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        print("Nothing to join with")
        return
      }
      outputStream.write(pointer, maxLength: data.count)
    }
  }

  public func send(message: String) {
    let data = "msg:\(message)\n".data(using: .utf8)!
    _ = data.withUnsafeBytes {
      outputStream.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: data.count)
    }
  }

  public func stopChatSession() {
    inputStream.close()
    outputStream.close()
  }
}

extension PhoneChatRoom: StreamDelegate {
  public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case Stream.Event.hasBytesAvailable:
      readAvailableBytes(stream: aStream as! InputStream)
    case Stream.Event.endEncountered:
      stopChatSession()
      delegate?.connectionLost()
    case Stream.Event.errorOccurred:
      print("error occurred")
    case Stream.Event.hasSpaceAvailable:
      print("has space available")
    default:
      print("some other event")
    }
  }

  private func readAvailableBytes(stream: InputStream) {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: maxReadLength)
    defer { buffer.deallocate() }
    while stream.hasBytesAvailable {
      let numberOfBytesRead = inputStream.read(buffer, maxLength: maxReadLength)
      if numberOfBytesRead < 0, let error = stream.streamError {
        print(error)
        break
      }
      if numberOfBytesRead > 0 {
        processed(
          text: String(
            decoding: UnsafeBufferPointer(start: buffer, count: numberOfBytesRead), as: UTF8.self))
      }
    }
  }

  private func processed(text: String) {
    for line in text.components(separatedBy: "\n") where !line.isEmpty {
      let parts = line.components(separatedBy: ": ")
      let isSaid = parts.count > 1
      delegate?.received(
        message: PhoneMessage(
          sender: isSaid ? parts[0] : "",
          text: isSaid ? parts[1...].joined(separator: ": ") : line,
          isOurs: parts[0] == username))
    }
  }
}
