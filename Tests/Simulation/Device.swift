/// What uses the server: comes, wants things, loses its link and comes again. How it spells what it
/// wants is the business of the kinds below.

import ChatModel
import ChatServer

/// One device at the far end of the network.
class Device {
  unowned let world: World
  let name: String
  private(set) var link: Link?
  private(set) var isStalled = false
  private var partial: [UInt8] = []
  private var hasEnded = false
  /// Its lines go through a WebSocket; nil: as they are.
  private var webSocket: WebSocketEnd?
  /// Lines that wait for that to open.
  private var unsaid: [String] = []

  init(_ name: String, in world: World) {
    self.name = name
    self.world = world
  }

  // MARK: For the kinds

  /// Where its links come from.
  var origin: Origin { .network("10.0.0.1") }
  /// A new link is there.
  func opened() {}
  /// One line came, of which the server let go in that step.
  func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {}
  /// Looked at now and then: does what is due.
  func tend() {}
  /// Looked at now and then while there is no calm: wants something.
  func act() {}
  /// The link is gone.
  func closed() {}
  /// The calm begins.
  func calmedDown() {}
  /// It has everything: is it right about all of it?
  func looksBack() throws(Violation) {}
  /// What it still waits for; nil when it has everything.
  var lacks: String? { nil }

  final func send(_ text: String, isWhole: Bool = false) {
    if let webSocket, !webSocket.isOpen { return unsaid.append(text) }
    world.tell?("\(world.now.formatted) \(name) > \(text)")
    let bytes =
      webSocket == nil
      ? Array(text.utf8) : WebSocketEnd.frames(text.utf8.dropLast(), &world.dice)
    link?.send(bytes, isWhole: isWhole)
  }

  /// What is sent and heard on this link from here on goes through a WebSocket.
  final func upgrade() {
    send(WebSocketEnd.request)
    webSocket = WebSocketEnd()
  }

  // MARK: Life

  final func begin() {
    look(after: world.dice.time(0...2_000))
  }

  private func look(after delay: Duration) {
    world.after(delay) { [self] in
      if !world.isCalm { suffer() }
      if let link {
        _ = link
        tend()
        if !world.isCalm, self.link != nil { act() }
      } else if world.isCalm || world.dice.chance(30) {
        connect()
      }
      look(after: world.isCalm ? .milliseconds(50) : world.dice.time(1...world.plan.pause))
    }
  }

  private func suffer() {
    guard let link else { return }
    if world.dice.number(1...1_000) <= world.plan.breaks { return link.breakOff() }
    if !isStalled, world.dice.number(1...1_000) <= world.plan.stalls {
      isStalled = true
      world.tell?("\(world.now.formatted) \(name): it stops reading")
      world.after(world.dice.time(10...15_000)) { [self] in readAgain() }
    }
    if world.dice.number(1...2_000) <= world.plan.breaks { link.finish() }
  }

  private func readAgain() {
    guard isStalled else { return }
    isStalled = false
    link?.readingChanged()
  }

  final func calmDown() {
    readAgain()
    calmedDown()
  }

  private func connect() {
    let link = Link(self, in: world)
    self.link = link
    partial = []
    hasEnded = false
    webSocket = nil
    unsaid = []
    world.open(link, from: origin)
    opened()
  }

  final func lost(_ link: Link) {
    guard self.link === link else { return }
    world.tell?("\(world.now.formatted) \(name): its link is gone")
    self.link = nil
    closed()
  }

  /// Whether its person asks to be let into a secret room, as that was sent.
  func mayKnow(_ room: RoomName, _ stamp: Stamp) -> Bool { false }
  /// Whom the server has taken it for on this link.
  var people: Set<PersonID> { [] }
  /// Whether a line says no more than why something is not done.
  func isRefusal(_ line: String) -> Bool { line.hasPrefix("! ") }

  /// How far the bytes go that belong to what comes: a line, or a frame.
  final func unitEnd(in bytes: ArraySlice<UInt8>) -> Int {
    if let webSocket { return webSocket.unitEnd(in: bytes) }
    return bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
  }

