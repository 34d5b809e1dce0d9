/// Every limit of the server, named with its unit. What the hub keeps is in `HubLimits`.

package import ChatHub
package import Loop
package import Stores

/// Defaults are those of docs/wire/plain.md.
package struct Limits: Sendable {
  package var hub = HubLimits()
  /// What a server without a store keeps in memory.
  package var memory = MemoryHistory.Limits()

  /// What may wait for one reader, in bytes of memory (``Outbox/weight``); beyond it the reader is
  /// behind, and is given the rest from the store once it has read.
  package var outboxBytesMax = 262_144
  /// What the kernel may hold for one reader before that, in bytes; nil leaves it to the kernel,
  /// which takes some megabytes.
  package var unsentBytesMax: Int?
  /// What a page of history may take, in bytes: in JSON its line, in plain its lines. One message
  /// is always given.
  package var pageBytesMax = 65_536
  /// A reader that is behind is given so many messages at a time.
  package var catchUpPageMax = 200
  /// When the store could not give them, it is asked again after so long.
  package var catchUpRetry = Duration.seconds(1)
  /// How many messages and changes of facts of one connection may be with the store.
  package var draftsOfConnectionMax = 1_024
  /// How many messages are handed to the store at a time.
  package var draftsPerBatchMax = 2_048
  /// How many messages may wait to be handed to the store; beyond it they are refused as busy.
  package var draftsWaitingMax = 65_536
  /// So long after its start a server first removes what is not to be kept any longer.
  package var expiryDelay = Duration.seconds(3)
  /// So long after that was done it looks again.
  package var expiryPause = Duration.seconds(60)
  /// The most that is handed to the kernel to send when it has room again, in bytes.
  package var writeUnderWayBytesMax = 65_536
  /// How many lines an unterminated (raw) client may be behind, at one line a tick.
  package var rawLinesMax = 250
  /// How many of the newest lines such a client keeps when it is further behind.
  package var rawLinesKept = 20
  /// The least time between two lines to a raw client.
  package var rawTick = Duration.milliseconds(20)
  /// After so long without any a reader of server-sent events is told that there were none.
  package var eventSilence = Duration.seconds(25)
  /// Commands of one connection that are run before waiting readers are written to.
  package var commandsBetweenFlushesMax = 256

  /// Work on passwords that is done at once; each takes 19 MiB and some 30 ms of a processor.
  package var passwordsAtOnceMax = 2
  /// How much of it may wait; beyond it who asks is refused as busy.
  package var passwordsWaitingMax = 16
  /// Wrong passwords and codes from one address, a loopback one too; nil lifts the rate.
  package var failedLoginsPerMinute: Double? = 5

  /// Connections from one address that is not of this machine; nil lifts it.
  package var connectionsPerAddressMax: Int? = 64
  /// Descriptors kept free for everything that is not a connection.
  package var descriptorsReserved = 64
  /// Of the capacity, the part that connections without a name may take: one in so many.
  package var namelessShare = 4
  /// For so long nobody is closed for having no name yet.
  package var namelessGrace = Duration.seconds(1)

  package var keepAlive = KeepAlive(idleSeconds: 30, intervalSeconds: 10, probes: 3)
  /// Probing a connection whose name another one wants.
  package var holderKeepAlive = KeepAlive(idleSeconds: 1, intervalSeconds: 1, probes: 4)
  package var holderProbe = Duration.seconds(4)
  package var holderProbeTick = Duration.milliseconds(100)
  /// Bytes may be outstanding without acknowledgement for so long.
  package var unacknowledgedMax = Duration.seconds(300)
  package var unacknowledgedTick = Duration.seconds(30)
  /// A connection that is being ended may take so long to fetch what was written to it.
  package var lingerMax = Duration.seconds(2)
  /// The same for the last answer over HTTP, counted from when something of it has gone.
  package var answerLingerMax = Duration.seconds(10)
  /// The same for all of them when the server ends.
  package var stopLingerMax = Duration.milliseconds(500)
  /// For how long those who lose the server at its end are asked to stay away, each for a random
  /// time of this.
  package var awayMilliseconds = 1_000...5_000
  /// Between two looks at who has fetched it.
  package var farewellTick = Duration.milliseconds(10)

  package init() {}

  /// Lifts the rates and keeps the sizes.
  package mutating func liftRates() {
    hub.messagesPerSecond = nil
    hub.signalsPerSecond = nil
    hub.roomsMadePerMinute = nil
    hub.conversationsBegunPerMinute = nil
    hub.newcomersPerMinute = nil
    connectionsPerAddressMax = nil
    failedLoginsPerMinute = nil
  }
}
