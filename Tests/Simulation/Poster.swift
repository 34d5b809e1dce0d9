/// What posts into the lobby over HTTP by the token of somebody whose programs are there, too: asks
/// again with the same key for what had no answer, and holds each answer against the ledger.

import ChatHub
import ChatModel
import ChatServer
import Dialects

final class Poster: Device {
  private let persona: Persona
  private let room = RoomName.lobby
  private var codec = JSONClientCodec()
  private var head = WebHead()
  private var outstanding: [Say] = []
  private var mine: [Say] = []
  private var count = 0
  private var laterAt = Duration.zero

  init(_ name: String, _ persona: Persona, in world: World) {
    self.persona = persona
    super.init(name, in: world)
  }

  override var people: Set<PersonID> {
    persona.token.flatMap(Secrets.person).map { [$0] } ?? []
  }

  override func opened() {
    codec = JSONClientCodec()
    head = WebHead()
  }

  override func tend() {
    guard world.now >= laterAt else { return }
    for say in mine where say.isDue && say.underWay == 0 { post(say) }
  }

  override func act() {
    guard world.now >= laterAt else { return }
    if !mine.isEmpty, world.dice.chance(20) { return post(world.dice.pick(mine)) }
    guard let say = persona.say(in: room, world) else { return }
    mine.append(say)
    post(say)
  }

  private func post(_ say: Say) {
    guard let token = persona.token, outstanding.count < world.plan.window else { return }
    say.underWay += 1
    outstanding.append(say)
    send(
      """
      POST /rooms/\(room.string)/messages HTTP/1.1\r
      Host: localhost\r
      Authorization: Bearer \(token)\r
      Content-Type: text/plain\r
      Idempotency-Key: \(say.key.string)\r
      Content-Length: \(say.text.string.utf8.count)\r
      \r
      \(say.text.string)
      """)
  }

  override func heard(_ line: String, writtenAs stamp: Stamp) throws(Violation) {
    // Before it said a word, and so before the server knew what it speaks.
    if head.status == nil, line.hasPrefix("! ") { return }
    guard head.isWhole, let status = head.status else { return try head.take(line) }
    head = WebHead()
    guard let say = outstanding.first else {
      throw Violation(.answersInOrder, "\(name) has asked nothing and is answered \(line)")
    }
    outstanding.removeFirst()
    say.underWay -= 1
    switch try answer(line, to: say, isKept: status == 201) {
    case .answer(.sent(_, let seq, let at, let durability), _):
      try say.answered(seq, at, in: world.ledger)
      guard durability == world.durability else {
        throw Violation(.keptFirst, "\(room.string) #\(seq) was called \(durability)")
      }
    case .refused(let refusal, _):
      try say.refused(in: world.ledger)
      try refused(refusal, status, say)
    case let other: throw Violation(.spelled, "\(name) was answered \(status): \(other)")
    }
  }

  /// The body as the answer in JSON lines that it stands for.
  private func answer(
    _ body: String, to say: Say, isKept: Bool
  ) throws(Violation) -> JSONClientCodec.Heard {
    count += 1
    let id = RequestID.number("\(count)")
    var line: [UInt8] = []
    codec.encode(.send(.room(room), say.text, key: say.key, replyTo: nil), id: id, into: &line)
    let object = isKept ? #""ok":\#(body)}"# : "\(body.dropFirst())"
    Array("{\"id\":\(count),\(object)\n".utf8).withUnsafeBytes { codec.received($0) }
    guard let heard = codec.next() else {
      throw Violation(.spelled, "\(name) was answered \(body)")
    }
    return heard
  }

  private func refused(
    _ refusal: JSONRefusal, _ status: Int, _ say: Say
  ) throws(Violation) {
    switch (status, refusal.code) {
    case (429, "rate-limited"), (503, "busy"), (503, "not-stored"):
      laterAt = world.now + (refusal.retryAfter ?? .milliseconds(20))
    // A guest's name is somebody else's while the guest is away.
    case (409, "name-taken"): laterAt = world.now + .milliseconds(300)
    // The head came too slowly; the link ends.
    case (408, _): break
    case (403, _) where world.plan.ruling > 0: say.isAbandoned = true
    case _: throw Violation(.spelled, "\(name) was refused \(status): \(refusal)")
    }
  }

  override func closed() {
    for say in outstanding {
      say.underWay -= 1
      say.isUnknown = true
    }
    outstanding = []
  }

  // MARK: The end

  override func calmedDown() { laterAt = .zero }

  override var lacks: String? {
    guard !persona.isExiled, persona.token != nil else { return nil }
    return mine.first { $0.isDue || $0.underWay > 0 }.map { "an answer to \($0.text.string)" }
  }
}
