/// How far a room or a conversation was read: which message is new, which is of before, and where
/// to go on after a cut. Knows no server.

import ChatModel

/// One place, as one client has read it so far.
struct PlaceReading {
  let place: Place
  /// Of the newest message that was shown, or that need not be; nil before the room was entered.
  private(set) var seen: Int64?
  private var seenAt = Moment(milliseconds: .min)
  /// Messages up to this one were there before we came.
  private var presentUpTo: Int64 = 0
  /// The server did not know us, or has fewer messages than were seen: its history may be another
  /// one, with the same numbers.
  private var isInDoubt = false
  /// What comes meanwhile comes again once the place is entered anew.
  private var isDeaf = false

  /// `seen` is the number behind which everything is new.
  init(_ place: Place, seen: Int64? = nil) {
    self.place = place
    self.seen = seen
  }

  /// From where to ask for messages; `replay` is how many of the newest a newcomer is shown.
  func beginning(replay: Int) -> Beginning {
    if isInDoubt { return .last(HistoryPage.messagesMax) }
    guard let seen else { return replay > 0 ? .last(replay) : .now }
    return .after(seen)
  }

  /// The place was entered from this beginning; `seq` is its newest message's.
  mutating func entered(_ beginning: Beginning, seq: Int64) {
    isDeaf = false
    switch beginning {
    case .now:
      presentUpTo = 0
      seen = seq
    case .after, .last: presentUpTo = seq
    }
  }

  /// The server has no memory of us: what it has may be what was seen, or a new beginning.
  mutating func doubt() {
    isInDoubt = seen != nil
    isDeaf = isInDoubt
  }

  /// It is being asked for from where the reading stands: what comes before the answer comes again.
  mutating func wait() { isDeaf = true }

  enum Novelty {
    /// Shown already.
    case known
    /// New here, and said before we came.
    case replayed
    case live
  }

  /// Takes a message as the next that is shown.
  ///
  /// In doubt a number says nothing, but of what was shown none is younger than the last.
  mutating func take(_ message: Message) -> Novelty {
    if isDeaf { return .known }
    let isPast = message.seq <= seen ?? 0
    if isPast, !isInDoubt || message.at <= seenAt { return .known }
    seen = message.seq
    seenAt = message.at
    return message.seq <= presentUpTo ? .replayed : .live
  }

  /// Everything up to `seq` was given.
  mutating func caughtUp(_ seq: Int64) {
    guard !isDeaf else { return }
    seen = isInDoubt ? seq : max(seq, seen ?? 0)
    isInDoubt = false
  }
}
