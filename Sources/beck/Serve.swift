/// `beck serve`: reads its flags, runs a server until it is told to end. Knows no chat.

import ChatServer
import Dialects
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
               [--keep-days N] [--keep-messages N] [--no-limits]
               [--public-name NAME]... [--allow-origin ORIGIN]...

    Serves a chat to whatever connects: netcat, the tutorials' clients, programs that speak JSON
    lines, browsers, beck chat. Messages are on the disk before anybody sees them.

      --listen ADDRESS:PORT  where to listen; may be given several times. An IPv6 address stands
                             in brackets: [::1]:12345. Port 0 takes any free port.
                             Default: 127.0.0.1:12345 and [::1]:12345, this machine only.
      --listen unix:PATH     listen at a path of this machine; the umask and the directory decide
                             who may connect. What a dead server left there is replaced.
      --data DIRECTORY       where messages are kept; one server at a time has it.
                             Default: $XDG_DATA_HOME/beck or ~/.local/share/beck
      --memory               keep messages in memory only: the newest 10,000 of a room, 64 MiB in
                             all, gone when the server ends
      --keep-days N          remove messages that are older than N days; everybody who logs in is
                             told. Default: they are kept for good. Not with --memory.
      --keep-messages N      remove all but the newest N messages of each room, looked at once a
                             minute; with --memory N in place of 10,000
      --no-limits            lift the rates (of messages, new rooms, wrong passwords, requests) and
                             the count of connections an address; the limits of size stay
      --public-name NAME     a name by which browsers may call this server, besides its addresses,
                             localhost and the machine's own name; may be given several times
      --allow-origin ORIGIN  let web pages of this origin, such as https://example.org, ask too;
                             may be given several times. Default: only the server's own page
      --help                 this text

    examples:
      beck serve                             for this machine
      beck serve --listen 0.0.0.0:12345      for the network, IPv4
      beck serve --keep-days 30              what is older goes
      beck serve --listen 127.0.0.1:0        for a test; the port is printed

    SIGINT (Ctrl-C) and SIGTERM end it; everybody is told. Exit status: 0 ended so; 1 it cannot
    listen, or cannot keep messages; 64 the command line is wrong.

    """

  /// Runs until a signal ends the server. Gives the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    var configuration = Configuration(log: { complain($0) })
    var place = Place.standard
    var retention = Retention()
    switch parse(arguments, into: &configuration, &place, &retention) {
    case .go: break
    case .helped: return ExitStatus.fine
    case .wrong(let sentence):
      complain("\(sentence); try: beck serve --help")
      return ExitStatus.usage
    }
    if configuration.listen.isEmpty { configuration.listenOnLoopback() }
    do throws(StoreError) {
      try open(place, retention, in: &configuration)
    } catch {
      complain("\(error)")
      return ExitStatus.refused
    }
    warnOfBrowserPorts(configuration)

    // Who started it may have stopped reading what it says; the chat goes on.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is a disk that is full: refused in words, not the end of the server.
    signal(SIGXFSZ, SIG_IGN)

    let kept = place.words(retention)
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
  private enum Place {
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

    func words(_ retention: Retention) -> String {
      guard let directory else {
        let newest = retention.messagesPerRoomMax.map { "the newest \($0) of each room" }
        return "\(newest ?? "messages") are kept in memory: they are gone when this ends"
      }
      return "messages are kept \(retention.words), in \(directory.path)"
    }
  }

  private static func open(
    _ place: Place, _ retention: Retention, in configuration: inout Configuration
  ) throws(StoreError) {
    if case .memory = place {
      if let most = retention.messagesPerRoomMax {
        configuration.limits.memory.messagesPerRoomMax = most
      }
      return
    }
    guard let directory = place.directory else {
      throw .failed("there is no home directory to keep messages in; name one with --data")
    }
    let store = try SQLiteStore(in: directory)
    configuration.store = store
    configuration.directory = directory
    configuration.search = try SearchIndex(behind: store)
    configuration.welcome = "messages here are kept \(retention.words)"
    if retention != Retention() {
      configuration.expire = { () async throws(StoreError) in try await store.expire(retention) }
    }
    configuration.tokenKey = try directory.secret()
  }

  private enum Parsed {
    case go, helped
    case wrong(String)
  }

  private static func parse(
    _ arguments: [String], into configuration: inout Configuration, _ place: inout Place,
    _ retention: inout Retention
  ) -> Parsed {
    let flags = Flags([
      "listen": true, "data": true, "memory": false, "keep-days": true, "keep-messages": true,
      "no-limits": false, "help": false, "public-name": true, "allow-origin": true,
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
      case .flag("keep-days", let value?):
        guard let days = count(value, upTo: 36_500) else {
          return .wrong("--keep-days takes a number of days, 1 to 36500, not '\(value)'")
        }
        retention.ageMax = .seconds(86_400 * days)
      case .flag("keep-messages", let value?):
        guard let most = count(value, upTo: 1_000_000_000) else {
          return .wrong("--keep-messages takes a number, 1 to 1000000000, not '\(value)'")
        }
        retention.messagesPerRoomMax = most
      case .flag("public-name", let name?):
        guard WebSettings.isName(name) else {
          return .wrong(
            "--public-name takes a name without a port, such as chat.example.org, not '\(name)'")
        }
        configuration.publicNames.append(name)
      case .flag("allow-origin", let origin?):
        guard WebSettings.isOrigin(origin) else {
          return .wrong(
            "--allow-origin takes a scheme and a host as browsers send them, such as "
              + "https://example.org, and nothing behind, not '\(origin)'")
        }
        configuration.allowedOrigins.append(origin)
      case .flag("no-limits", _): configuration.limits.liftRates()
      case .flag: break
      case .wrong(let sentence): return .wrong(sentence)
      case .other(let word): return .wrong("'\(word)' is not a flag of beck serve")
      }
    }
    if case .memory = place, retention.ageMax != nil {
      return .wrong("--keep-days and --memory exclude each other; --keep-messages goes with both")
    }
    return .go
  }

  /// In digits alone.
  private static func count(_ value: String, upTo most: Int) -> Int? {
    let isNumber = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let count = Int(value) else { return nil }
    return (1...most).contains(count) ? count : nil
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
      words.append("open http://\(isDefault ? "localhost" : place):\(first.port)/ in a browser")
      words.append("\(program) chat --name YOU\(isDefault ? "" : " \(place):\(first.port)")")
      words.append("nc \(host) \(first.port)    then type iam:YOU, and msg:TEXT to speak")
    }
    if let path = places.compactMap(\.path).first {
      words.append("\(program) chat --name YOU unix:\(path)")
      words.append("nc -U \(path)    then type iam:YOU, and msg:TEXT to speak")
    }
    return words
  }

  /// This program, as whoever started it may start it again.
  private static var program: String { CommandLine.arguments.first ?? "beck" }

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
