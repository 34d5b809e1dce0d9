/// A chat room as an app on a phone would hold it: joins, sends, and hands on the lines that come.
/// Draws nothing and stores nothing. Compiles for Linux and for Apple's systems alike.

#if canImport(Darwin)
  import Foundation
#else
  import SocketStreams
#endif

/// Hears what happens in a room, on the thread whose run loop the room was joined on.
protocol ChatRoomDelegate: AnyObject {
  /// A line of the server's, without its line end.
  func chatRoom(_ room: ChatRoom, received line: String)
  /// The room is over: left, ended by the server (nil), or failed.
  func chatRoom(_ room: ChatRoom, endedWith error: (any Error)?)
}

final class ChatRoom: NSObject, StreamDelegate {
  weak var delegate: (any ChatRoomDelegate)?

  private var inputStream: InputStream!
  private var outputStream: OutputStream!
  private var isLeaving = false
  private var isOver = false

  /// Bytes after the last line end: a read may stop in the middle of a line, or of a character.
  private var unfinishedLine = Data()
  /// Bytes that wait for room in the socket: a write may take fewer than it was given.
  private var unsent = Data()
  /// True after the socket offered room that was not used.
  private var hasRoom = false

  /// A server that sends more than this without a line end is not a chat server.
  private let lineBytesMax = 64 * 1024

  // MARK: Joining and leaving

  /// Connects, and says who comes as soon as that is possible. Needs a running run loop.
  func join(host: String, port: Int, name: String) {
    Stream.getStreamsToHost(
      withName: host, port: port, inputStream: &inputStream, outputStream: &outputStream)
    for stream in [inputStream as Stream, outputStream as Stream] {
      stream.delegate = self
      stream.schedule(in: .current, forMode: .common)
      stream.open()
    }
    send(line: "iam:\(name)")
  }

  /// Says something to everybody in the room.
  func say(_ text: String) {
    send(line: "msg:\(text)")
  }

  /// Leaves once everything said was handed to the network.
  func leave() {
    isLeaving = true
    if unsent.isEmpty { end(with: nil) }
  }

  private func end(with error: (any Error)?) {
    guard !isOver else { return }
    isOver = true
    inputStream.close()
    outputStream.close()
    delegate?.chatRoom(self, endedWith: error)
  }

  // MARK: The streams' events

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasBytesAvailable:
      readAvailableBytes()
    case .hasSpaceAvailable:
      hasRoom = true
      writeUnsentBytes()
    case .endEncountered:
      end(with: nil)
    case .errorOccurred:
      end(with: aStream.streamError)
    default:
      break
    }
  }

  private func readAvailableBytes() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !isOver, inputStream.hasBytesAvailable {
      let count = inputStream.read(&buffer, maxLength: buffer.count)
      // The end and an error come as events of their own.
      guard count > 0 else { return }
      unfinishedLine.append(contentsOf: buffer[0..<count])
      takeLines()
    }
  }

  private func takeLines() {
    var lineStart = unfinishedLine.startIndex
    while !isOver, let lineEnd = unfinishedLine[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
      // Whole lines only: a character that two reads cut in half is whole again here.
      let line = String(decoding: unfinishedLine[lineStart..<lineEnd], as: UTF8.self)
      lineStart = lineEnd + 1
      delegate?.chatRoom(self, received: line)
    }
    unfinishedLine.removeSubrange(..<lineStart)
    if unfinishedLine.count > lineBytesMax { end(with: URLError(.dataLengthExceedsMaximum)) }
  }

  private func send(line: String) {
    // A line break inside would be a second line to the server.
    let oneLine = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    unsent.append(contentsOf: Array((oneLine + "\n").utf8))
    writeUnsentBytes()
  }

  private func writeUnsentBytes() {
    guard !isOver, hasRoom, !unsent.isEmpty else { return }
    let count = unsent.withUnsafeBytes { bytes in
      outputStream.write(
        bytes.bindMemory(to: UInt8.self).baseAddress!, maxLength: bytes.count)
    }
    // One write for each offer of room; the next offer follows by itself.
    hasRoom = false
    if count > 0 { unsent.removeFirst(count) }
    if isLeaving, unsent.isEmpty { end(with: nil) }
  }
}
