/// Programs and people in a running server's lobby, for the tests of its promises. Asserts nothing.

import ChatServer
import TestSupport
import Testing

extension RunningServer {
  /// A program that has a name and is in the lobby, live from now on.
  func program(_ name: String, receiveBuffer: Int32? = nil) throws -> JSONClient {
    let client = try JSONClient(port: port, receiveBuffer: receiveBuffer)
    client.logIn(name)
    client.ask("join", ["room": "lobby"])
    return client
  }

  /// Another connection of whoever has this token; in the lobby if it is to be.
  func again(_ token: String, joins: Bool = true) throws -> JSONClient {
    let client = try JSONClient(port: port)
    client.resume(token)
    if joins { client.ask("join", ["room": "lobby"]) }
    return client
  }

  /// A person at a terminal, in the lobby.
  func person(_ name: String, receiveBuffer: Int32? = nil) throws -> TestClient {
    let client = try TestClient(port: port, receiveBuffer: receiveBuffer)
    client.logIn(name)
    return client
  }
}

extension JSONClient {
  /// Says all of these, one after the other, without waiting; then waits for the answers.
  @discardableResult
  func sayAll(_ texts: some Sequence<String>, in room: String = "lobby") -> [Answer?] {
    texts.map { say($0, in: room) }.map { answer(to: $0) }
  }

  /// The messages that have come since some number of them had.
  func messages(since count: Int) -> [Said] { Array(messages.dropFirst(count)) }

  /// How often this event came.
  func count(of event: String) -> Int { events.count { $0.name == event } }
}

/// The numbers and the texts of what somebody said in lines: `ann: 12` is `12`.
func said(_ lines: [String]) -> [String] {
  lines.compactMap { line in
    guard !line.hasPrefix("* "), let colon = line.firstRange(of: ": ") else { return nil }
    return String(line[colon.upperBound...])
  }
}
