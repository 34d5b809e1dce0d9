/// What the answer to a ban is held to, and what it says nothing of.

import ChatModel
import Testing

@testable import Simulation

@Suite struct ExpulsionTests {
  private let world = World(seed: 1)
  private let program: Program
  private let bob = PersonID(rawValue: 2)
  private let park: RoomName

  /// Bob is put out of the park for good, as is kept in step 10, and heard of it in step 8.
  init() throws {
    park = try #require(RoomName("park"))
    program = Program("program", Persona("ann", wantsAccount: false), in: world)
    let key = Sanction.Key(.ban, in: park, of: .person(bob))
    let ban = try Sanction(
      name: UserName("bob"), by: UserName("ann"), reason: nil, at: Moment(milliseconds: 0),
      until: nil)
    world.ledger.note(.sanction(key, ban), step: 10)
    try hears(8)
  }

  private func hears(_ step: Int) throws {
    try world.secrecy.hears(park, bob, Stamp(step: step, begun: step), in: world.ledger)
  }

  private func isAnswered(_ seconds: Int?, asked: Int, in step: Int) throws {
    let request = try Request.sanction(
      .ban, park, .name(UserName("bob")), nil, seconds: seconds)
    let asked = Program.Asked(
      id: .number("1"), request: request, say: nil, seen: nil, step: asked)
    try program.hasExpelled(asked, Stamp(step: step))
  }

  @Test func whoIsOutIsToldNothingBehindTheAnswer() throws {
    try isAnswered(nil, asked: 7, in: 11)
    #expect(throws: Violation.self) { try hears(12) }
  }

  @Test func anAnswerSaysNothingOfWhatIsKeptBehindIt() throws {
    try isAnswered(nil, asked: 3, in: 5)
  }

  @Test func theAnswerToABanThatEndsSaysNothingOfAnotherOne() throws {
    try isAnswered(1, asked: 7, in: 11)
    try hears(12)
  }
}
