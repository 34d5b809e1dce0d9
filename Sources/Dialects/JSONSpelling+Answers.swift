/// Answers as JSON lines: `ok` or `error`, with the id of the request.

internal import ChatModel
internal import Wire

extension JSONSpelling {
  /// Nothing for the success of a request without an id.
  static func encode(_ answer: Answer, to id: RequestID?, into out: inout [UInt8]) {
    let start = out.count
    if case .refused(let refusal) = answer {
      out.append(UInt8(ascii: "{"))
      if let id { self.id(id, &out) }
      refused(refusal, &out)
      end(&out)
    } else if let id {
      out.append(UInt8(ascii: "{"))
      self.id(id, &out)
      out.append(ascii: #""ok":"#)
      ok(answer, from: start, &out)
      end(&out)
    }
  }

  static func id(_ id: RequestID, _ out: inout [UInt8]) {
    out.append(ascii: #""id":"#)
    switch id {
    case .number(let number): out += number.utf8
    case .text(let text): out.append(quoted: text)
    }
    out.append(UInt8(ascii: ","))
  }

  /// `start` is where the line began.
  private static func ok(_ answer: Answer, from start: Int, _ out: inout [UInt8]) {
    switch answer {
    case .loggedIn(let name, let token, let isGuest):
      loggedIn(name, token, isGuest, &out)
    case .joined(let place, let seq, let members, let topic):
      self.place(place, &out)
      number(#","seq":"#, seq, &out)
      number(#","members":"#, Int64(members), &out)
      if let topic { string(#","topic":"#, topic.string, &out) }
      out.append(UInt8(ascii: "}"))
    case .sent(_, let seq, let at, let durability):
      sent(seq: seq, at: at, durability, &out)
    case .changed(let seq):
      number(#"{"seq":"#, seq, &out)
      out.append(UInt8(ascii: "}"))
    case .history(let page, in: let place):
      history(page, in: place, &out)
    case .found(let findings):
      found(findings, &out)
    case .rooms(let rooms, let count):
      self.rooms(rooms, count, from: start, &out)
    case .members(_, let members, let count):
      self.members(members, count, from: start, &out)
    case .topic(let room, let topic):
      self.room(room, &out)
      if let topic { string(#","topic":"#, topic.string, &out) }
      out.append(UInt8(ascii: "}"))
    case .invited(_, let code):
      string(#"{"code":"#, code, &out)
      out.append(UInt8(ascii: "}"))
    case .report(let report):
      ControlSpelling.encode(report, into: &out)
    case .loggedOut, .left, .done, .pong, .quit, .refused:
      out.append(ascii: "{}")
    }
  }

  static func sent(
    seq: Int64, at: Moment, _ durability: Durability, _ out: inout [UInt8]
  ) {
    number(#"{"seq":"#, seq, &out)
    time(#","at":"#, at, &out)
    string(#","durability":"#, durability.rawValue, &out)
    out.append(UInt8(ascii: "}"))
  }

  private static func loggedIn(
    _ name: UserName, _ token: String, _ isGuest: Bool, _ out: inout [UInt8]
  ) {
    string(#"{"name":"#, name.shown, &out)
    string(#","token":"#, token, &out)
    out.append(ascii: isGuest ? #","guest":true"# : #","guest":false"#)
    string(#","server":"#, "beck \(Software.version)", &out)
    out.append(ascii: #","limits":{"#)
    for (index, limit) in JSONLimits.told.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(quoted: limit.name)
      number(":", Int64(limit.most), &out)
    }
    out.append(ascii: "}}")
  }

  /// Ends inside the answer's object.
  private static func refused(_ refusal: Refusal, _ out: inout [UInt8]) {
    let code = JSONErrorCode(refusal)
    string(#""error":{"code":"#, code.rawValue, &out)
    string(#","message":"#, JSONWords.refusal(refusal), &out)
    if case .rateLimited(let wait) = refusal {
      number(#","retryAfterMs":"#, JSONWords.milliseconds(wait), &out)
    }
    if code == .unknownMethod {
      out.append(ascii: #","methods":["#)
      for (index, method) in JSONMethod.allCases.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        out.append(quoted: method.rawValue)
      }
      out.append(UInt8(ascii: "]"))
    }
    out.append(UInt8(ascii: "}"))
  }
}