  /// Nothing of what comes next has come.
  final var isBetweenUnits: Bool { webSocket?.isBetweenUnits ?? partial.isEmpty }

  /// Takes what ``unitEnd(in:)`` has parted.
  final func received(_ bytes: ArraySlice<UInt8>, writtenAs stamp: Stamp) throws(Violation) {
    guard webSocket != nil else {
      partial += bytes
      guard partial.last == 0x0A else { return }
      defer { partial = [] }
      return try received(line: partial.dropLast(), writtenAs: stamp)
    }
    switch try webSocket?.received(bytes) {
    case .line(let line)?: try received(line: line[...], writtenAs: stamp)
    case .ping(let payload)?:
      link?.send(WebSocketEnd.frames(payload, isPong: true, &world.dice))
    case .nothing?, nil: break
    }
    guard webSocket?.isOpen == true else { return }
    let lines = unsaid
    unsaid = []
    for line in lines { send(line) }
  }

  private func received(
    line bytes: ArraySlice<UInt8>, writtenAs stamp: Stamp
  ) throws(Violation) {
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw Violation(.spelled, "\(name) is sent what is no UTF-8")
    }
    world.tell?("\(world.now.formatted) \(name) < \(line)")
    if !world.plan.isInMemory, world.plan.ruling + world.plan.talking > 0 {
      try world.secrecy.check(
        line, stamp, people, isRefusal: isRefusal(line), in: world.ledger
      ) { mayKnow($0, stamp) }
    }
    try heard(line, writtenAs: stamp)
  }
}

/// Somebody with a name and a token, who may have several devices.
final class Persona {
  let name: String
  /// The newest that it may use.
  var token: String?
  var devices = 0
  /// Everything that was ever to be said.
  var says: [Say] = []
  private var renames = 0
  private var edits = 0
  /// It was put off the server.
  var isExiled = false
  /// When it asked to be let into secret rooms.
  var knocks: [Knock] = []
  /// What it has done about an account; nil where it never wants one.
  var membership: Membership?

  init(_ name: String, wantsAccount: Bool) {
    self.name = name
    if wantsAccount { membership = Membership() }
  }

  /// What a person may want to say in all: at ten messages a second so much is said within the
  /// time that everybody is given at the end.
  private static let saysMax = 5_000

  /// One more thing to be said; nil where there was enough.
  func say(in room: RoomName, _ world: World) -> Say? {
    guard says.count < Self.saysMax else { return nil }
    let id = "\(name)-\(says.count)"
    let padding = String(repeating: "x", count: world.dice.number(0...world.plan.textBytes))
    guard let text = MessageText("\(id) \(world.mark(of: room))\(padding)"),
      let key = MessageKey(id)
    else { return nil }
    says.append(Say(room, text, key))
    return says.last
  }

  /// A text that nothing else ever has, for what was said already.
  func anotherText(_ mark: String, _ padding: Int) -> MessageText? {
    edits += 1
    return MessageText("\(name)-e\(edits) \(mark)\(String(repeating: "z", count: padding))")
  }

  /// A name that only this person ever takes.
  func anotherName() -> UserName? {
    // By another name an account's connection would be somebody else.
    guard membership == nil else { return nil }
    renames += 1
    return try? UserName("\(name)-\(renames % 5)")
  }
}

/// One thing to be said once, however often it has to be sent.
final class Say {
  let room: RoomName
  let text: MessageText
  let key: MessageKey
  /// The answer it got, which every retry must get.
  var first: (seq: Int64, at: Moment)?
  /// Of the attempts so many have no answer yet.
  var underWay = 0
  /// It may not be said there any more.
  var isAbandoned = false
  /// An attempt went with its link, and what became of it is unknown.
  var isUnknown = false

  /// It is still to be said.
  var isDue: Bool { first == nil && !isAbandoned }

  init(_ room: RoomName, _ text: MessageText, _ key: MessageKey) {
    self.room = room
    self.text = text
    self.key = key
  }
}
