/// `beck chat`: understands its command line. What happens then stands in Conversation.swift.

import ChatClient
import ChatModel
import Foundation

/// The subcommand's place in the program.
let chat = Subcommand(
  name: "chat", summary: "join a chat: at the keyboard, or from a pipe", run: { runChat($0) })

private let chatHelp = """
  beck chat [HOST[:PORT]] [--name NAME] [--tls [--ca FILE]] [--legacy]

  Joins the chat at HOST (localhost) and PORT (12345). Lines typed are said; what others say is
  printed. At the keyboard these are commands:

    /who        who is here          /help   the server's own help
    /ping TEXT  is the server there  /quit   leave
    //TEXT      says /TEXT

  From a pipe every line is said as it stands, at most 8 ahead of the server's answers, and the
  program ends when the server has answered the last one.

    --name NAME   who you are; otherwise you are asked, or $USER is taken
    --tls         everything goes encrypted; the server must show a certificate for HOST that
                  this system trusts, or nothing is said
    --ca FILE     with --tls: certificates (PEM) to trust as well, of authorities of your own
                  or of the very server
    --legacy      for the servers of the tutorials: commands without an end, 100 ms apart,
                  at most 1,024 bytes each; ends 2 s after the last echo
    --help        this text

  Examples:
    beck chat                                   a server on this machine
    beck chat chat.example.org:12345 --name ann
    beck chat '[::1]:12345'                     an IPv6 address; ::1 alone is fine too
    beck chat chat.example.org:12346 --tls      a server behind stunnel, socat or the like
    beck chat localhost:12346 --tls --ca my-authority.pem
    date | beck chat --name clock               says one line and ends
    make 2>&1 | beck chat --name builder

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
    guard let connection = try connection(arguments) else {
      Output.standard.write(chatHelp)
      return ExitStatus.fine
    }
    // The connection holds its delegate weakly.
    let conversation = Conversation(over: connection)
    return withExtendedLifetime(conversation) { conversation.run() }
  } catch {
    Output.error.write("beck chat: \(error.words); try: beck chat --help\n")
    return ExitStatus.usage
  }
}

/// The connection that the command line asks for; nil where it asks for help.
private func connection(_ arguments: [String]) throws(UsageProblem) -> ChatConnection? {
  var operands: [String] = []
  var givenName: String?
  var speech = ChatConnection.Speech.plain
  var isTLS = false
  var authorities: String?
  let flags = Flags(["name": true, "tls": false, "ca": true, "legacy": false, "help": false])
  for item in flags.parse(arguments) {
    switch item {
    case .flag("help", _): return nil
    case .flag("name", let value): givenName = value
    case .flag("tls", _): isTLS = true
    case .flag("ca", let value): authorities = value
    case .flag("legacy", _): speech = .tutorial
    case .flag(let other, _): preconditionFailure("--\(other) is in the table, not in the switch")
    case .other(let word): operands.append(word)
    case .wrong(let clause): throw UsageProblem(words: clause)
    }
  }
  // The name comes last: it may be asked for, which is in vain where the rest is wrong.
  let address = try address(operands)
  let security = try security(isTLS, authorities: authorities)
  return try ChatConnection(
    to: address, as: name(givenName), speech: speech, security: security)
}

private func address(_ operands: [String]) throws(UsageProblem) -> ServerAddress {
  guard let first = operands.first else { return .local }
  guard operands.count == 1 else {
    throw UsageProblem(words: "one server at a time, and '\(operands[1])' is one more")
  }
  guard let address = ServerAddress(first) else {
    throw UsageProblem(words: "'\(first)' is no HOST or HOST:PORT")
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
      words: "'\(ScreenText.guarded(text))' cannot be a name: \(words(for: error))")
  }
}

private func words(for problem: NameProblem) -> String {
  switch problem {
  case .empty: "a name has at least one letter"
  case .tooLong(let limit): "a name has at most \(limit) bytes"
  case .control: "it holds a control character"
  case .bidirectional: "it turns the direction of writing"
  case .zeroWidth: "it holds a character that nobody can see"
  case .punctuation(let character): "it holds \(character)"
  case .beginning(let character): "it begins with \(character)"
  case .ending(let words): "it ends like a notice, in '\(words)'"
  case .commandWord(let word): "\(word) is a command"
  case .mixedAlphabets: "it mixes alphabets whose letters look alike"
  }
}
