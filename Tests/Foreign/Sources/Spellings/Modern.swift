/// A view's model on the main actor, in language mode 5: what new code looks like.

import SocketStreams

@MainActor public final class ChatModel {
  public private(set) var lines: [String] = []
  public private(set) var problem: String?
  private var connection: SocketConnection?

  public init() {}

  public func run(port: Int, saying words: [String]) async {
    do {
      let connection = try await SocketConnection.connect(toHost: "localhost", port: port)
      self.connection = connection
      for word in words { try await connection.write(Data((word + "\r\n").utf8)) }
      for try await line in connection.lines {
        lines.append(line)
        if lines.count == words.count { break }
      }
      var count = 0
      connection.close()
      for try await _ in connection.bytes { count += 1 }
      if count > 0 { problem = "\(count) bytes too many" }
    } catch let error as SocketConnectionError {
      problem = error.localizedDescription
    } catch {
      problem = "\(error)"
    }
  }
}
