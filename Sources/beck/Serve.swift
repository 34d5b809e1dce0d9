/// `beck serve`: reads its flags, runs a server until it is told to end. Knows no chat.

import ChatServer
import Foundation
import Glibc
import Loop
import Stores

/// The subcommand's place in the program.
let serve = Subcommand(
  name: "serve", summary: "serve a chat to whatever connects", run: { Serve.run($0) })

private enum Serve {
  static let help = """
    beck serve [--listen ADDRESS:PORT | --listen unix:PATH]... [--data DIRECTORY | --memory]
               [--no-limits]

    Serves a chat to whatever connects: netcat, the tutorials' clients, programs that speak JSON
    lines, beck chat. Messages are on the disk before anybody sees them.

      --listen ADDRESS:PORT  where to listen; may be given several times. An IPv6 address stands
                             in brackets: [::1]:12345. Port 0 takes any free port.
                             Default: 127.0.0.1:12345 and [::1]:12345, this machine only.
      --listen unix:PATH     listen at a path of this machine; the umask and the directory decide
                             who may connect. What a dead server left there is replaced.
      --data DIRECTORY       where messages are kept; one server at a time has it.
                             Default: $XDG_DATA_HOME/beck or ~/.local/share/beck
      --memory               keep messages in memory only: the newest 10,000 of a room, 64 MiB in
                             all, gone when the server ends
      --no-limits            lift the rates of messages and of connections an address;
                             the limits of size stay
      --help                 this text

    examples:
      beck serve                             for this machine
      beck serve --listen 0.0.0.0:12345      for the network, IPv4
      beck serve --listen 127.0.0.1:0        for a test; the port is printed

    SIGINT (Ctrl-C) and SIGTERM end it; everybody is told. Exit status: 0 ended so; 1 it cannot
    listen, or cannot keep messages; 64 the command line is wrong.

    """

  /// Runs until a signal ends the server. Gives the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    var configuration = Configuration(log: { complain($0) })
    var place = Place.standard
    switch parse(arguments, into: &configuration, &place) {
    case .go: break
    case .helped: return ExitStatus.fine
    case .wrong(let sentence):
      complain("\(sentence); try: beck serve --help")
      return ExitStatus.usage
    }
    if configuration.listen.isEmpty { configuration.listenOnLoopback() }
    do throws(StoreError) {
      try open(place, in: &configuration)
    } catch {
      complain("\(error)")
      return ExitStatus.refused
    }
    warnOfBrowserPorts(configuration)

    // Who started it may have stopped reading what it says; the chat goes on.
    signal(SIGPIPE, SIG_IGN)

