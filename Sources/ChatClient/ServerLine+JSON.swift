/// What a JSON server tells, as the lines that people know from the plain dialect. Makes every
/// word of strangers safe to show.

import ChatModel
internal import Dialects
internal import Foundation

// MARK: Messages and changes

extension ServerLine {
  /// As it is said.
  static func said(_ message: Message, in place: Place) -> ServerLine {
    let name = name(message.draft.from)
    guard case .text(let text) = message.draft.content else {
      return .notice(words(of: message, in: place))
    }
    let words = words(text, of: message)
    guard case .with(let other) = place else {
      return .said(from: name, text: words, seq: message.seq)
    }
    return .saidPrivately(
      from: name, text: words, to: message.isOwn(in: place) ? Self.name(other) : nil,
      seq: message.seq)
  }

  /// As it is read later.
  static func replayed(_ message: Message, in place: Place) -> ServerLine {
    guard case .text(let text) = message.draft.content, case .room = place else {
      return .past(words(of: message, in: place), seq: message.seq, at: message.at)
    }
    return .replayed(
      from: name(message.draft.from), text: words(text, of: message), seq: message.seq,
      at: message.at)
  }

  private static func words(_ text: MessageText, of message: Message) -> String {
    let reply = message.draft.replyTo.map { "(re #\($0)) " } ?? ""
    return reply + ScreenText.oneLine(text.string) + (message.edited == nil ? "" : " (edited)")
  }

  /// What it says or changes, with its speaker.
  private static func words(of message: Message, in place: Place) -> String {
    let speaker = speaker(of: message, in: place)
    return switch message.draft.content {
    case .text(let text): "\(speaker): \(words(text, of: message))"
    case .gone: "\(speaker) (deleted)"
    case .edit(of: let seq, let text):
      "\(speaker) changed #\(seq): \(ScreenText.oneLine(text.string))"
    case .deletion(of: let seq): "\(speaker) deleted #\(seq)"
    case .topic(let topic):
      ScreenText.oneLine(PlainWords.topic(place, topic?.string ?? "", by: message.draft.from))
    }
  }

  private static func speaker(of message: Message, in place: Place) -> String {
    let name = name(message.draft.from)
    guard case .with(let other) = place else { return name }
    return message.isOwn(in: place)
      ? "\(name) (private to \(Self.name(other)))" : "\(name) (private)"
  }

  private static func name(_ name: UserName) -> String { ScreenText.oneLine(name.shown) }
}

extension Message {
  /// Of a conversation: whether it is of the one who reads it.
  fileprivate func isOwn(in place: Place) -> Bool { place != .with(draft.from) }
}

// MARK: Answers and events

extension ServerLine {
  /// What became of a request that a person made.
  static func lines(of answer: Answer, to request: Request) -> [ServerLine] {
    switch answer {
    case .joined(let place, let seq, let members, let topic):
      entered(place, members, seq, topic)
    case .history(let page, in: let place):
      (page.gap.map { [notice(of: PlainWords.gap($0))] } ?? [])
        + page.messages.map { .replayed($0, in: place) }
        + (page.messages.isEmpty && page.gap == nil ? [.notice(PlainWords.noMessages)] : [])
    case .found(let findings):
      found(findings)
    case .rooms(let rooms, let count):
      rooms.map { notice(of: PlainWords.room($0)) }
        + (count > rooms.count ? [.notice(PlainWords.further(count - rooms.count))] : [])
    case .members(_, let members, let count):
      [notice(of: PlainWords.here(members.map { shown($0) }, count: count))]
    case .topic(let room, let topic):
      [notice(of: PlainWords.topic(room, topic))]
    case .invited(let room, let code):
      [notice(of: "join:\(room.string):\(code) lets others in")]
    case .pong(let text):
      [.pong(text)]
    case .loggedIn(let name, token: _, let isGuest):
      isGuest ? [] : [.notice("\(Self.name(name)) is your account; keep its password")]
    case .loggedOut:
      [.notice("you are logged out, on all connections")]
    case .done:
      request.isToldOtherwise ? [] : [.notice("done")]
    case .left(let room):
      [notice(of: "you have left \(room.string)")]
    case .sent, .changed, .report, .quit, .refused:
      []
    }
  }

  private static func entered(
    _ place: Place, _ members: Int, _ seq: Int64, _ topic: ShortText?
  ) -> [ServerLine] {
    let entry = notice(of: "you are in \(PlainWords.room(place, members, seq))")
    guard let topic, case .room(let room) = place else { return [entry] }
    return [entry, notice(of: PlainWords.topic(room, topic))]
  }

  /// Newest first, each with where it was said unless that is clear.
  private static func found(_ findings: Findings) -> [ServerLine] {
    let lines = findings.messages.map { finding in
      guard case .room(let room) = finding.place else {
        return replayed(finding.message, in: finding.place)
      }
      let words = words(of: finding.message, in: finding.place)
      return .past("\(room.string) | \(words)", seq: finding.message.seq, at: finding.message.at)
    }
    if lines.isEmpty, findings.cursor == nil { return [.notice(PlainWords.nothingFound)] }
    return lines + (findings.cursor == nil ? [] : [.notice("there may be more; add a word")])
  }

  private static func shown(_ member: Member) -> String {
    PlainWords.member(name(member.name), member)
  }

  private static func notice(of words: String) -> ServerLine { .notice(ScreenText.oneLine(words)) }

  /// What is shown of an event in a place that is read; messages are judged elsewhere.
  static func lines(of event: Event) -> [ServerLine] {
    switch event {
    case .joined(_, let name, members: _): [.joined(Self.name(name))]
    case .left(_, let name, members: _): [.left(Self.name(name))]
    case .membersChanged(_, let joined, let left, let members):
      [.notice(PlainWords.changed(joined, left, members))]
    case .gap(let place, let numbers): [notice(of: PlainWords.gap(numbers, in: place))]
    case .presence(let name, let away): [notice(of: PlainWords.presence(name, away))]
    case .kicked(let room, by: let name, let reason):
      [.refusal(ScreenText.oneLine(PlainWords.kicked(room, by: name, reason)))]
    case .message, .catchingUp, .caughtUp, .typing, .marked, .help, .skipped, .notice, .closing:
      []
    }
  }
}

extension Request {
  /// Whether it is of the moment only.
  var isSignal: Bool {
    switch self {
    case .mark, .typing: true
    case _: false
    }
  }

  /// Whether its success is nothing to tell, or is told by what comes of it.
  fileprivate var isToldOtherwise: Bool {
    if case .setTopic = self { true } else { isSignal }
  }
}

extension Moment {
  /// `2026-11-30 02:10` in the time zone of this machine.
  var localMinute: String {
    var seconds = time_t(milliseconds / 1_000)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil else { return "at some time" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(local.tm_year) + 1_900)-\(two(local.tm_mon + 1))-\(two(local.tm_mday)) "
      + "\(two(local.tm_hour)):\(two(local.tm_min))"
  }
}
