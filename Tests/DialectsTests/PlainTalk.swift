/// One plain connection on a clock moved by hand, with the least hub that will do. Waits for
/// nothing.

import ChatModel
import Dialects

/// Feeds a dialect, answers its logins, and keeps all that came of it.
struct PlainTalk {
  private(set) var dialect = Dialect()
  private(set) var now = Duration.zero
  /// Everything pulled, in order.
  private(set) var heard: [Heard] = []
  /// What another person in line mode would be shown.
  private(set) var seen: [String] = []
  /// What the connection itself would be answered.
  private(set) var answered: [String] = []
  private(set) var name: UserName?
  /// The connection was closed: nothing of it is carried out any more.
  private var isOver = false

  init() {}

  /// A read after `wait`, timers first.
  mutating func read(_ bytes: [UInt8], after wait: Duration = .zero) {
    pass(wait)
    bytes.withUnsafeBytes { dialect.received($0, at: now) }
    pull()
  }

  mutating func read(_ text: String, after wait: Duration = .zero) {
    read(Array(text.utf8), after: wait)
  }

  /// Lets time pass; a deadline that falls on the last instant counts as passed.
  mutating func pass(_ wait: Duration) {
    let end = now + wait
    while let deadline = dialect.deadline, deadline <= end {
      now = max(now, deadline)
      dialect.deadlinePassed(at: now)
      pull()
    }
    now = end
  }

  mutating func end() {
    dialect.ended()
    pull()
  }

  private mutating func pull() {
    while !isOver, let next = dialect.next() {
      heard.append(next)
      switch next {
      case .request(.logIn(let wanted)):
        if let name { show(.left(name, members: 1)) }
        name = wanted
        dialect.loggedIn(as: wanted)
        show(.joined(wanted, members: 2))
      case .request(.say(let text)):
        if let name { show(.said(name, text)) } else { answer(.refused(.notLoggedIn)) }
      case .request(.ping(let text)):
        answer(.pong(text))
      case .request(.who):
        answer(.members(name.map { [$0] } ?? [], count: 1))
      case .request(.quit):
        answer(.closing(.quit))
        isOver = true
      case .answer(let event):
        answer(event)
      case .farewell(let bytes):
        answered.append(String(decoding: bytes, as: UTF8.self))
      case .close:
        answered.append("<close>")
      }
    }
  }

  private mutating func show(_ event: Event) { seen += encoded(event, .line) }

  private mutating func answer(_ event: Event) { answered += encoded(event, dialect.form) }
}

/// An event's lines, without their ends; traps where the last has none.
func encoded(_ event: Event, _ form: PlainForm) -> [String] {
  var bytes: [UInt8] = []
  PlainEncoder.encode(event, for: form, into: &bytes)
  guard !bytes.isEmpty else { return [] }
  precondition(bytes.last == UInt8(ascii: "\n"), "every line ends")
  return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
}
