/// Lists at their greatest: no line of JSON is too long, and what is left out is counted.

import ChatModel
import Dialects
import Testing

@Suite("Lists that would be too long")
struct ListCutTests {
  /// Each byte of it takes six.
  private static let worstText = String(repeating: "\u{1}", count: 256)
  private static let worstID = RequestID.text(String(repeating: "\u{1}", count: 64))

  private func name(_ number: Int) throws -> UserName {
    let digits = "\(number)"
    return try UserName(digits + String(repeating: "\\", count: 64 - digits.count))
  }

  private func room(_ number: Int, topic: Bool) throws -> RoomState {
    let digits = "\(number)"
    let name = try #require(
      RoomName(digits + String(repeating: "r", count: 64 - digits.count)))
    var state = RoomState(place: .room(name), members: .max, seq: .max)
    (state.isPrivate, state.isArchived, state.mark) = (true, true, 0)
    if topic { state.topic = ShortText(Self.worstText) }
    return state
  }

  private func back(_ request: Request, _ answer: Answer) throws -> (Answer, bytes: Int) {
    let line = try #require(encoded(answer, to: Self.worstID, .json).first)
    var codec = JSONClientCodec()
    var asked: [UInt8] = []
    codec.encode(request, id: Self.worstID, into: &asked)
    Array("\(line)\n".utf8).withUnsafeBytes { codec.received($0) }
    guard case .answer(let answer, Self.worstID)? = codec.next() else { throw FormProblem() }
    return (answer, line.utf8.count)
  }

  @Test("Rooms with the longest topics, all of them escaped", arguments: [true, false])
  func rooms(topics: Bool) throws {
    let states = try (0..<400).map { try room($0, topic: topics) }
    let (answer, bytes) = try back(.rooms, .rooms(states, count: .max))
    guard case .rooms(let shown, count: .max) = answer else { throw FormProblem() }
    #expect(shown == Array(states.prefix(shown.count)))
    #expect(bytes <= 65_536 && bytes > 65_536 - 2_000)
    #expect(topics ? shown.count > 30 : shown.count > 200)
  }

  @Test("A room or conversation takes at most 166 bytes, and six for each of its texts'")
  func oneRoom() throws {
    let empty = try back(.rooms, .rooms([], count: 1)).bytes
    var talk = RoomState(place: .with(try name(1)), members: .max, seq: .max)
    (talk.isPrivate, talk.isArchived, talk.mark) = (true, true, 0)
    for state in [try room(1, topic: true), try room(1, topic: false), talk] {
      let bytes = try back(.rooms, .rooms([state], count: 1)).bytes - empty + 1
      let texts: Int =
        switch state.place {
        case .room(let room): room.string.utf8.count
        case .with(let name): 2 * name.shown.utf8.count
        }
      #expect(bytes <= 166 + texts + 6 * (state.topic?.string.utf8.count ?? 0))
    }
  }

  @Test("The rooms that a hub lists without topics all fit")
  func usual() throws {
    let states = (0..<400).map { number in
      RoomState(
        place: .room(RoomName("room-\(number)") ?? .lobby), members: 10_000, seq: 1_000_000)
    }
    let (answer, _) = try back(.rooms, .rooms(states, count: 400))
    #expect(answer == .rooms(states, count: 400))
  }

  @Test("Members who are all away with the longest texts")
  func members() throws {
    let away = try #require(ShortText(Self.worstText))
    let members = try (0..<50).map { Member(try name($0), role: .moderator, away: away) }
    let (answer, bytes) = try back(.who(.lobby), .members(.lobby, members, count: 50))
    guard case .members(.lobby, let shown, count: 50) = answer else { throw FormProblem() }
    #expect(shown == Array(members.prefix(shown.count)) && shown.count > 30)
    #expect(bytes <= 65_536 && bytes > 65_536 - 2_000)
  }

  @Test("Findings are as many as fit, and at least one", arguments: [Form.json, .line, .raw])
  func findings(form: Form) throws {
    let text = try #require(MessageText(String(repeating: "\u{1B}", count: 4_096)))
    let plain = try #require(MessageText(String(repeating: "x", count: 4_096)))
    let findings = try (0..<100).map { number in
      let draft = Draft(
        room: .lobby, person: PersonID(rawValue: 7), from: try name(number),
        text: form == .json ? text : plain, replyTo: .max)
      let message = Message(draft, seq: .max, at: Moment(milliseconds: 1), edited: nil)
      return Findings.Finding(message, in: .with(try name(number)))
    }
    let all = Findings(messages: findings, cursor: String(repeating: "c", count: 128))
    let count = Encoder.count(fitting: all, bytesMax: 65_536, to: Self.worstID, for: form)
    let bytes = { (count: Int) in
      var bytes: [UInt8] = []
      let part = Findings(messages: Array(findings.prefix(count)), cursor: all.cursor)
      Encoder.encode(.found(part), to: Self.worstID, for: form, into: &bytes)
      return bytes.count
    }
    #expect(count > 0 && count < 100)
    #expect(bytes(count) <= 65_536)
    #expect(bytes(count + 1) > 65_536)
    #expect(Encoder.count(fitting: all, bytesMax: 1, to: nil, for: form) == 1)
    let none = Findings(messages: [], cursor: nil)
    #expect(Encoder.count(fitting: none, bytesMax: 1, to: nil, for: form) == 0)
  }
}