    let kept = place.description
    let isKept = configuration.store != nil
    let loop = EventLoop()
    let server = Server(configuration: configuration, loop: loop)
    let outcome = Guarded(ExitStatus.fine)
    Task.detached {
      do {
        let places = try await server.start()
        // Before the greeting: who has read that may send a signal at once.
        await server.stop(on: SIGINT)
        await server.stop(on: SIGTERM)
        greet(places, kept, ownerCode: isKept ? await server.ownerCode : nil)
      } catch {
        complain(sentence(for: error))
        outcome.withLock { $0 = ExitStatus.refused }
        await server.stop()
      }
    }
    loop.run()
    return outcome.withLock { $0 }
  }

  /// Where messages are kept.
  private enum Place: CustomStringConvertible {
    case standard
    case directory(DataDirectory)
    case memory

    var directory: DataDirectory? {
      switch self {
      case .standard: DataDirectory.standard(environment: ProcessInfo.processInfo.environment)
      case .directory(let directory): directory
      case .memory: nil
      }
    }

    var description: String {
      directory.map { "messages are kept in \($0.path)" }
        ?? "messages are kept in memory: they are gone when this ends"
    }
  }

  private static func open(
    _ place: Place, in configuration: inout Configuration
  ) throws(StoreError) {
    if case .memory = place { return }
    guard let directory = place.directory else {
      throw .failed("there is no home directory to keep messages in; name one with --data")
    }
    configuration.store = try SQLiteStore(in: directory)
    configuration.tokenKey = try directory.secret()
  }

  private enum Parsed {
    case go, helped
    case wrong(String)
  }

  private static func parse(
    _ arguments: [String], into configuration: inout Configuration, _ place: inout Place
  ) -> Parsed {
    let flags = Flags([
      "listen": true, "data": true, "memory": false, "no-limits": false, "help": false,
    ])
    for item in flags.parse(arguments) {
      switch item {
      case .flag("help", _):
        Output.standard.write(help)
        return .helped
      case .flag("listen", let value?):
        guard let listen = ListenPlace(value) else {
          return .wrong(
            "--listen takes unix:PATH or a numeric ADDRESS:PORT such as 127.0.0.1:12345, "
              + "not '\(value)'")
        }
        configuration.listen.append(ListenAddress(listen))
      case .flag("data", let path?):
        guard !path.isEmpty else { return .wrong("--data takes a directory") }
        if case .memory = place { return .wrong("--data and --memory exclude each other") }
        place = .directory(DataDirectory(path))
      case .flag("memory", _):
        if case .directory = place { return .wrong("--data and --memory exclude each other") }
        place = .memory
      case .flag("no-limits", _): configuration.limits.liftRates()
      case .flag: break
      case .wrong(let sentence): return .wrong(sentence)
      case .other(let word): return .wrong("'\(word)' is not a flag of beck serve")
      }
    }
    return .go
  }

  private static func greet(_ places: [ListenPlace], _ kept: String, ownerCode: String?) {
    var lines = places.map { "listening on \($0)" }
    lines.append(kept)
    for (index, words) in invitations(places).enumerated() {
      lines.append((index == 0 ? "join:  " : "  or:  ") + words)
    }
    for case .tcp(let address) in places where !address.isLoopback {
      lines.append("open to other machines: \(address)")
    }
    if let ownerCode {
      lines.append(
        "owner: nobody yet. From this machine, whoever registers with this code is it:\n"
          + #"  {"id":1,"register":{"name":"YOU","password":"…","code":"\#(ownerCode)"}}"#)
    }
    // All at once: a signal that comes meanwhile cuts nothing off.
    Output.standard.write(lines.map { "\($0)\n" }.joined())
  }

  /// How to join, by the first address and by the first path.
  private static func invitations(_ places: [ListenPlace]) -> [String] {
    var words: [String] = []
    if let first = places.compactMap(\.address).first {
      let host = ["0.0.0.0", "::"].contains(first.host) ? "HOST" : first.host
      let isDefault = first.isLoopback && first.port == Configuration.port
      let place = first.isIPv6 ? "[\(host)]" : host
      words.append("beck chat --name YOU\(isDefault ? "" : " \(place):\(first.port)")")
      words.append("nc \(host) \(first.port)    then type iam:YOU, and msg:TEXT to speak")
    }
    if let path = places.compactMap(\.path).first {
      words.append("nc -U \(path)    then type iam:YOU, and msg:TEXT to speak")
    }
    return words
  }

  private static func sentence(for error: any Error) -> String {
    guard let error = error as? LoopError else { return "\(error)" }
    let isPath = error.attempt.hasPrefix("listen on unix:")
    switch error.errno {
    case EADDRINUSE:
      let other = isPath ? "path" : "port"
      return "\(error); stop what listens there, or choose another \(other) with --listen"
    case ENOTSOCK: return "\(error); something else is there: remove it, or choose another path"
    case ENAMETOOLONG:
      return "\(error); a socket's path has at most \(ListenPlace.pathBytesMax) bytes"
    case EACCES where isPath: return "\(error); choose a path that you may write with --listen"
    case EACCES: return "\(error); ports below 1024 need root, choose a higher one with --listen"
    case EADDRNOTAVAIL: return "\(error); this machine has no such address, see: ip address"
    default: return "\(error)"
    }
  }

  /// Ports that web browsers refuse to open (the Fetch standard's list of bad ports).
  private static let browserRefused: Set<UInt16> = [
    6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ]

  private static func warnOfBrowserPorts(_ configuration: Configuration) {
    for port in configuration.listen.compactMap(\.place.address?.port)
    where browserRefused.contains(port) {
      complain("web browsers refuse to open port \(port); choose another for them")
    }
  }
}

/// One line for the operator.
private func complain(_ sentence: String) { Output.error.write("beck serve: \(sentence)\n") }
