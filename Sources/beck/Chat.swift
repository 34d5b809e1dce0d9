/// `beck chat`: understands its command line. What happens then stands in Conversation.swift.

import ChatClient
import ChatModel
import Foundation

/// The subcommand's place in the program.
let chat = Subcommand(
  name: "chat", summary: "join a chat: at the keyboard, or from a pipe", run: { runChat($0) })

private let chatHelp = """
  beck chat [HOST[:PORT] | unix:PATH] [--name NAME [--password-file FILE]] [--room ROOM]
            [--last N] [--numbers] [--tls [--ca FILE]] [--plain | --legacy]

  Joins the chat at HOST (localhost) and PORT (12345), or at a Unix socket. Lines typed are said;
  what others say is printed, with its time where it was said before. At the keyboard some lines
  are commands; help: shows them all. Among them:

    who:  rooms:  topic:  history:N      to:NAME:TEXT     TEXT to NAME alone
    join:ROOM   join:ROOM:CODE           reply:#N:TEXT    edit:#N:TEXT   delete:#N
    create:ROOM   create:ROOM:private    search:WORDS     away:TEXT      register:
    msg:TEXT   says TEXT, whatever it begins with         quit:          leave

  N of #N is the number before a message. From a pipe every line is said as it stands, no more than
  8 are read ahead of the server's answers, and the program ends when the last one is answered.

  When the connection is lost it is made again, however long that takes. What was said meanwhile is
  shown then, and what was not answered is said again: every line arrives once, in its order. Once
  the pipe has ended, two minutes without an answer are the end.

    --name NAME   who you are; otherwise you are asked, or $USER is taken. At a keyboard a name
                  that has an account is asked for its password
    --password-file FILE
                  log in to the account of NAME: the password is the first line of FILE, or of
                  standard input where FILE is -
    --room ROOM   the room to enter (lobby)
    --numbers     show the numbers of messages also where no terminal shows them
    --last N      how many of the newest messages to show on entering, at most
                  \(HistoryPage.messagesMax); otherwise 20 at the keyboard, none in a pipe
    --tls         everything goes encrypted; the server must show a certificate for HOST that
                  this system trusts, or nothing is said
    --ca FILE     with --tls: certificates (PEM) to trust as well, of authorities of your own
                  or of the very server
    --plain       speak the plain dialect, as netcat does: without JSON lines a cut is the end.
                  Servers that have no JSON lines are found out and spoken to like this anyway
    --legacy      for the servers of the tutorials: commands without an end, 100 ms apart,
                  at most 1,024 bytes each; ends 2 s after the last echo
    --help        this text

  Examples:
    beck chat                                   a server on this machine
    beck chat chat.example.org:12345 --name ann
    beck chat '[::1]:12345'                     an IPv6 address; ::1 alone is fine too
    beck chat unix:/run/beck.sock               a path that beck serve listens at
    beck chat chat.example.org:12346 --tls      a server behind stunnel, socat or the like
    beck chat localhost:12346 --tls --ca my-authority.pem
    date | beck chat --name clock               says one line and ends
    make 2>&1 | beck chat --name builder --room builds

  Messages go to standard output, everything else to standard error. Exit status: 0 all was said
  and answered; 1 something was refused, or the connection was lost before; 2 the server cannot
  be reached, or not by TLS as asked; 64 the command line is wrong; 130 Ctrl-C.

  """

/// What is wrong with a command line, as part of a sentence.
private struct UsageProblem: Error {
  let words: String
}

/// Takes the arguments behind `chat` and gives the exit status.
private func runChat(_ arguments: [String]) -> Int32 {
  do throws(UsageProblem) {
    guard let way = try way(arguments) else {
      Output.standard.write(chatHelp)
      return ExitStatus.fine
    }
    // The connection holds its delegate weakly.
    let conversation = Conversation(on: way)
    return withExtendedLifetime(conversation) { conversation.run() }
  } catch {
    Output.error.write("beck chat: \(error.words); try: beck chat --help\n")
    return ExitStatus.usage
  }
}

/// What stands on the command line, not judged yet.
private struct Given {
  var operands: [String] = []
  var name: String?
  var room: String?
  var last: String?
  var isTLS = false
  var authorities: String?
  var isPlain = false
  var isLegacy = false
  var passwordFile: String?
  var showsNumbers = false
}

/// The way that the command line names; nil where it asks for help.
private func way(_ arguments: [String]) throws(UsageProblem) -> Conversation.Way? {
  guard let given = try given(arguments) else { return nil }
  // The name comes last: it may be asked for, which is in vain where the rest is wrong.
  let speech = try speech(given)
  let address = try address(given.operands)
  let security = try security(given.isTLS, authorities: given.authorities)
  let room = try room(given)
  let replay = try replay(given)
  let password = try password(given, to: address, security)
  let name = try name(given.name)
  return Conversation.Way(
    connection: { name, password in
      ChatConnection(
        to: address, as: name, password: password, speech: speech, security: security, room: room,
        replay: replay)
    },
    name: name, password: password,
    showsNumbers: given.showsNumbers || isatty(STDOUT_FILENO) == 1)
}

