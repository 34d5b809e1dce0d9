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
      take(next)
    }
  }

  private mutating func take(_ heard: Heard) {
    switch heard {
    case .request(.logIn(let wanted, _), _):
      if let name { show(.left(.lobby, name, members: 1)) }
      name = wanted
      dialect.loggedIn(as: wanted)
      show(.joined(.lobby, wanted, members: 2))
    case .request(.send(nil, let text, _, _), let id):
      if let name { show(said(name, text)) } else { answer(.refused(.notLoggedIn), id) }
    case .request(.ping(let text), let id):
      answer(.pong(text), id)
    case .request(.who(let room), let id):
      answer(.members(room ?? .lobby, name.map { [Member($0)] } ?? [], count: 1), id)
    case .request(.quit, _):
      tell(.closing(.quit))
      isOver = true
    case .request:
      break
    case .answer(let answer, let id):
      self.answer(answer, id)
    case .help:
      tell(.help)
    case .tooManyMistakes(let limit):
      tell(.closing(.tooManyMistakes(limit: limit)))
      isOver = true
    case .farewell(let bytes):
      answered.append(String(decoding: bytes, as: UTF8.self))
    case .close:
      answered.append("<close>")
    case .write, .web: preconditionFailure("plain hears no \(heard)")
    }
  }

  private mutating func show(_ event: Event) { seen += encoded(event, .line) }

  private mutating func tell(_ event: Event) { answered += encoded(event, dialect.form) }

  private mutating func answer(_ answer: Answer, _ id: RequestID?) {
    answered += encoded(answer, to: id, dialect.form)
  }
}

/// A message in the lobby as its readers are told it.
func said(
  _ name: UserName, _ text: MessageText, seq: Int64 = 1, key: MessageKey? = nil,
  replyTo: Int64? = nil
) -> Event {
  let draft = Draft(
    room: .lobby, person: PersonID(rawValue: 7), from: name, text: text, key: key,
    replyTo: replyTo)
  return .message(
    Message(draft, seq: seq, at: Moment(milliseconds: 1_796_004_600_123)), in: .room(.lobby))
}

/// An event's lines, without their ends; traps where the last has none.
func encoded(_ event: Event, _ form: Form, isOwn: Bool = false) -> [String] {
  var bytes: [UInt8] = []
  Encoder.encode(event, for: form, isOwn: isOwn, into: &bytes)
  return lines(bytes)
}

/// An answer's lines, likewise.
func encoded(_ answer: Answer, to id: RequestID? = nil, _ form: Form) -> [String] {
  var bytes: [UInt8] = []
  Encoder.encode(answer, to: id, for: form, into: &bytes)
  return lines(bytes)
}

private func lines(_ bytes: [UInt8]) -> [String] {
  guard !bytes.isEmpty else { return [] }
  precondition(bytes.last == UInt8(ascii: "\n"), "every line ends")
  return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
}
