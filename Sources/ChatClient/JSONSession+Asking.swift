/// What a JSON session sends, and when.

import ChatModel
import Dialects

extension JSONSession {
  mutating func request(_ request: Request, for purpose: Asked) -> [SessionAction] {
    var bytes: [UInt8] = []
    spell(request, for: purpose, &bytes)
    return [.write(bytes)]
  }

  /// As above, beside what the person asks: with numbers of its own.
  mutating func aside(_ request: Request, for purpose: Asked) -> [SessionAction] {
    var bytes: [UInt8] = []
    asides += 1
    spell(request, as: .text("a\(asides)"), for: purpose, &bytes)
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
      case .text(let text, let place, let key, let replyTo):
        let request = Request.send(place, text, key: key, replyTo: replyTo)
        spell(request, for: .entry(entry, request), &bytes)
      case .join(let room, let code, stays: _):
        let reading = self[.room(room)] ?? PlaceReading(.room(room))
        let beginning = reading.beginning(replay: replay)
        let request = Request.join(.room(room), beginning, code: code)
        spell(request, for: .entry(entry, request, beginning), &bytes)
      case .question(let question, let room):
        if let request = Self.request(question, in: room) {
          spell(Self.spelled(request), for: .entry(entry, request), &bytes)
        } else {
          actions += TypedLine.help.map { .show(.notice($0)) }
        }
      case .request(let request), .again(let request):
        spell(Self.spelled(request), for: .entry(entry, request), &bytes)
      }
    }
    takeLeave(&bytes)
    return bytes.isEmpty ? actions : actions + [.write(bytes)]
  }

  /// JSON lines have no question for a topic: it stands beside the room in the list of rooms.
  private static func spelled(_ request: Request) -> Request {
    if case .topic = request { .rooms } else { request }
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
      .history(.room(room), .before(nil), limit: pageLimit(count))
    case .topic: .topic(room)
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
    _ page: HistoryPage, in place: Place, of entry: Entry, left: Int, newer: [ServerLine]
  ) -> [SessionAction] {
    let isEmpty = page.messages.isEmpty && page.gap == nil
    let answer = Answer.history(page, in: place)
    let request = Request.history(place, .before(nil), limit: left)
    let lines = isEmpty && !newer.isEmpty ? [] : ServerLine.lines(of: answer, to: request)
    let left = left - page.messages.count
    let ends = [page.messages.first?.seq, page.gap?.lowerBound].compactMap { $0 }
    guard page.more, left > 0, let end = ends.min() else {
      return (lines + newer).map { .show($0) }
    }
    return self.request(
      .history(place, .before(end), limit: left),
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
    spell(request, as: .number(String(requests)), for: purpose, &bytes)
  }

  private mutating func spell(
    _ request: Request, as id: RequestID, for purpose: Asked, _ bytes: inout [UInt8]
  ) {
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
