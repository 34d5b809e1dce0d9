/// Answers as JSON lines: `ok` or `error`, with the id of the request.

internal import ChatModel
internal import Wire

extension JSONSpelling {
  /// Nothing for the success of a request without an id.
  static func encode(_ answer: Answer, to id: RequestID?, into out: inout [UInt8]) {
    if case .refused(let refusal) = answer {
      out.append(UInt8(ascii: "{"))
      if let id { self.id(id, &out) }
      refused(refusal, &out)
      end(&out)
    } else if let id {
      out.append(UInt8(ascii: "{"))
      self.id(id, &out)
      out.append(ascii: #""ok":"#)
      ok(answer, &out)
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

  private static func ok(_ answer: Answer, _ out: inout [UInt8]) {
    switch answer {
    case .loggedIn(let name, let token, let isGuest):
      loggedIn(name, token, isGuest, &out)
    case .joined(let room, let seq, let members):
      self.room(room, &out)
      number(#","seq":"#, seq, &out)
      number(#","members":"#, Int64(members), &out)
      out.append(UInt8(ascii: "}"))
    case .sent(_, let seq, let at, let durability):
      number(#"{"seq":"#, seq, &out)
      time(at, &out)
      out.append(ascii: #","durability":"#)
      out.append(quoted: durability.rawValue)
      out.append(UInt8(ascii: "}"))
    case .history(let page):
      history(page, &out)
    case .rooms(let rooms, let count):
      self.rooms(rooms, count, &out)
    case .members(_, let members, let count):
      self.members(members, count, &out)
    case .loggedOut, .left, .pong, .quit, .refused:
      out.append(ascii: "{}")
    }
  }

  private static func loggedIn(
    _ name: UserName, _ token: String, _ isGuest: Bool, _ out: inout [UInt8]
  ) {
    out.append(ascii: #"{"name":"#)
    out.append(quoted: name.shown)
    out.append(ascii: #","token":"#)
    out.append(quoted: token)
    out.append(ascii: isGuest ? #","guest":true"# : #","guest":false"#)
    out.append(ascii: #","server":"#)
    out.append(quoted: "beck \(Software.version)")
    out.append(ascii: #","limits":{"#)
    for (index, limit) in JSONLimits.told.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(quoted: limit.name)
      number(":", Int64(limit.most), &out)
    }
    out.append(ascii: "}}")
  }

  private static func history(_ page: HistoryPage, _ out: inout [UInt8]) {
    out.append(ascii: #"{"messages":["#)
    for (index, message) in page.messages.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      self.message(message, isOwn: false, &out)
    }
    out.append(ascii: #"],"more":"#)
    out.append(ascii: page.more ? "true" : "false")
    if let gap = page.gap {
      out.append(ascii: #","gap":{"#)
      self.gap(gap, &out)
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func rooms(_ rooms: [RoomState], _ count: Int, _ out: inout [UInt8]) {
    out.append(ascii: #"{"rooms":["#)
    for (index, room) in rooms.enumerated() {
      out.append(ascii: index > 0 ? #",{"name":""# : #"{"name":""#)
      out += room.name.string.utf8
      number(#"","members":"#, Int64(room.members), &out)
      number(#","seq":"#, room.seq, &out)
      out.append(UInt8(ascii: "}"))
    }
    number(#"],"count":"#, Int64(count), &out)
    out.append(UInt8(ascii: "}"))
  }

  private static func members(_ members: [Member], _ count: Int, _ out: inout [UInt8]) {
    out.append(ascii: #"{"members":["#)
    for (index, member) in members.enumerated() {
      out.append(ascii: index > 0 ? #",{"name":"# : #"{"name":"#)
      out.append(quoted: member.name.shown)
      if let role = member.role {
        out.append(ascii: #","role":"#)
        out.append(quoted: role.rawValue)
      }
      out.append(UInt8(ascii: "}"))
    }
    number(#"],"count":"#, Int64(count), &out)
    out.append(UInt8(ascii: "}"))
  }

  /// Ends inside the answer's object.
  private static func refused(_ refusal: Refusal, _ out: inout [UInt8]) {
    let code = JSONErrorCode(refusal)
    out.append(ascii: #""error":{"code":"#)
    out.append(quoted: code.rawValue)
    out.append(ascii: #","message":"#)
    out.append(quoted: JSONWords.refusal(refusal))
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
