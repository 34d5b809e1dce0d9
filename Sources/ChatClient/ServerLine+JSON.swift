/// What a JSON server tells, as the lines that people know from the plain dialect. Makes every
/// word of strangers safe to show.

import ChatModel
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
      [.notice("you are in \(RoomState(name: room, members: members, seq: seq).words)")]
    case .history(let page):
      (page.gap.map { [gap($0)] } ?? []) + page.messages.map { .replayed($0) }
        + (page.messages.isEmpty && page.gap == nil ? [.notice("no messages")] : [])
    case .rooms(let rooms):
      rooms.map { .notice($0.words) }
    case .members(_, let members, let count):
      [.notice(here(members.map(\.name), count))]
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
      [.notice(changed(joined, left, members))]
    case .gap(_, let numbers): [gap(numbers)]
    case .message, .catchingUp, .caughtUp, .help, .skipped, .closing: []
    }
  }

  private static func name(_ name: UserName) -> String { ScreenText.oneLine(name.shown) }

  private static func here(_ names: [UserName], _ count: Int) -> String {
    guard !names.isEmpty else { return "\(count) here" }
    let rest = count > names.count ? " and \(count - names.count) more" : ""
    return "\(count) here: \(names.map(name).joined(separator: ", "))\(rest)"
  }

  private static func changed(_ joined: Int, _ left: Int, _ members: Int) -> String {
    let parts = [joined > 0 ? "\(joined) joined" : nil, left > 0 ? "\(left) left" : nil]
    return (parts.compactMap { $0 } + ["\(members) here"]).joined(separator: ", ")
  }

  private static func gap(_ numbers: ClosedRange<Int64>) -> ServerLine {
    numbers.count == 1
      ? .notice("message \(numbers.lowerBound) is no longer kept")
      : .notice("messages \(numbers.lowerBound) to \(numbers.upperBound) are no longer kept")
  }
}

extension RoomState {
  fileprivate var words: String {
    "\(name.string): \(members) here, " + (seq > 0 ? "newest #\(seq)" : "nothing said yet")
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
