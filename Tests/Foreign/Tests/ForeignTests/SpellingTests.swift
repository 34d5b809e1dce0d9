/// Every spelling that the foreign sources compile is carried out, against a plain echo server.

import PhoneChat
import SocketStreams
import Spellings
import Testing
import Untouched

@Suite(.timeLimit(.minutes(20))) struct OpeningSpellingTests {
  @Test("each way of making a pair gives streams that talk", arguments: openings.indices)
  func talks(index: Int) async throws {
    try await onThread {
      let server = try EchoServer()
      let pair = openings[index].make(server.port)
      let input = try #require(pair.input)
      let output = try #require(pair.output)
      try check(input.streamStatus == .notOpen, "\(openings[index].name)")
      input.open()
      output.open()
      try check(output.write("hello", maxLength: 5) == 5)
      var buffer = [UInt8](repeating: 0, count: 5)
      var count = 0
      while count < 5 {
        let more = buffer.withUnsafeMutableBufferPointer {
          input.read($0.baseAddress! + count, maxLength: 5 - count)
        }
        guard more > 0 else { break }
        count += more
      }
      try check(buffer == Array("hello".utf8), "\(openings[index].name)")
      input.close()
      output.close()
      try check(try server.transcript() == "hello")
    }
  }

  @Test("each way of making half a pair makes that half alone", arguments: halfOpenings.indices)
  func halves(index: Int) async throws {
    try await onThread {
      let server = try EchoServer()
      let pair = halfOpenings[index].make(server.port)
      try check((pair.input == nil) != (pair.output == nil), "\(halfOpenings[index].name)")
      pair.input?.open()
      pair.output?.open()
      if let output = pair.output { try check(output.write("bye\n", maxLength: 4) == 4) }
      if let input = pair.input {
        try check(run { input.streamStatus == .open })
      }
      pair.input?.close()
      pair.output?.close()
      try check(try server.transcript() == (pair.output == nil ? "" : "bye\n"))
    }
  }

  @Test("a literal host and port, and a wrapped call, make a pair")
  func literals() {
    for pair in [Opening.telnet(), Opening.wrapped()] {
      #expect(pair.input?.streamStatus == .notOpen)
      #expect(pair.output?.streamStatus == .notOpen)
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct ClientSpellingTests {
  static let talkers: [@Sendable () -> any Talker] = [
    { OldChat() }, { Messenger() }, { PhoneOnly() },
  ]

  @Test("each client hears what it said", arguments: talkers.indices)
  func echo(index: Int) async throws {
    try await onThread {
      let server = try EchoServer()
      let talker = Self.talkers[index]()
      talker.start(port: server.port)
      talker.say("one\n")
      try check(run { talker.heard == "one\n" }, "\(talker.heard)")
      talker.say("two\n")
      try check(run { talker.heard == "one\ntwo\n" }, "\(talker.heard)")
      talker.stop()
      try check(try server.transcript() == "one\ntwo\n")
    }
  }

  @Test("a typed pointer writes, and room is told of")
  func typedPointer() async throws {
    try await onThread {
      let server = try EchoServer()
      let chat = OldChat()
      chat.start(port: server.port)
      chat.shout("loud\n")
      try check(run { chat.heard == "LOUD\n" && chat.sawRoom })
      chat.stop()
      try check(try server.transcript() == "LOUD\n")
    }
  }

  @Test("every way to tell two streams apart agrees, to the end")
  func identity() async throws {
    try await onThread {
      let server = try EchoServer()
      let messenger = Messenger()
      messenger.start(port: server.port)
      messenger.say("bye\n")
      try check(run { messenger.end != nil })
      try check(messenger.heard == "bye\n")
      try check(messenger.disagreements == 0)
      if case .some(.some(let error)) = messenger.end { throw error }
      messenger.stop()
      try check(try server.transcript() == "bye\n")
    }
  }

  @Test("a client that only asks sees the opening, bytes and the end")
  func polling() async throws {
    try await onThread {
      let server = try EchoServer()
      let client = PollingClient()
      let limit = Date(timeIntervalSinceNow: 10)
      try check(client.connect(port: server.port, until: limit))
      try check(client.write("bye\n") == 4)
      try check(client.readLine(until: limit) == "bye\n")
      try check(client.readLine(until: limit) == nil)
      try check(client.error == nil)
      client.close()
      try check(try server.transcript() == "bye\n")
    }
  }

  @Test("a client that only asks sees a refusal")
  func pollingRefused() async throws {
    try await onThread {
      let port = try LoopbackPort()
      defer { port.close() }
      let client = PollingClient()
      try check(!client.connect(port: port.number, until: Date(timeIntervalSinceNow: 10)))
      try check((client.error as? POSIXError)?.code == .ECONNREFUSED)
      try check((client.error as NSError?)?.domain == NSPOSIXErrorDomain)
      client.close()
    }
  }

  @Test("a write in the line after open() is sent")
  func writesAtOnce() async throws {
    try await onThread {
      let server = try EchoServer()
      let text = String(repeating: "0123456789", count: 100)
      try check(echoInOneGo(text, port: server.port) == text)
      try check(try server.transcript() == text)
    }
  }

  @Test("files that import Foundation alone find the streams through one exporting line")
  func untouched() async throws {
    try await onThread {
      let server = try EchoServer()
      let client = LineClient()
      client.connect(port: server.port)
      client.send(line: "a line")
      client.send(line: "another")
      try check(run { client.lines == ["a line", "another"] }, "\(client.lines)")
      client.disconnect()
      try check(try server.transcript() == "a line\r\nanother\r\n")
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct LoopSpellingTests {
  @Test("a session that is dropped anywhere ends its own loop (pitfall 25)")
  func session() async throws {
    try await onThread {
      let server = try EchoServer()
      var session = SessionStream(host: "localhost", port: server.port)
      let ended = try #require(session).hasEnded
      try check(try #require(session).isReady.wait(timeout: .now() + 10) == .success)
      try check(session?.write(Data("hello".utf8)) == 5)
      try check(run { session?.heard == "hello" })
      session = nil
      try check(ended.wait(timeout: .now() + 10) == .success)
      try check(try server.transcript() == "hello")
    }
  }

  @Test("a socket thread runs, is woken and is stopped in Core Foundation's way")
  func socketThread() async throws {
    try await onThread {
      let server = try EchoServer()
      let thread = SocketThread(port: server.port)
      thread.start()
      thread.post("hello")
      try check(thread.hasHeard.wait(timeout: .now() + 10) == .success)
      try check(thread.heard == "hello")
      thread.stop()
      try check(thread.isOver.wait(timeout: .now() + 10) == .success)
      try check(try server.transcript() == "hello")
    }
  }

  @Test("a client in Core Foundation's calls alone gets its echo")
  func coreFoundation() async throws {
    try await onThread {
      let server = try EchoServer()
      let client = CoreFoundationClient(port: server.port)
      let text = String(repeating: "abcdefghij", count: 10)
      try check(try client.echo(text).get() == text)
      try check(client.failure == "domain 0, error 0")
      try check(try server.transcript() == text)
    }
  }

  @Test("a client in Core Foundation's calls alone is told of a refusal, in Linux's numbers")
  func coreFoundationRefused() async throws {
    try await onThread {
      let port = try LoopbackPort()
      defer { port.close() }
      let client = CoreFoundationClient(port: port.number)
      guard case .failure(let error) = client.echo("hello") else {
        throw Failed(description: "somebody answered")
      }
      try check(CFErrorGetDomain(error) as String == NSPOSIXErrorDomain)
      try check(CFErrorGetCode(error) == 111)
      try check(client.failure == "Connection refused")
    }
  }

  @Test("both names of a run loop mean one object, and both of a mode one mode")
  func names() async throws {
    try await onThread {
      try check(CFRunLoopGetCurrent() === RunLoop.current)
      try check(RunLoop.current.getCFRunLoop() === CFRunLoopGetCurrent())
      try check(CFRunLoopGetMain() === RunLoop.main)
      try check(CFRunLoopMode.commonModes.rawValue as String == "kCFRunLoopCommonModes")
      try check(RunLoop.Mode(rawValue: CFRunLoopMode.defaultMode.rawValue as String) == .default)
      try check(CFRunLoopRunInMode(.defaultMode, 0, false) == .finished)
      try check(!CFRunLoopIsWaiting(CFRunLoopGetCurrent()))
      try check(CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) == nil)
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct ModernSpellingTests {
  @Test("a model on the main actor reads lines as they come")
  @MainActor func lines() async throws {
    let server = try EchoServer()
    let model = ChatModel()
    await model.run(port: server.port, saying: ["one", "two"])
    #expect(model.lines == ["one", "two"])
    #expect(model.problem == nil)
    let transcript = try await onThread { try server.transcript() }
    #expect(transcript == "one\r\ntwo\r\n")
  }
}
