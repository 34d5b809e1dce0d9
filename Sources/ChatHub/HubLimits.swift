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
  /// How many rooms and conversations the answer to `rooms` gives at most, and how many bytes of
  /// it they may take, estimated from above: a line of JSON has less than 64 KiB.
  package var roomsListedMax = 400
  package var roomsListedBytesMax = 60_000
  /// In how many rooms a person may be at once, by all connections together.
  package var roomsPerPersonMax = 100
  /// How many rooms there may be: those where somebody is, and those where something was said.
  package var roomsMax = 100_000
  /// How many rooms the people of one address may make a minute, and at once after a minute
  /// without; nil lifts the rate.
  package var roomsMadePerMinute: Double? = 10
  /// The same of conversations that they begin.
  package var conversationsBegunPerMinute: Double? = 60
  /// The same of people who log in for the first time.
  package var newcomersPerMinute: Double? = 120
  /// How many conversations there may be in all.
  package var conversationsMax = 1_000_000
  /// How many invitations of a room may be good at once.
  package var invitationsPerRoomMax = 1_000
  /// In how many rooms and conversations a person may say how far it has read.
  package var marksPerPersonMax = 10_000
  /// How many bans and mutes there may be in one room, and for the whole server.
  package var sanctionsPerPlaceMax = 10_000
  /// What is no message (joins, leaves, other names, typing, away, marks, searches, lists of rooms,
  /// measures of moderation): a second in the long run, and at once after a silence; nil lifts the
  /// rate. At once enough to come back to all of one's rooms.
  package var signalsPerSecond: Double? = 20
  package var signalsBurst: Double = 200
  /// A person at a terminal is given so many of the newest messages of a conversation that came
  /// while it was away, of so many conversations.
  package var missedMessagesMax = 50
  package var missedConversationsMax = 20
  /// How many connections may be one person at once.
  package var connectionsPerPersonMax = 8
  /// How many messages a page of history has at most.
  package var historyMax = HistoryPage.messagesMax

  package init() {}
}
