/// Bound pairs, pairs around a socket, and queues, in the spellings of those who use them.

import SocketStreams
import Spellings
import Testing

@Suite(.timeLimit(.minutes(20))) struct PairSpellingTests {
  @Test("a body of unknown length goes through bound streams whole (pitfall 22)")
  func upload() async throws {
    try await onThread {
      let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
      let upload = UploadBody(body)
      let input = upload.input
      input.open()
      var all = Data()
      var buffer = [UInt8](repeating: 0, count: 1000)
      let isWhole = run {
        while input.hasBytesAvailable {
          let count = input.read(&buffer, maxLength: buffer.count)
          if count > 0 { all.append(contentsOf: buffer[..<count]) }
        }
        return input.streamStatus == .atEnd
      }
      try check(isWhole, "\(all.count) bytes came")
      try check(all == body)
      input.close()
    }
  }

  @Test("a pair bound in C's way holds what it was told to hold")
  func bound() {
    let (input, output) = boundPair(4)
    input.open()
    output.open()
    #expect(output.write("abcdef", maxLength: 6) == 4)
    #expect(!output.hasSpaceAvailable)
    output.close()
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(input.read(&buffer, maxLength: 8) == 4)
    #expect(input.read(&buffer, maxLength: 8) == 0)
    input.close()
  }

  @Test("an accepted socket speaks through streams, which then close it")
  func accepted() async throws {
    try await onThread {
      var ends: [Int32] = [-1, -1]
      try check(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { close(ends[1]) }
      let connection = AcceptedConnection(socket: ends[0])
      try check(run { connection.send("hello") == 5 })
      var buffer = [UInt8](repeating: 0, count: 8)
      try check(recv(ends[1], &buffer, 8, 0) == 5)
      try check(send(ends[1], "there", 5, 0) == 5)
      try check(run { connection.heard == "there" })
      connection.close()
      try check(recv(ends[1], &buffer, 8, Int32(MSG_DONTWAIT)) == 0, "the socket is closed")
    }
  }

  @Test("a transport on a queue connects, hears and is cleaned up")
  func queue() async throws {
    try await onThread {
      let server = try EchoServer()
      let transport = QueueTransport()
      let isConnected = DispatchSemaphore(value: 0)
      let hasHeard = DispatchSemaphore(value: 0)
      var heard = ""
      transport.onConnect = { isConnected.signal() }
      transport.onText = {
        heard += $0
        hasHeard.signal()
      }
      transport.connect(url: URL(string: "ws://localhost:\(server.port)")!, timeout: 5)
      try check(isConnected.wait(timeout: .now() + 10) == .success)
      try check(transport.write(data: Data("hello".utf8)) == 5)
      try check(hasHeard.wait(timeout: .now() + 10) == .success)
      try check(heard == "hello")
      transport.cleanup()
      try check(try server.transcript() == "hello")
    }
  }
}
