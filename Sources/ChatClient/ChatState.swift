/// Where a conversation with a server stands, and how it ended. Values only.

/// Where a connection stands. It moves down this list, and begins again at ``connecting`` after an
/// interruption, or when the server turns out to speak otherwise.
public enum ChatState: Hashable, Sendable {
  /// The server is being reached.
  case connecting
  /// The server was reached, and TLS is being agreed on. Only with ``ChatSecurity/tls(trusting:)``.
  case securing
  /// The name was sent; the server has not answered yet.
  case loggingIn
  /// The name is taken; texts go out.
  case open
  /// The connection was lost, in words such as `connection reset by peer`; after so long another
  /// one is made, which goes on where this one was cut. Only where the server speaks JSON lines.
  case interrupted(String, retryAfter: Duration)
  /// It is over, and why. Nothing follows.
  case closed(ChatClosing)
}

extension ChatState {
  package var isInterrupted: Bool {
    if case .interrupted = self { true } else { false }
  }
}

/// Why a connection is over.
public enum ChatClosing: Hashable, Sendable {
  /// This side ended it, and everything said was answered.
  case finished
  /// This side closed it at once; so many texts had no answer.
  case abandoned(unanswered: Int)
  /// The server did not take the name; its words, and what another attempt would need.
  case loginRefused(String, LoginProblem = .other)
  /// The server did not let the person into the room; its words.
  case roomRefused(String)
  /// The server could not be reached; the system's words, such as `connection refused`.
  case unreachable(String)
  /// No TLS conversation came about, and nothing was said; what is wrong in words, such as
  /// `the certificate of chat.example.org expired on 2026-11-30`, and of which kind it is.
  case notSecured(String, SecurityProblem)
  /// The server ended the connection; so many texts had no answer.
  case endedByServer(unanswered: Int)
  /// The connection broke; the system's words, and how many texts had no answer.
  case broken(String, unanswered: Int)
  /// The connection ended without the farewell that TLS has for it (RFC 8446 6.1): the network or
  /// somebody on the way may have cut it, and the last lines may be missing. So many texts had no
  /// answer.
  case cutOff(unanswered: Int)
  /// The last text was said, and for two minutes nothing was answered any more; what was wrong at
  /// the end, in words, and how many texts had no answer.
  case gaveUp(String, unanswered: Int)
}

/// What can be wrong with a login, as far as what a person can do about it differs.
public enum LoginProblem: Hashable, Sendable {
  /// Somebody else has the name at the moment, or it is an account's and needs its password.
  case nameTaken
  /// The password is not that of the account, or there is no such account.
  case badPassword
  case other
}

/// What can be wrong with TLS, as far as what a person can do about it differs.
public enum SecurityProblem: Hashable, Sendable {
  /// A certificate of the server has expired or is not valid yet.
  case outOfDate
  /// The server's certificate is for others.
  case wrongHost
  /// Nobody who is trusted vouches for the server.
  case notTrusted
  /// The certificate, or the chain that leads to its authority, is bad in another way.
  case badCertificate
  /// The server does not speak TLS, or broke off when it was spoken to.
  case noTLS
  /// The server speaks TLS, which was not asked for.
  case plainText
  /// The server speaks no version or cipher of TLS that is taken here.
  case nothingInCommon
  /// This package was built without TLS.
  case unavailable
  case other
}

/// What can be asked of the server beside being heard.
public enum ChatQuestion: Hashable, Sendable {
  /// Who is in the room?
  case who
  /// Which rooms are there?
  case rooms
  /// What is the room about?
  case topic
  /// What was said last in the room? At most so many messages, 1 to 500.
  case history(Int)
  /// How does one speak to this server?
  case help
  /// Answered by ``ServerLine/pong(_:)`` with the same text.
  case ping(String)
}
