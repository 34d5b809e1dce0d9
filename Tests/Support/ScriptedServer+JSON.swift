/// What a scripted server says in JSON lines. Knows the spelling, not the rules.

import Foundation

extension ScriptedPeer {
  /// The next request, which is to be of this method: its id, and what stands behind the method.
  package func request(_ method: String) throws -> (id: Int, arguments: String) {
    var rest = try line(#"{"id":"#)
    // What is asked beside what the person asks for can do without an answer.
    while rest.hasPrefix("\"a") { rest = try line(#"{"id":"#) }
    let digits = rest.prefix { $0.isNumber }
    let beginning = ",\"\(method)\":"
    let behind = rest.dropFirst(digits.count)
    guard let id = Int(digits), behind.hasPrefix(beginning) else {
      throw Failure("'\(rest)', not a \(method)")
    }
    return (id, String(behind.dropFirst(beginning.count).dropLast()))
  }

  package func answer(_ id: Int, _ fields: String = "") throws {
    try write(#"{"id":\#(id),"ok":{\#(fields)}}"# + "\n")
  }

  package func refuse(_ id: Int, _ code: String, _ words: String) throws {
    try write(#"{"id":\#(id),"error":{"code":"\#(code)","message":"\#(words)"}}"# + "\n")
  }

  /// Takes the login and the entry into the lobby; gives what both were made with.
  @discardableResult package func welcomeJSON(
    _ name: String = "ann", seq: Int = 0
  ) throws -> (login: String, join: String) {
    let (loginID, login) = try request("login")
    try answer(
      loginID, #""name":"\#(name)","token":"T","guest":true,"server":"scripted","limits":{}"#)
    let (joinID, join) = try request("join")
    try answer(joinID, #""room":"lobby","seq":\#(seq),"members":1"#)
    return (login, join)
  }

  /// Takes one text and answers it; gives what it was sent with.
  @discardableResult package func hearJSON(seq: Int) throws -> String {
    let (id, arguments) = try request("send")
    try answer(id, #""seq":\#(seq),"at":"2026-11-30T02:10:00.123Z","durability":"stored""#)
    return arguments
  }

  /// Answers the last ping and sees the client go.
  package func farewellJSON() throws {
    try answer(request("ping").id)
    guard try intake.line() == nil else { throw Failure("there is more after the last ping") }
  }
}
