/// What a JSON session sends, and when.

import ChatModel
import Dialects

extension JSONSession {
  mutating func request(_ request: Request, for purpose: Asked) -> [SessionAction] {
    var bytes: [UInt8] = []
    spell(request, for: purpose, &bytes)
    return [.write(bytes)]
  }

  /// Sends what waits, as far as it is its turn; all of it in one write.
  mutating func send(at now: Duration) -> [SessionAction] {
    guard state == .open else { return [] }
    var actions: [SessionAction] = []
    var bytes: [UInt8] = []
    while let entry = waiting.first, isTurn(of: entry) {
      waiting.removeFirst()
      switch entry {
      case .text(let text, let room, let key):
        spell(.send(room, text, key: key, replyTo: nil), for: .entry(entry), &bytes)
      case .join(let room):
        let room = room == reading.room ? reading : RoomReading(room)
        let beginning = room.beginning(replay: replay)
        spell(.join(room.room, beginning), for: .entry(entry, beginning), &bytes)
      case .question(let question):
        if let request = Self.request(question, in: reading.room) {
          spell(request, for: .entry(entry), &bytes)
        } else {
          actions.append(.show(.notice(TypedLine.commands)))
        }
      }
    }
    takeLeave(&bytes)
    return bytes.isEmpty ? actions : actions + [.write(bytes)]
  }

  /// Texts and rooms go one by one, each when the one before is answered.
  private func isTurn(of entry: Entry) -> Bool {
    guard holdEnd == nil else { return false }
    return !entry.isOrdered || !asked.contains { $0.1.isOrdered }
  }

  /// Nil where the server need not be asked.
  private static func request(_ question: ChatQuestion, in room: RoomName) -> Request? {
    switch question {
    case .who: .who(room)
    case .rooms: .rooms
    case .history(let count):
      .history(room, .before(nil), limit: pageLimit(count))
    case .ping(let text): .ping(ScreenText.oneLine(text))
    case .help: nil
    }
  }

  static func pageLimit(_ count: Int) -> Int {
    max(1, min(count, HistoryPage.messagesMax))
  }

  /// A page of what was said last; the server may give fewer than were asked for, and is then asked
  /// for what lies before them. All is shown at once, in its order.
  mutating func took(
    _ page: HistoryPage, of entry: Entry, left: Int, newer: [ServerLine]
  ) -> [SessionAction] {
    let isEmpty = page.messages.isEmpty && page.gap == nil
    let lines = isEmpty && !newer.isEmpty ? [] : ServerLine.lines(of: .history(page))
    let left = left - page.messages.count
    let ends = [page.messages.first?.seq, page.gap?.lowerBound].compactMap { $0 }
    guard page.more, left > 0, let end = ends.min() else {
      return (lines + newer).map { .show($0) }
    }
    return request(
      .history(page.room, .before(end), limit: left),
      for: .olderPage(entry, left: left, newer: lines + newer))
  }

  /// Says the last thing, once all else is said.
  private mutating func takeLeave(_ bytes: inout [UInt8]) {
    guard waiting.isEmpty else { return }
    if isQuitting, !hasSaidQuit {
      hasSaidQuit = true
      spell(.quit, for: .quit, &bytes)
    } else if isFinishing, !hasSaidLast, !asked.contains(where: { $0.1.isOrdered }) {
      hasSaidLast = true
      spell(.ping(""), for: .lastWord, &bytes)
    }
  }

  private mutating func spell(_ request: Request, for purpose: Asked, _ bytes: inout [UInt8]) {
    requests += 1
    let id = RequestID.number(String(requests))
    asked.append((id, purpose))
    codec.encode(request, id: id, into: &bytes)
  }

  // MARK: Silence

  mutating func hearSomething(at now: Duration) {
    silence = .none
    silenceEnd = state == .open ? now + ClientLimits.silenceMax : nil
  }

  /// A network may be gone without a word; and this program may have been asleep, with the
  /// server's words already waiting to be read. Hence two looks.
  mutating func breakSilence(at now: Duration) -> [SessionAction] {
    silenceEnd = now + ClientLimits.signOfLifeWait
    switch silence {
    case .none:
      silence = .asked
      return request(.ping(""), for: .aside)
    case .asked:
      silence = .doubtful
      return []
    case .doubtful:
      return interrupt("the server does not answer", at: now)
    }
  }
}

extension JSONSession.Entry {
  var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Nothing may overtake it.
  var isOrdered: Bool {
    switch self {
    case .text, .join: true
    case .question: false
    }
  }
}

extension JSONSession.Asked {
  /// What is to be asked again on another connection.
  var entry: JSONSession.Entry? {
    switch self {
    case .entry(let entry, _), .olderPage(let entry, _, _): entry
    case .logIn, .resume, .enter, .aside, .lastWord, .quit: nil
    }
  }

  var isText: Bool { entry?.isText ?? false }
  var isOrdered: Bool { entry?.isOrdered ?? false }
}
