/// What a JSON server tells, as the lines that people know from the plain dialect. Makes every
/// word of strangers safe to show.

import ChatModel
internal import Dialects
internal import Foundation

extension ServerLine {
  static func said(_ message: Message) -> ServerLine {
    .said(from: name(message.draft.from), text: ScreenText.oneLine(message.draft.text.string))
  }

  static func replayed(_ message: Message) -> ServerLine {
    .replayed(
      from: name(message.draft.from), text: ScreenText.oneLine(message.draft.text.string),
      seq: message.seq, at: message.at)
  }

  /// What became of a request that a person made.
  static func lines(of answer: Answer) -> [ServerLine] {
    switch answer {
    case .joined(let room, let seq, let members):
      [.notice("you are in \(PlainWords.room(room, members, seq))")]
    case .history(let page):
      (page.gap.map { [.notice(PlainWords.gap($0))] } ?? []) + page.messages.map { .replayed($0) }
        + (page.messages.isEmpty && page.gap == nil ? [.notice(PlainWords.noMessages)] : [])
    case .rooms(let rooms, let count):
      rooms.map { .notice(PlainWords.room($0.name, $0.members, $0.seq)) }
        + (count > rooms.count ? [.notice(PlainWords.further(count - rooms.count))] : [])
    case .members(_, let members, let count):
      [.notice(PlainWords.here(members.map { name($0.name) }, count: count))]
    case .pong(let text):
      [.pong(text)]
    case .loggedIn, .loggedOut, .left, .sent, .quit, .refused:
      []
    }
  }

  /// An event of the room that is shown; messages are judged elsewhere.
  static func lines(of event: Event) -> [ServerLine] {
    switch event {
    case .joined(_, let name, members: _): [.joined(Self.name(name))]
    case .left(_, let name, members: _): [.left(Self.name(name))]
    case .membersChanged(_, let joined, let left, let members):
      [.notice(PlainWords.changed(joined, left, members))]
    case .gap(_, let numbers): [.notice(PlainWords.gap(numbers))]
    case .message, .catchingUp, .caughtUp, .help, .skipped, .notice, .closing: []
    }
  }

  private static func name(_ name: UserName) -> String { ScreenText.oneLine(name.shown) }
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
