/// One simulation: the real exchange between a hostile store, clock and network, and the devices
/// that use it. All that happens follows from the seed; the promises are looked at after each step.

import ChatHub
import ChatModel
import ChatServer
import Loop
import Stores

/// Run once, by ``run()``.
public final class World {
  let plan: Plan
  var dice: Dice
  let ledger = Ledger()
  var secrecy = Secrecy()
  /// Codes of invitations that people told each other.
  var codes: [RoomName: [String]] = [:]
  /// What people who write programs are called to begin with.
  var names: [String] = []
  var now = Duration.zero
  var step = 0
  var exchange: Exchange
  /// How many servers there were before this one.
  var generation = 0
  /// Nothing breaks any more, and nobody wants anything new.
  var isCalm = false
  var devices: [Device] = []
  var deviceCount = 0
  var links: [Link] = []
  var timetable = Timetable()
  var wakePlanned: Duration?
  var isFlushPlanned = false
  /// The steps that ended with a flush last, and before it.
  var flushed = 0
  var flushedBefore = 0
  /// Of each page that is on its way a step before it was asked for.
  var pages: [Int: Int] = [:]
  var pageCount = 0
  var isStopping = false
  var isEnding = false
  /// No page is on its way, or wanted, that was asked for in this step or before it.
  var pagesAreFresh = 0
  /// The oldest that memory had of each room when that was looked at last.
  var forgotten: [RoomName: Int64] = [:]
  let wall: WallClock
  let key = [UInt8](repeating: 7, count: 32)
  /// A sum over all bytes that were sent, when and to whom: the same whenever a seed is run.
  var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Tells what happens, a line each.
  let tell: ((String) -> Void)?

  static let rooms = [RoomName.lobby] + ["den", "tea"].compactMap { RoomName($0) }
  private static let stepsMax = 20_000_000

  public init(seed: UInt64, tell: ((String) -> Void)? = nil) {
    var dice = Dice(seed: seed)
    plan = Plan(&dice)
    self.dice = dice
    self.tell = tell
    wall = WallClock()
    exchange = Exchange(Exchange.Parts())
    exchange = makeExchange()
  }

  func makeExchange() -> Exchange {
    var parts = Exchange.Parts()
    parts.limits = plan.limits
    parts.keeping = plan.isInMemory ? .inMemory : .inStore(.stored)
    parts.tokenKey = key
    parts.seed = dice.seed()
    parts.known = Dictionary(
      uniqueKeysWithValues: ledger.rooms.keys.map { ($0, ledger.newest($0)) })
    parts.facts = ledger.facts
    parts.ownerCode = "crown"
    let codes = CodeSource(seed: dice.seed())
    parts.makeCode = { codes.next() }
    let wall = wall
    parts.wallClock = { wall.moment }
    return Exchange(parts)
  }

  var durability: Durability { plan.isInMemory ? .received : .stored }

  /// What was counted, for people.
  public var summary: String {
    let messages = ledger.rooms.values.reduce(0) { $0 + $1.count }
    return "\(step) steps, \(messages) messages, \(deviceCount) devices, "
      + "\(generation) crashes, \(now.formatted)"
  }

  // MARK: Running

  /// Runs until everybody has everything; throws what is not as it should be.
  /// Gives the ``digest``.
  public func run() throws(Violation) -> UInt64 {
    defer {
      timetable = Timetable()
      devices = []
      links = []
    }
    do {
      devices = makeDevices()
      deviceCount = devices.count
      for device in devices { device.begin() }
      planMischief()
      try run(until: plan.chaos) { false }
      tell?("\(now.formatted) calm")
      isCalm = true
      for device in devices { device.calmDown() }
      try run(until: now + .seconds(900)) { devices.allSatisfy { lack(of: $0) == nil } }
      for device in devices {
        if let lacks = lack(of: device) { throw Violation(.rest, "\(device.name) lacks \(lacks)") }
        try device.looksBack()
      }
    } catch let violation as Violation {
      throw violation
    } catch {
      throw Violation(.spelled, "\(error)")
    }
    return digest
  }

  /// What a device still waits for: whatever it may have to say, it is to be heard.
  private func lack(of device: Device) -> String? {
    device.lacks ?? (device.link?.isUnheard == true ? "somebody who reads it" : nil)
  }

  func makeDevices() -> [Device] {
    var devices: [Device] = []
    var personas: [Persona] = []
    for index in 0..<plan.programs {
      let persona: Persona
      if let last = personas.last, last.devices < plan.limits.hub.connectionsPerPersonMax,
        dice.chance(40)
      {
        persona = last
      } else {
        persona = Persona("p\(index)", wantsAccount: dice.chance(plan.accounts))
        personas.append(persona)
        names.append(persona.name)
      }
      devices.append(Program("program\(index)", persona, in: self))
    }
    for index in 0..<plan.typists { devices.append(Typist("typist\(index)", in: self)) }
    for index in 0..<plan.tutorials { devices.append(Tutorial("tutorial\(index)", in: self)) }
    for index in 0..<plan.followers {
      devices.append(Follower("follower\(index)", isEvents: dice.chance(50), in: self))
    }
    // A guest's: the tokens of accounts come and go.
    if let guest = personas.first(where: { $0.membership == nil }), plan.hasPoster {
      devices.append(Poster("poster", guest, in: self))
    }
    return devices
  }

