/// Runs the phone's chat room against a tiny server of plain sockets.

import PhoneChat
import SocketStreams
import Testing

/// One conversation: greets whoever joins, repeats what is said, then hangs up.
private final class TinyServer: @unchecked Sendable {
  // @unchecked because `heard` is read after `ended` was signalled only.
  let port: UInt32
  let ended = DispatchSemaphore(value: 0)
  private(set) var heard: [String] = []
  private let listener: LoopbackPort

  init() throws {
    listener = try LoopbackPort()
    try check(listen(listener.descriptor, 1) == 0)
    port = UInt32(listener.number)
    Thread { self.serve() }.start()
  }

  private func serve() {
    let connection = accept(listener.descriptor, nil, nil)
    var name = ""
    while heard.count < 2, let line = readLine(connection) {
      heard.append(line)
      let argument = String(line.dropFirst(4))
      if line.hasPrefix("iam:") {
        name = argument
        send("\(name) has joined\n", connection)
      } else {
        send("\(name): \(argument)\n", connection)
      }
    }
    close(connection)
    listener.close()
    ended.signal()
  }

  private func readLine(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  private func send(_ text: String, _ connection: Int32) {
    _ = Glibc.send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }
}

private final class Screen: PhoneChatRoomDelegate {
  var lines: [String] = []
  var isLost = false

  func received(message: PhoneMessage) {
    lines.append("\(message.sender)|\(message.text)|\(message.isOurs)")
  }

  func connectionLost() { isLost = true }
}

@Suite(.timeLimit(.minutes(20))) struct PhoneChatTests {
  @Test("a phone's chat room joins, speaks, listens and hears the end")
  func conversation() async throws {
    let (lines, isLost) = await withCheckedContinuation {
      (continuation: CheckedContinuation<([String], Bool), Never>) in
      Thread {
        guard let server = try? TinyServer() else {
          return continuation.resume(returning: (["no server"], false))
        }
        let screen = Screen()
        let room = PhoneChatRoom()
        room.delegate = screen
        room.setupNetworkCommunication(port: server.port)
        room.joinChat(username: "ada")
        let limit = Date(timeIntervalSinceNow: 10)
        while screen.lines.isEmpty, Date() < limit {
          _ = RunLoop.current.run(mode: .default, before: limit)
        }
        room.send(message: "good morning: all")
        while !screen.isLost, Date() < limit {
          _ = RunLoop.current.run(mode: .default, before: limit)
        }
        server.ended.wait()
        continuation.resume(returning: (screen.lines + server.heard, screen.isLost))
      }.start()
    }
    #expect(
      lines == [
        "|ada has joined|false", "ada|good morning: all|true", "iam:ada", "msg:good morning: all",
      ])
    #expect(isLost)
  }
}
