/// Connections to Unix-domain sockets by their paths.

import Foundation
import SocketStreams
import Testing

/// A listening Unix-domain socket in a folder of its own.
final class PathListener {
  let path: String
  let descriptor: Int32

  init(backlog: Int32 = 16, nameBytes: Int = 6) throws {
    var folder = Array("/tmp/streams-\(String(repeating: "X", count: 6))".utf8CString)
    try check(mkdtemp(&folder) != nil, "mkdtemp: errno \(errno)")
    let name = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = name + "/" + String(repeating: "s", count: nameBytes)
    descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try check(isBound && listen(descriptor, backlog) == 0, "bind, listen: errno \(errno)")
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir((path as NSString).deletingLastPathComponent)
  }

  func accept() throws -> Connection {
    try check(waitFor(descriptor, POLLIN, 5), "nobody connected")
    let number = acceptForUs(descriptor)
    try check(number >= 0, "accept: errno \(errno)")
    return Connection(number)
  }
}

@Suite(.timeLimit(.minutes(20))) struct PathTests {
  @Test("streams to a path open, echo and end like any others")
  func streams() async throws {
    try await onThread {
      let listener = try PathListener()
      var input: InputStream?
      var output: OutputStream?
      Stream.getStreams(
        toUnixSocketAt: listener.path, inputStream: &input, outputStream: &output)
      let streams = Streams(try #require(input), try #require(output))
      streams.schedule()
      streams.open()
      let peer = try listener.accept()
      let recorder = streams.recorder
      try check(run { recorder.has("in open") && recorder.has("out space") }, "\(recorder.events)")
      try check(streams.output.put("question") == 8, "write")
      try check(try peer.receive() == Array("question".utf8), "garbled")
      try peer.send("answer")
      try check(run { recorder.has("in bytes") }, "\(recorder.events)")
      try check(streams.input.takeText() == "answer", "read")
      peer.close()
      try check(run { recorder.has("in end") }, "\(recorder.events)")
      streams.close()
    }
  }

  @Test("lines 8, 9: streams to a path that is not there fail with ENOENT")
  func streamsToNothing() async throws {
    try await onThread {
      var input: InputStream?
      var output: OutputStream?
      Stream.getStreams(
        toUnixSocketAt: "/nowhere/at/all", inputStream: &input, outputStream: &output)
      let streams = Streams(try #require(input), try #require(output))
      streams.schedule()
      streams.open()
      try check(run { streams.recorder.events.count == 2 }, "\(streams.recorder.events)")
      try check(
        streams.recorder.events.sorted() == ["in error", "out error"], "\(streams.recorder.events)")
      try check((streams.input.streamError as? POSIXError)?.code == .ENOENT, "another error")
    }
  }

  @Test("a path is connected to, the longest possible one too", arguments: [6, 87])
  func connects(nameBytes: Int) throws {
    let listener = try PathListener(nameBytes: nameBytes)
    let attempt = try Attempt(to: .unix(path: listener.path))
    let socket = try attempt.socket()
    let peer = try listener.accept()
    try socket.send("question")
    #expect(try peer.receive() == Array("question".utf8))
    try peer.send("answer")
    #expect(try socket.receive() == Array("answer".utf8))
  }

  @Test(
    "what is no path of a socket is the kernel's error, or the one it would be",
    arguments: [
      ("/nowhere/at/all", ENOENT), ("", ENOENT), ("/tmp/a\0b", EINVAL), ("/dev/null", ECONNREFUSED),
      (String(repeating: "a", count: 108), ENAMETOOLONG),
      (String(repeating: "a", count: 5_000), ENAMETOOLONG),
      ("/" + String(repeating: "a", count: 106), ENOENT),
    ])
  func fails(path: String, code: Int32) throws {
    #expect(try Attempt(to: .unix(path: path)).errno() == Int(code))
  }

  @Test("a full backlog is waited for, and connected to when it has room")
  func full() throws {
    let listener = try PathListener(backlog: 0)
    let first = try Attempt(to: .unix(path: listener.path)).socket()
    let second = try Attempt(to: .unix(path: listener.path))
    #expect(!wait(0.2) { second.hasEnded })
    let peer = try listener.accept()
    let socket = try second.socket()
    try withExtendedLifetime((first, peer)) {
      try socket.send("patience")
      #expect(try listener.accept().receive() == Array("patience".utf8))
    }
  }

  @Test("line 31: a wait for a full backlog can be abandoned, or meet the listener's end")
  func fullAndOver() throws {
    var listener: PathListener? = try PathListener(backlog: 0)
    let path = try #require(listener?.path)
    let first = try Attempt(to: .unix(path: path)).socket()
    let abandoned = try Attempt(to: .unix(path: path))
    let refused = try Attempt(to: .unix(path: path))
    #expect(!wait(0.1) { refused.hasEnded })
    abandoned.abandon()
    listener = nil
    let code = try refused.errno()
    #expect(code == ECONNREFUSED || code == ENOENT)
    #expect(!abandoned.hasEnded)
    withExtendedLifetime(first) {}
  }
}