  func run(until end: Duration, _ isDone: () -> Bool) throws {
    while let next = timetable.next, next <= end, !isDone() {
      guard let (time, body) = timetable.takeNext() else { return }
      now = max(now, time)
      wall.elapsed = now
      step += 1
      guard step < Self.stepsMax else { throw Violation(.rest, "it goes round in circles") }
      try body()
      try settle()
    }
    now = max(now, min(end, timetable.next ?? end))
  }

  /// Plans something; `body` is the whole of a step.
  func after(_ delay: Duration, _ body: @escaping () throws -> Void) {
    timetable.add(at: now + max(delay, .zero), body)
  }

  /// What follows every step: the turn's end, the clock, and a look at everything.
  func settle() throws {
    if dice.chance(80) {
      flush()
    } else if !isFlushPlanned {
      isFlushPlanned = true
      after(.microseconds(dice.number(0...500))) { [unowned self] in
        isFlushPlanned = false
        flush()
      }
    }
    try learnFromMemory()
    if isStopping, !isEnding, !exchange.isKeeping {
      isEnding = true
      exchange.endAll(at: now)
    }
    if isEnding, exchange.isEmpty { crash() }
    planWake()
    pagesAreFresh = min(pages.values.min() ?? .max, flushed)
    for link in links { try link.check() }
    links.removeAll { $0.isOver }
  }

  func flush() {
    flushedBefore = flushed
    flushed = step
    exchange.flush(at: now)
    if let batch = exchange.takeBatch() { keep(batch) }
    for request in exchange.takePageRequests() { read(request) }
    for job in exchange.takePasswordJobs() { hash(job) }
    for job in exchange.takeSearchJobs() {
      look(job)
    }
  }

  func planWake() {
    guard let next = exchange.nextWake, next != wakePlanned else { return }
    wakePlanned = next
    after(next - now + .microseconds(dice.number(0...2_000))) { [unowned self] in
      guard wakePlanned == next else { return }
      wakePlanned = nil
      exchange.wake(at: now)
    }
  }

  // MARK: The network's side

  func open(_ link: Link, from origin: Origin) {
    links.append(link)
    // Nobody listens any more.
    guard !isStopping else { return link.close() }
    link.connection = exchange.accepted(link, from: origin, at: now)
  }

  func give(_ bytes: [UInt8], of link: Link) {
    guard let connection = link.connection else { return }
    note(bytes, 1)
    bytes.withUnsafeBytes { exchange.received($0, from: connection, at: now) }
  }

  func end(_ link: Link, isBroken: Bool) {
    guard let connection = link.connection else { return }
    exchange.ended(connection, isBroken ? .broken(errno: 104) : .finished, at: now)
  }

  func wrote(_ link: Link) {
    guard let connection = link.connection else { return }
    exchange.wrote(connection, nil, at: now)
  }

  /// FNV-1a of everything that goes over the network.
  func note(_ bytes: some Sequence<UInt8>, _ mark: UInt8) {
    digest = (digest ^ UInt64(mark)) &* 0x0000_0100_0000_01B3
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  // MARK: Mischief

  func planMischief() {
    after(dice.time(1...4_000)) { [unowned self] in
      guard !isCalm else { return }
      if dice.chance(20) { wall.jump(by: .seconds(dice.number(-7_200...600))) }
      if plan.hasRetention || plan.hasDamage { loseSomething() }
      if plan.hasCrashes, dice.chance(10) {
        if dice.chance(50) { crash() } else { stop() }
      }
      planMischief()
    }
  }

  func loseSomething() {
    let room = dice.pick(Self.rooms)
    let entries = ledger.entries(room)
    guard !plan.isInMemory, !entries.isEmpty else { return }
    let index = dice.number(0...(entries.count - 1))
    let seq = entries[index].message.seq
    if plan.hasRetention, dice.chance(50) { ledger.remove(1...seq, from: room) }
    if plan.hasDamage, dice.chance(50) { ledger.remove(seq...seq, from: room) }
  }

  /// The process is asked to end: what is with the store is answered first.
  func stop() {
    tell?("\(now.formatted) stop")
    exchange.stopTaking()
    isStopping = true
  }

  /// The process dies: what was committed stays, everything else is gone.
  func crash() {
    tell?("\(now.formatted) crash")
    generation += 1
    isStopping = false
    isEnding = false
    wakePlanned = nil
    pages = [:]
    ledger.settle(step: step)
    for link in links { link.serverDied() }
    exchange = makeExchange()
  }
}

/// Codes that a seed decides.
final class CodeSource {
  var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  func next() -> String { "code-\(dice.seed())" }
}

/// A clock on the wall that somebody sets.
final class WallClock {
  var elapsed = Duration.zero
  var set = Duration.seconds(1_796_040_000)

  func jump(by time: Duration) { set += time }

  var moment: Moment {
    Moment(milliseconds: Int64((set + elapsed) / .milliseconds(1)))
  }
}

extension Duration {
  /// In seconds, to the millisecond.
  var formatted: String {
    let milliseconds = Int64(self / .milliseconds(1))
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
  }
}
