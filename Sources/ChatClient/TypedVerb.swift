/// The commands that a person can type, and what each makes of its argument. Asks nobody anything.

import ChatModel
import Dialects

/// The word before the colon, or behind the slash.
enum TypedVerb: String, CaseIterable {
  case who, rooms, help, quit, history, since, join, leave, topic, msg, to, reply, edit, delete
  case search, away, create, invite, uninvite, kick, ban, mute, unban, unmute, role, register
  case password, ping, iam

  /// Whether somebody who typed it with a colon meant a command. "edit: I meant ten" is said, as
  /// "who: me?" is.
  func isMeant(by argument: String) -> Bool {
    switch self {
    case .who, .rooms, .help, .quit, .leave, .password: argument.isBlank
    case .reply, .edit, .delete: MessagePlace(argument) != nil
    case .history, .since, .join, .topic, .msg, .to, .search, .away, .create, .invite, .uninvite,
      .kick, .ban, .mute, .unban, .unmute, .role, .register, .ping, .iam:
      true
    }
  }

  func line(_ argument: String, in room: RoomName) -> TypedLine {
    switch self {
    case .who: .question(.who)
    case .rooms: .question(.rooms)
    case .help: .question(.help)
    case .quit: .quit
    case .history: history(argument.trimmed)
    case .since: since(argument, room)
    case .join: join(argument)
    case .leave, .iam: .misused(usage)
    case .topic: topic(argument)
    case .msg: argument.isBlank ? .blank : .text(argument)
    case .to: to(argument)
    case .reply, .edit, .delete: change(argument, room)
    case .search: search(argument.trimmed)
    case .away: away(argument.trimmed)
    case .create: create(argument)
    case .invite: invite(argument.trimmed, room)
    case .uninvite: argument.isBlank ? .misused(usage) : uninvite(argument.trimmed, room)
    case .kick, .ban, .mute, .unban, .unmute, .role: moderation(argument, room)
    case .register: .register(code: argument.isBlank ? nil : argument.trimmed)
    case .password: .changePassword
    case .ping: .question(.ping(argument.isBlank ? "?" : argument.trimmed))
    }
  }

  /// What it takes, as a clause.
  private var usage: String {
    switch self {
    case .history: "history:N takes a number from 1 to \(HistoryPage.messagesMax)"
    case .since: "since:N takes a message's number, as in since:44"
    case .join:
      "join:ROOM takes a room: up to 64 of the letters a to z, digits, _, - and .; a private one "
        + "takes a code, too: join:ROOM:CODE"
    case .leave: "join:ROOM leaves this room for another one; quit: leaves the chat"
    case .topic: "topic:TEXT takes at most \(ShortText.bytesMax) bytes"
    case .to: "to:NAME:TEXT says TEXT to NAME alone; to say what you typed, begin with msg:"
    case .reply: "reply:#N:TEXT takes a message's number and a text, as in reply:#44:yes"
    case .edit: "edit:#N:TEXT takes your message's number and its new text, as in edit:#44:yes"
    case .delete: "delete:#N takes a message's number, as in delete:#44"
    case .search: "search:WORDS takes 1 to \(Search.wordsBytesMax) bytes of words"
    case .away: "away:TEXT takes at most \(ShortText.bytesMax) bytes"
    case .create: "create:ROOM makes a room for everybody, create:ROOM:private one for some"
    case .invite: "invite:N takes how many the code lets in, from 1 to 1000000"
    case .uninvite: "uninvite:CODE takes the code of an invitation"
    case .kick, .ban, .mute:
      "\(rawValue):NAME:REASON takes a name, and a reason of at most \(ShortText.bytesMax) bytes"
        + (self == .kick
          ? "" : "; a time may stand between, such as 30m, 2h or 7d, ten years at most")
    case .unban, .unmute: "\(rawValue):NAME takes a name"
    case .role: "role:NAME:ROLE takes a name and owner, moderator or member"
    case .iam: "your name is given at the start: beck chat --name NAME"
    case .who, .rooms, .help, .quit, .msg, .register, .password, .ping: "help: shows the commands"
    }
  }
}

// What each makes of its argument.
extension TypedVerb {
  private func history(_ word: String) -> TypedLine {
    guard !word.isEmpty else { return .question(.history(20)) }
    guard let count = Int(word), (1...HistoryPage.messagesMax).contains(count) else {
      return .misused(usage)
    }
    return .question(.history(count))
  }

  private func since(_ argument: String, _ room: RoomName) -> TypedLine {
    guard let seq = MessagePlace.number(argument.trimmed) else { return .misused(usage) }
    let limit = HistoryPage.messagesMax
    return .request(.history(.room(room), .after(seq), limit: limit))
  }