/// What `--password-file` names: its first line.
private func password(
  _ given: Given, to address: ServerAddress, _ security: ChatSecurity
) throws(UsageProblem) -> Password? {
  guard let path = given.passwordFile else { return nil }
  guard !given.isLegacy else {
    throw UsageProblem(words: "--password-file is of no use with --legacy")
  }
  guard given.name != nil else {
    throw UsageProblem(words: "whose password is it? give the name with --name NAME")
  }
  guard address.isThisMachine || security != .plainText else {
    throw UsageProblem(
      words: "others could read a password on its way to \(address); use --tls")
  }
  do throws(SmallFile.Problem) {
    let line = path == "-" ? StandardInput.firstLine() : try SmallFile.firstLine(path)
    guard let password = Password(line) else {
      throw SmallFile.Problem(words: "its first line is none: " + Password.rule)
    }
    return password
  } catch {
    throw UsageProblem(words: "--password-file cannot use '\(path)': \(error.words)")
  }
}

private func given(_ arguments: [String]) throws(UsageProblem) -> Given? {
  var given = Given()
  let flags = Flags([
    "name": true, "room": true, "last": true, "tls": false, "ca": true, "plain": false,
    "legacy": false, "password-file": true, "numbers": false, "help": false,
  ])
  for item in flags.parse(arguments) {
    switch item {
    case .flag("help", _): return nil
    case .flag("name", let value): given.name = value
    case .flag("room", let value): given.room = value
    case .flag("last", let value): given.last = value
    case .flag("tls", _): given.isTLS = true
    case .flag("ca", let value): given.authorities = value
    case .flag("plain", _): given.isPlain = true
    case .flag("legacy", _): given.isLegacy = true
    case .flag("password-file", let value): given.passwordFile = value
    case .flag("numbers", _): given.showsNumbers = true
    case .flag(let other, _): preconditionFailure("--\(other) is in the table, not in the switch")
    case .other(let word): given.operands.append(word)
    case .wrong(let clause): throw UsageProblem(words: clause)
    }
  }
  return given
}

private func speech(_ given: Given) throws(UsageProblem) -> ChatConnection.Speech {
  switch (given.isPlain, given.isLegacy) {
  case (false, false): return .automatic
  case (true, false): return .plain
  case (false, true): return .tutorial
  case (true, true): throw UsageProblem(words: "--plain and --legacy exclude each other")
  }
}

private func room(_ given: Given) throws(UsageProblem) -> RoomName {
  guard let text = given.room else { return .lobby }
  // A tutorial's server has but one room, which has no name.
  guard !given.isLegacy else {
    throw UsageProblem(words: "--room is of no use with --legacy")
  }
  guard let room = RoomName(text) else {
    throw UsageProblem(
      words: "'\(ScreenText.guarded(text))' cannot be a room: 1 to \(RoomName.bytesMax) of the "
        + "letters a to z, digits, _, - and . can")
  }
  return room
}

/// A pipe is shown only what is new: what it does with it, it may have done before.
private func replay(_ given: Given) throws(UsageProblem) -> Int {
  guard let text = given.last else { return isatty(STDIN_FILENO) == 1 ? 20 : 0 }
  guard !given.isLegacy, !given.isPlain else {
    throw UsageProblem(words: "--last is of no use with --plain and --legacy")
  }
  guard let count = Int(text), (0...HistoryPage.messagesMax).contains(count) else {
    throw UsageProblem(
      words: "--last takes a number from 0 to \(HistoryPage.messagesMax),"
        + " not '\(ScreenText.guarded(text))'")
  }
  return count
}

private func address(_ operands: [String]) throws(UsageProblem) -> ServerAddress {
  guard let first = operands.first else { return .local }
  guard operands.count == 1 else {
    throw UsageProblem(words: "one server at a time, and '\(operands[1])' is one more")
  }
  guard let address = ServerAddress(first) else {
    throw UsageProblem(words: "'\(first)' is no HOST, HOST:PORT or unix:PATH")
  }
  return address
}

/// `path` is that of a file of certificates.
private func security(_ isTLS: Bool, authorities path: String?) throws(UsageProblem) -> ChatSecurity
{
  guard isTLS else {
    // Somebody who names an authority does not mean to speak in plain text.
    guard path == nil else { throw UsageProblem(words: "--ca is of no use without --tls") }
    return .plainText
  }
  // A build that has no TLS says so when it is to connect.
  guard let path, ChatSecurity.isTLSAvailable else { return .tls() }
  do throws(SmallFile.Problem) {
    guard let certificates = TrustedCertificates(pem: try SmallFile.contents(path)) else {
      throw SmallFile.Problem(words: "it holds no certificate in PEM, or a damaged one")
    }
    return .tls(trusting: certificates)
  } catch {
    throw UsageProblem(words: "--ca cannot use '\(path)': \(error.words)")
  }
}

/// The name given; else, at a keyboard, the name asked for; else the user's.
private func name(_ given: String?) throws(UsageProblem) -> UserName {
  if let given { return try name(from: given) }
  if isatty(STDIN_FILENO) == 1 {
    Output.error.write("name: ")
    guard let typed = readLine() else { throw UsageProblem(words: "no name was given") }
    return try name(from: typed)
  }
  let user = ProcessInfo.processInfo.environment["USER", default: ""]
  if let name = try? UserName(user) { return name }
  // A login name may hold what a chat's cannot; its letters and digits are left.
  let letters = user.unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9") ~= $0 }
  guard let name = try? UserName(String(String.UnicodeScalarView(letters).prefix(16))) else {
    throw UsageProblem(words: "who is speaking? give a name with --name NAME")
  }
  return name
}

private func name(from text: String) throws(UsageProblem) -> UserName {
  do {
    return try UserName(text)
  } catch {
    throw UsageProblem(
      words: "'\(ScreenText.guarded(text))' cannot be a name: \(error.words)")
  }
}
