/// How long messages are kept. Removes none.

internal import ChatModel

/// What is kept of each room: everything, unless one of these says otherwise.
package struct Retention: Hashable, Sendable {
  /// The most messages of a room.
  package var messagesPerRoomMax: Int?
  /// The greatest age of a message.
  package var ageMax: Duration?

  package init(messagesPerRoomMax: Int? = nil, ageMax: Duration? = nil) {
    precondition((messagesPerRoomMax ?? 0) >= 0, "a room cannot keep less than nothing")
    precondition((ageMax ?? .zero) >= .zero, "no message has an age below 0")
    self.messagesPerRoomMax = messagesPerRoomMax
    self.ageMax = ageMax
  }

  /// How long that is, to stand behind `messages are kept`: `for 30 days`.
  package var words: String {
    let days = ageMax.map { Int64($0 / .seconds(86_400)) }
    let age = days.map { $0 == 1 ? "for 1 day" : "for \($0) days" }
    switch (age, messagesPerRoomMax) {
    case (nil, nil): return "for good"
    case (let age?, nil): return age
    case (nil, let most?): return "while they are among the newest \(most) of their room"
    case (let age?, let most?): return "\(age), at most the newest \(most) of each room"
    }
  }

  /// What is older than this goes; nil where age does not matter.
  func oldestKept(at now: Moment) -> Moment? {
    guard let ageMax else { return nil }
    let milliseconds = ageMax.components.seconds.multipliedReportingOverflow(by: 1_000)
    guard !milliseconds.overflow else { return nil }
    let oldest = now.milliseconds.subtractingReportingOverflow(milliseconds.partialValue)
    return oldest.overflow ? nil : Moment(milliseconds: oldest.partialValue)
  }
}

/// How many of a room's oldest messages go, told by one after the other.
///
/// What goes is always the beginning of a room, so that one gap tells of it. By age: up to the last
/// message that is too old and has none before it that is not. A clock that was set back would
/// otherwise let young messages go with old ones. One that was ahead for a while leaves messages
/// from the future, which would hold everything behind them back for as long: those do not count.
struct Expiry {
  let now: Moment
  let oldestKept: Moment?
  /// How many are too many.
  var excess: Int64

  /// How many of those that were looked at go.
  private(set) var count: Int64 = 0
  private var seen: Int64 = 0

  init(now: Moment, oldestKept: Moment?, excess: Int64) {
    self.now = now
    self.oldestKept = oldestKept
    self.excess = excess
  }

  /// Looks at the next message. False where none behind it can go.
  mutating func look(at moment: Moment) -> Bool {
    seen += 1
    if seen <= excess {
      count = seen
    } else if let oldestKept {
      if moment < oldestKept {
        count = seen
      } else if moment <= now {
        return false
      }
    } else {
      return false
    }
    return true
  }
}
