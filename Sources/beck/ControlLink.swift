/// A connection to the server that has a data directory: one request after the other, each waited
/// for. Shows nothing.

import ChatClient
import ChatModel
import Dialects
import Foundation
import Loop
import Stores

/// Why a command could not be carried out, as a sentence that says what to do, and what the program
/// ends with.
struct CommandProblem: Error {
  let sentence: String
  let status: Int32

  static func refused(_ sentence: String) -> Self {
    Self(sentence: sentence, status: ExitStatus.refused)
  }
  static func unreachable(_ sentence: String) -> Self {
    Self(sentence: sentence, status: ExitStatus.unreachable)
  }
  static func usage(_ sentence: String) -> Self {
    Self(sentence: sentence, status: ExitStatus.usage)
  }
}

/// Connected with the first request; closed with the program, or when nobody holds it any more.
final class ControlLink {
  private let directory: DataDirectory
  private var descriptor: Int32 = -1
  private var codec = ControlCodec()

  init(_ directory: DataDirectory) { self.directory = directory }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for as long as it takes.
  func ask(_ operation: ChatModel.Operation) throws(CommandProblem) -> Answer {
    if descriptor < 0 { try open() }
    try send(codec.ask(operation))
    while true {
      while let heard = codec.next() {
        switch heard {
        case .answer(let answer): return answer
        case .refused(code: _, let message): throw .refused(ScreenText.oneLine(message))
        case .malformed(let words):
          throw .refused("the server's answer cannot be read (\(words)); is it of another version?")
        case .closing(let words): throw .unreachable(ScreenText.oneLine(words))
        }
      }
      try receive()
    }
  }

  private func open() throws(CommandProblem) {
    let path = directory.controlPath
    guard path.utf8.count <= ListenPlace.pathBytesMax else {
      throw .unreachable(
        "\(path) is too long for a socket's path, at most \(ListenPlace.pathBytesMax) bytes; use a "
          + "data directory with a shorter one")
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard result == 0 else { throw unreachable(errno) }
  }

  private func unreachable(_ code: Int32) -> CommandProblem {
    let folder = directory.path
    switch code {
    case ENOENT, ENOTDIR, ECONNREFUSED:
      return .unreachable(
        "no server is running on \(folder); start it with: beck serve --data \(folder) (one that "
          + "runs with --memory cannot be asked)")
    case EACCES, EPERM:
      return .unreachable(
        "you may not ask the server on \(folder); become the user that runs it, or root")
    default:
      return .unreachable(
        "the server on \(folder) cannot be reached: \(String(cString: strerror(code)))")
    }
  }

  private func send(_ bytes: [UInt8]) throws(CommandProblem) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        throw gone
      }
    }
  }

  private func receive() throws(CommandProblem) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return buffer[..<count].withUnsafeBytes { codec.received($0) } }
      guard count < 0, errno == EINTR else { throw gone }
    }
  }

  private var gone: CommandProblem {
    .unreachable(
      "the server on \(directory.path) ended before it answered; start it, then look whether it "
        + "was done")
  }
}
