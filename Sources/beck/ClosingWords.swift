/// Why a conversation is over, in words for a person, and what can be done about it.

import ChatClient

extension ChatClosing {
  /// A clause without a capital or a full stop.
  func words(address: ServerAddress, name: String) -> String {
    switch self {
    case .finished: "everything was said and answered"
    case .abandoned(let count): "left without waiting; \(Self.unanswered(count))"
    case .loginRefused(_, .badPassword): "\(name) was not let in; look at name and password"
    case .loginRefused(_, .nameTaken):
      "the name \(name) was not taken; try another: --name NAME, or log in to its account: "
        + "--password-file FILE"
    case .loginRefused(_, .other): "the name \(name) was not taken; try another: --name NAME"
    case .roomRefused: "the room was not entered; try another: --room ROOM"
    case .unreachable(let words): "cannot reach \(address): \(words); \(Self.advice(words))"
    case .notSecured(let words, let problem):
      "no TLS conversation with \(address): \(words)"
        + (problem.advice.map { "; \($0)" } ?? "")
    case .endedByServer(0): "the server ended the connection"
    case .endedByServer(let count): "the server ended the connection; \(Self.unanswered(count))"
    case .broken(let words, let count):
      "the connection to \(address) broke: \(words); \(Self.unanswered(count))"
    case .cutOff(let count):
      "the connection to \(address) was cut: it ended without TLS's farewell, and what came last "
        + "may be missing; \(Self.unanswered(count))"
    case .gaveUp(let words, let count):
      "gave up after two minutes without an answer: \(words); \(Self.unanswered(count))"
    }
  }

  static func unanswered(_ count: Int) -> String {
    switch count {
    case 0: "no line was outstanding"
    case 1: "1 line has no answer and may be lost"
    default: "\(count) lines have no answer and may be lost"
    }
  }

  private static func advice(_ words: String) -> String {
    words == "connection refused"
      ? "is a server running there? try: beck serve" : "check the address and the network"
  }
}

extension SecurityProblem {
  /// What to do, nil where nothing is known to help. Never to do without TLS: whoever wants to
  /// read along would only have to cause a failure.
  fileprivate var advice: String? {
    switch self {
    case .outOfDate: "if this machine's clock is right, the server needs a new one"
    case .wrongHost: "reach the server by a name that its certificate has"
    case .notTrusted: "if you know that authority or that certificate, trust it: --ca FILE"
    case .badCertificate:
      "the server has to send a good one; an authority that is missing can be added: --ca FILE"
    case .noTLS: "is that a plain-text port, such as beck serve's own? --tls needs one for TLS"
    case .plainText: "try: beck chat --tls"
    case .nothingInCommon: "the server has to offer TLS 1.2 or 1.3"
    case .unavailable: "build it with the package trait TLS"
    case .other: nil
    }
  }
}
