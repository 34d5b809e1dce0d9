/// How hard one simulation is: drawn from its seed, so that some seeds are hostile in one way and
/// some in another.

import ChatHub
import ChatServer
import Stores

/// The settings of one simulation.
struct Plan {
  var limits = Limits()
  /// Messages are kept by the exchange itself, and there is no store.
  var isInMemory: Bool
  var programs: Int
  var typists: Int
  var tutorials: Int
  var followers: Int
  var hasPoster: Bool
  /// Of a hundred programs, those that come through a WebSocket.
  var webSockets: Int
  var chaos: Duration
  /// How many requests a program has under way at once.
  var window: Int
  var textBytes: Int
  /// Times, in milliseconds.
  var latency: Int
  var storeTime: Int
  var pause: Int
  /// What the kernel holds for one reader.
  var kernelBytes: Int
  /// Of a hundred calls of the store, those that fail.
  var failures: Int
  /// Of a thousand looks at a device, those at which its link breaks, or it stops reading.
  var breaks: Int
  var stalls: Int
  var hasRetention: Bool
  var hasDamage: Bool
  var hasCrashes: Bool
  /// Of a hundred people who write programs, those that want an account.
  var accounts: Int
  /// Of a hundred wishes of a program, those that need a right over others.
  var ruling: Int
  /// Of a hundred, those that are about conversations.
  var talking: Int
  /// Of a thousand numbers, those that the store leaves out.
  var skippedNumbers: Int

  init(_ dice: inout Dice) {
    isInMemory = dice.chance(15)
    programs = dice.number(1...6)
    typists = dice.number(0...2)
    tutorials = dice.number(0...1)
    followers = dice.number(0...2)
    hasPoster = dice.chance(50)
    webSockets = dice.pick([0, 50, 100])
    chaos = .seconds(dice.number(4...30))
    window = dice.pick([1, 2, 8, 32])
    textBytes = dice.pick([8, 40, 300])
    latency = dice.pick([0, 3, 30, 300])
    storeTime = dice.pick([0, 2, 20, 200, 2_000])
    pause = dice.pick([20, 100, 500, 2_000])
    kernelBytes = dice.pick([64, 500, 4_000, 100_000])
    failures = dice.pick([0, 0, 5, 40])
    breaks = dice.pick([0, 5, 30, 100])
    stalls = dice.pick([0, 5, 30, 100])
    hasRetention = dice.chance(25)
    hasDamage = dice.chance(10)
    hasCrashes = !isInMemory && dice.chance(40)
    accounts = dice.pick([0, 50, 100])
    ruling = dice.pick([0, 0, 10, 40])
    talking = dice.pick([0, 0, 20])
    skippedNumbers = dice.pick([0, 0, 100])
    limits.outboxBytesMax = dice.pick([300, 2_000, 20_000, 262_144])
    limits.pageBytesMax = dice.pick([100, 1_000, 10_000, 65_536])
    limits.catchUpPageMax = dice.pick([1, 3, 20, 200])
    limits.catchUpRetry = .milliseconds(dice.pick([10, 1_000]))
    limits.draftsOfConnectionMax = dice.pick([1, 2, 16, 1_024])
    limits.draftsPerBatchMax = dice.pick([1, 3, 2_048])
    limits.draftsWaitingMax = dice.pick([1, 4, 65_536, 65_536])
    limits.writeUnderWayBytesMax = dice.pick([10, 1_000, 65_536])
    limits.commandsBetweenFlushesMax = dice.pick([1, 3, 256])
    limits.passwordsWaitingMax = dice.pick([1, 16])
    limits.rawLinesMax = dice.pick([5, 250])
    limits.rawLinesKept = dice.pick([1, 4])
    limits.hub.namedJoinsMembersMax = dice.pick([1, 3, 64])
    limits.hub.historyMax = dice.pick([4, 500])
    limits.hub.connectionsPerPersonMax = dice.pick([2, 8])
    if dice.chance(60) { limits.liftRates() }
    if dice.chance(50) { limits.memory.messagesPerRoomMax = dice.pick([60, 300]) }
  }

  /// What may wait for one reader: beyond the limit a page of history, and a line for
  /// each of the other requests that may be under way, with the memory around them. A raw client's
  /// limit is in lines.
  var waitingBytesMax: Int {
    max(limits.outboxBytesMax, limits.rawLinesMax * (textBytes + 350))
      + max(limits.pageBytesMax, textBytes) + (window + 4) * 1_000
  }
}