  private func join(_ argument: String) -> TypedLine {
    // A room's name holds no blank, so that one may stand before its code.
    let (first, code) = argument.trimmed.fields
    let words = first.split(separator: " ")
    let spelled = words.count == 2 && code == nil ? String(words[1]) : code?.trimmed
    guard let name = words.first, words.count == 1 || (words.count == 2 && code == nil),
      let room = RoomName(String(name)), spelled?.isEmpty != true
    else { return .misused(usage) }
    return .join(room, code: spelled)
  }

  private func topic(_ argument: String) -> TypedLine {
    guard !argument.isBlank else { return .question(.topic) }
    guard let topic = ShortText(argument.trimmed) else { return .misused(usage) }
    return .request(.setTopic(nil, topic))
  }

  private func to(_ argument: String) -> TypedLine {
    let (first, text) = argument.fields
    guard let name = try? UserName(first), let text, !text.isBlank else { return .misused(usage) }
    return .aside(text, to: .with(name), replyTo: nil)
  }

  private func change(_ argument: String, _ room: RoomName) -> TypedLine {
    guard let message = MessagePlace(argument) else { return .misused(usage) }
    let place = message.name.map { Place.with($0) } ?? .room(room)
    if self == .delete { return .request(.delete(place, of: message.seq)) }
    guard let text = message.rest, !text.isBlank else { return .misused(usage) }
    if self == .reply { return .aside(text, to: place, replyTo: message.seq) }
    guard let text = MessageText(text) else { return .misused(usage) }
    return .request(.edit(place, of: message.seq, text))
  }

  private func search(_ words: String) -> TypedLine {
    guard (1...Search.wordsBytesMax).contains(words.utf8.count) else { return .misused(usage) }
    return .request(.search(Search(words)))
  }

  private func away(_ text: String) -> TypedLine {
    guard !text.isEmpty else { return .request(.away(nil)) }
    guard let text = ShortText(text) else { return .misused(usage) }
    return .request(.away(text))
  }

  private func create(_ argument: String) -> TypedLine {
    let (name, kind) = argument.trimmed.fields
    guard let room = RoomName(name), kind == nil || kind?.trimmed == "private" else {
      return .misused(usage)
    }
    return .request(.create(room, isPrivate: kind != nil, topic: nil))
  }

  private func invite(_ word: String, _ room: RoomName) -> TypedLine {
    guard let uses = word.isEmpty ? 1 : Int(word), (1...1_000_000).contains(uses) else {
      return .misused(usage)
    }
    return .request(.invite(room, uses: uses, seconds: nil))
  }

  private func uninvite(_ code: String, _ room: RoomName) -> TypedLine {
    .request(.uninvite(room, code: code))
  }

  private func moderation(_ argument: String, _ room: RoomName) -> TypedLine {
    let (first, rest) = argument.fields
    guard let name = try? UserName(first) else { return .misused(usage) }
    switch self {
    case .unban: return .request(.lift(.ban, room, .name(name)))
    case .unmute: return .request(.lift(.mute, room, .name(name)))
    case .role:
      guard let role = rest.flatMap({ Role(rawValue: $0.trimmed) }) else { return .misused(usage) }
      return .request(.setRole(room, name, role))
    case _: break
    }
    let (time, reasonBehind) = rest?.fields ?? ("", nil)
    let seconds = self == .kick ? nil : TimeSpan.seconds(time)
    // As a reason it would make the sanction one without end.
    guard seconds ?? 0 <= JSONLimits.secondsMax else { return .misused(usage) }
    let words = (seconds == nil ? rest : reasonBehind)?.trimmed ?? ""
    let reason = ShortText(words)
    guard reason != nil || words.isEmpty else { return .misused(usage) }
    if self == .kick { return .request(.kick(room, name, reason)) }
    let kind: Sanction.Kind = self == .ban ? .ban : .mute
    return .request(.sanction(kind, room, .name(name), reason, seconds: seconds))
  }
}

/// Which message is meant: `#N`, or `NAME:#N` in a conversation; and what stands behind it.
private struct MessagePlace {
  var name: UserName?
  let seq: Int64
  /// Behind the next colon.
  let rest: String?

  init?(_ argument: String) {
    let (first, behind) = argument.fields
    if let seq = Self.number(first) {
      (self.seq, rest) = (seq, behind)
      return
    }
    let (second, rest) = behind?.fields ?? ("", nil)
    guard second.hasPrefix("#"), let seq = Self.number(second), let name = try? UserName(first)
    else { return nil }
    (self.name, self.seq, self.rest) = (name, seq, rest)
  }

  /// Above 0, with or without its mark.
  static func number(_ word: String) -> Int64? {
    let digits = word.hasPrefix("#") ? word.dropFirst() : Substring(word)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(digits).flatMap { $0 > 0 ? $0 : nil }
  }
}
