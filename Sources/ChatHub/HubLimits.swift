/// The limits that the hub keeps, each named with its unit.

internal import ChatModel

/// Defaults are those of docs/wire/plain.md and docs/wire/json.md.
package struct HubLimits: Sendable {
  /// What a person may say a second in the long run; nil lifts the rate.
  package var messagesPerSecond: Double? = 10
  /// What a person may say at once after a silence.
  package var messagesBurst: Double = 50
  /// Up to this many members each join and leave is told by name; above it they are counted.
  package var namedJoinsMembersMax = 64
  /// Above ``namedJoinsMembersMax``, at least this long between two count lines.
  package var countLineInterval = Duration.milliseconds(500)
  /// A count line gathers at least this long, so that a crowd at the door makes few lines.
  package var countLineDelay = Duration.milliseconds(100)
  /// How many names the answer to `who` gives at most.
  package var whoNamesMax = 50
  /// How many rooms the answer to `rooms` gives at most. With the longest names and largest numbers
  /// they take less than 64 KiB.
  package var roomsListedMax = 400
  /// In how many rooms a person may be at once, by all connections together.
  package var roomsPerPersonMax = 100
  /// How many rooms there may be: those where somebody is, and those where something was said.
  package var roomsMax = 100_000
  /// How many rooms the people of one address may make a minute, and at once after a minute
  /// without; nil lifts the rate.
  package var roomsMadePerMinute: Double? = 10
  /// How many connections may be one person at once.
  package var connectionsPerPersonMax = 8
  /// How many messages a page of history has at most.
  package var historyMax = HistoryPage.messagesMax

  package init() {}
}
