/// The example that a tutorial's reader recognises, as a program, against the server.

import Foundation
import TestSupport
import Testing

@Suite struct ChatRoomExampleTests {
  @Test func theChatRoomJoinsSpeaksListensAndLeaves() async throws {
    let running = try await RunningServer()
    let bob = try TestClient(port: running.port)
    bob.logIn("bob")

    let room = Process()
    let (input, output) = (Pipe(), Pipe())
    room.executableURL = Self.program
    #expect(room.executableURL != nil, "the program lies beside the tests")
    room.arguments = ["127.0.0.1", "\(running.port)", "ann"]
    room.standardInput = input
    room.standardOutput = output
    try room.run()
    #expect(bob.lines(until: "ann has joined").count == 1)
    bob.send("msg:grüße ☕\n")
    _ = bob.lines(until: "bob: grüße ☕")
    input.fileHandleForWriting.write(Data("hello\n".utf8))
    #expect(bob.lines(until: "ann: hello") == ["ann: hello"])
    let shown = Self.read(output.fileHandleForReading, until: "ann: hello\n")
    #expect(shown == "ann has joined\nbob: grüße ☕\nann: hello\n")

    try input.fileHandleForWriting.close()
    #expect(bob.lines(until: "ann has left") == ["ann has left"])
    room.waitUntilExit()
    #expect(room.terminationStatus == 0)
    await running.stop()
  }

  /// The build puts the program beside the test bundle, whatever the scratch path.
  private static var program: URL? {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ([own].compactMap { $0 } + CommandLine.arguments)
      .map {
        URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("ChatRoom")
      }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  private static func read(_ handle: FileHandle, until end: String) -> String {
    var bytes = Data()
    var wanted = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(end),
      poll(&wanted, 1, patience) > 0
    {
      let more = handle.availableData
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
