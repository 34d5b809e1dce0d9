/// Lists in answers, each as long as its line may be. What does not fit is left out at the end; how
/// many there are in all stands beside it, or how to go on.

internal import ChatModel
internal import Wire

extension JSONSpelling {
  /// What a page has besides messages is left out: changes are told as events.
  static func history(_ page: HistoryPage, in place: Place, _ out: inout [UInt8]) {
    out.append(ascii: #"{"messages":["#)
    var isFirst = true
    for message in page.messages where message.draft.content.isMessage {
      if !isFirst { out.append(UInt8(ascii: ",")) }
      isFirst = false
      self.message(message, in: place, isOwn: false, &out)
    }
    out.append(ascii: #"],"more":"#)
    out.append(ascii: page.more ? "true" : "false")
    if let gap = page.gap {
      out.append(ascii: #","gap":{"#)
      self.gap(gap, &out)
    }
    out.append(UInt8(ascii: "}"))
  }

  static func found(_ findings: Findings, _ out: inout [UInt8]) {
    out.append(ascii: #"{"messages":["#)
    for (index, finding) in findings.messages.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      message(finding.message, in: finding.place, isOwn: false, &out)
    }
    out.append(UInt8(ascii: "]"))
    if let cursor = findings.cursor { string(#","cursor":"#, cursor, &out) }
    out.append(UInt8(ascii: "}"))
  }

  static func rooms(
    _ rooms: [RoomState], _ count: Int, from start: Int, _ out: inout [UInt8]
  ) {
    out.append(ascii: #"{"rooms":["#)
    asFit(rooms, from: start, &out) { room, out in listed(room, &out) }
    number(#"],"count":"#, Int64(count), &out)
    out.append(UInt8(ascii: "}"))
  }

  /// A room or a conversation in a list: here it is not what something is about, but what is
  /// listed.
  static func listed(_ room: RoomState, _ out: inout [UInt8]) {
    switch room.place {
    case .room(let name): string(#"{"name":"#, name.string, &out)
    case .with: place(room.place, &out)
    }
    if let topic = room.topic { string(#","topic":"#, topic.string, &out) }
    number(#","members":"#, Int64(room.members), &out)
    if room.isPrivate { out.append(ascii: #","private":true"#) }
    if room.isArchived { out.append(ascii: #","archived":true"#) }
    number(#","seq":"#, room.seq, &out)
    if let mark = room.mark { number(#","mark":"#, mark, &out) }
    if let unread = room.unread { number(#","unread":"#, unread, &out) }
    out.append(UInt8(ascii: "}"))
  }

  static func members(
    _ members: [Member], _ count: Int, from start: Int, _ out: inout [UInt8]
  ) {
    out.append(ascii: #"{"members":["#)
    asFit(members, from: start, &out) { member, out in
      string(#"{"name":"#, member.name.shown, &out)
      if let role = member.role { string(#","role":"#, role.rawValue, &out) }
      if let away = member.away { string(#","away":"#, away.string, &out) }
      out.append(UInt8(ascii: "}"))
    }
    number(#"],"count":"#, Int64(count), &out)
    out.append(UInt8(ascii: "}"))
  }

  /// Those from the first on that fit into the line which began at `start`.
  private static func asFit<Element>(
    _ elements: [Element], from start: Int, _ out: inout [UInt8],
    _ encode: (Element, inout [UInt8]) -> Void
  ) {
    // Behind them come the count, of at most 20 digits, and the ends of array, objects and line.
    let most = start + JSONLimits.lineBytesMax - 40
    for (index, element) in elements.enumerated() {
      let before = out.count
      if index > 0 { out.append(UInt8(ascii: ",")) }
      encode(element, &out)
      guard out.count <= most else { return out.removeLast(out.count - before) }
    }
  }
}
