/// Rooms: made by joining, left, counted, listed and forgotten.

import ChatHub
import ChatModel
import Testing

@Suite struct RoomTests {
  var chat = Chat()

  @Test mutating func aRoomIsMadeByJoiningIt() {
    chat.logIn(1, "bot", .manyRooms)
    #expect(
      chat.ask(1, .join(.room(room("tea")), .now, code: nil), .number("2")) == [
        .answer(connection(1), .number("2"), .joined(.room(room("tea")), seq: 0, members: 1)),
        .tellAll([connection(1)], .joined(room("tea"), user("bot"), members: 1)),
      ])
  }

  @Test mutating func aPersonAtATerminalIsInOneRoomAtATime() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    let effects = chat.join(1, "tea")
    #expect(effects.heard(by: 2) == [.left(.lobby, user("ann"), members: 1)])
    #expect(effects.contains(.forget(connection(1), .lobby)))
    #expect(chat.say(2, "gone?").heard(by: 1).isEmpty)
    #expect(chat.send(1, "hi").drafts.first?.draft.room == room("tea"))
  }

  @Test mutating func aProgramIsInEveryRoomThatItJoined() {
    chat.logIn(1, "bot", .manyRooms)
    for name in ["tea", "den"] { chat.join(1, name) }
    chat.logIn(2, "ann", .manyRooms)
    for name in ["tea", "den"] { chat.join(2, name) }
    #expect(chat.say(2, "a", in: "tea").texts(shownTo: 1) == ["a"])
    #expect(chat.say(2, "b", in: "den").texts(shownTo: 1) == ["b"])
  }

  @Test mutating func whatIsSaidInOneRoomIsNotHeardInAnother() {
    chat.logIn(1, "bot", .manyRooms)
    chat.join(1, "tea")
    chat.logIn(2, "ann", .manyRooms)
    chat.join(2, "den")
    #expect(chat.say(2, "secret", in: "den").heard(by: 1).isEmpty)
  }

  @Test mutating func joiningAgainIsAnsweredAndToldToNobody() {
    chat.logIn(1, "ann")
    _ = chat.say(1, "hi")
    #expect(
      chat.join(1, "lobby")
        == [.answer(connection(1), nil, .joined(.room(.lobby), seq: 1, members: 1))])
  }

  @Test(arguments: [Beginning.after(3), .last(10)])
  func joiningFromAPointIsAnsweredThenReplayedBeforeItIsTold(beginning: Beginning) {
    var chat = Chat(known: [room("tea"): 7])
    chat.logIn(1, "bot", .manyRooms)
    #expect(
      chat.join(1, "tea", beginning) == [
        .answer(connection(1), nil, .joined(.room(room("tea")), seq: 7, members: 1)),
        .replay(connection(1), room("tea"), beginning),
        .tellAll([connection(1)], .joined(room("tea"), user("bot"), members: 1)),
      ])
  }

  @Test mutating func leavingIsToldToThoseWhoStayThenAnswered() {
    chat.logIn(1, "ann")
    chat.logIn(2, "bob")
    #expect(
      chat.ask(1, .leave(nil), .number("1")) == [
        .forget(connection(1), .lobby),
        .tellAll([connection(2)], .left(.lobby, user("ann"), members: 1)),
        .answer(connection(1), .number("1"), .left(.lobby)),
      ])
    #expect(chat.ask(1, .leave(nil)).refusals(of: 1) == [.inNoRoom])
  }

  @Test mutating func aRoomThatNobodyMadeIsRefused() {
    chat.logIn(1, "ann")
    let tea = room("tea")
    #expect(chat.ask(1, .leave(tea)).refusals(of: 1) == [.noSuchRoom(tea)])
    #expect(chat.send(1, "hi", to: "tea").refusals(of: 1) == [.noSuchRoom(tea)])
    #expect(chat.ask(1, .who(tea)).refusals(of: 1) == [.noSuchRoom(tea)])
    #expect(
      chat.ask(1, .history(.room(tea), .before(nil), limit: 5)).refusals(of: 1) == [
        .noSuchRoom(tea)
      ])
  }

  @Test mutating func aRoomOfOthersMayBeLookedAtAndNotSpokenIn() {
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    chat.logIn(2, "bob")
    #expect(chat.send(2, "hi", to: "tea").refusals(of: 2) == [.notMember(room("tea"))])
    #expect(chat.ask(2, .leave(room("tea"))).refusals(of: 2) == [.notMember(room("tea"))])
    #expect(
      chat.ask(2, .who(room("tea"))).answers(to: 2)
        == [.members(room("tea"), [Member(user("ann"))], count: 1)])
    #expect(
      chat.ask(2, .history(.room(room("tea")), .after(4), limit: 5), .number("9"))
        == [.fetch(connection(2), .number("9"), room("tea"), .after(4), limit: 5)])
  }

  @Test(arguments: [(-3, 1), (0, 1), (20, 20), (500, 500), (501, 500), (Int.max, 500)])
  func aPageHasOneTo500Messages(asked: Int, given: Int) {
    var chat = Chat()
    chat.logIn(1, "ann")
    #expect(
      chat.ask(1, .history(nil, .before(nil), limit: asked))
        == [.fetch(connection(1), nil, .lobby, .before(nil), limit: given)])
  }

  @Test mutating func whoGivesSortedNamesAndTheWholeCount() {
    chat.crowd(60)
    guard
      case .members(_, let members, let count)? = chat.ask(1_000, .who(nil)).answers(to: 1_000)
        .first
    else {
      Issue.record("who is answered")
      return
    }
    #expect(count == 60)
    #expect(members.count == HubLimits().whoNamesMax)
    let names = members.map(\.name.folded)
    #expect(names == names.sorted())
  }

  @Test mutating func peopleAreCountedNotConnections() throws {
    let ann = try #require(chat.logIn(1, "ann").person(of: 1))
    chat.resume(2, ann, as: "ann")
    #expect(
      chat.ask(1, .who(nil)).answers(to: 1) == [.members(.lobby, [Member(user("ann"))], count: 1)])
  }

  @Test mutating func roomsAreListedThoseWithMostPeopleFirstThenByName() {
    chat.logIn(1, "a", .manyRooms)
    chat.logIn(2, "b", .manyRooms)
    for name in ["tea", "den", "bar"] { chat.join(1, name) }
    chat.join(2, "tea")
    _ = chat.say(1, "hi", in: "den")
    #expect(
      chat.ask(1, .rooms).answers(to: 1) == [
        .rooms(
          [
            RoomState(place: .room(room("tea")), members: 2, seq: 0),
            RoomState(place: .room(room("bar")), members: 1, seq: 0),
            RoomState(place: .room(room("den")), members: 1, seq: 1),
            RoomState(place: .room(.lobby), members: 0, seq: 0),
          ], count: 4)
      ])
  }

  // MARK: Forgotten

  @Test mutating func anEmptyRoomInWhichNothingWasSaidIsNoMore() {
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    chat.join(1, "den")
    #expect(chat.ask(1, .who(room("tea"))).refusals(of: 1) == [.noSuchRoom(room("tea"))])
  }

  @Test mutating func anEmptyRoomWithAHistoryStays() {
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    _ = chat.say(1, "hi")
    chat.join(1, "den")
    #expect(
      chat.ask(1, .who(room("tea"))).answers(to: 1) == [.members(room("tea"), [], count: 0)])
    #expect(chat.join(1, "tea").answers(to: 1) == [.joined(.room(room("tea")), seq: 1, members: 1)])
  }

  @Test mutating func theLobbyStaysAlways() {
    chat.logIn(1, "ann")
    chat.join(1, "tea")
    #expect(chat.ask(1, .who(.lobby)).answers(to: 1) == [.members(.lobby, [], count: 0)])
  }

  @Test mutating func theRoomsOfAStoreAreKnownFromTheStart() {
    var chat = Chat(known: [room("tea"): 7])
    chat.logIn(1, "ann")
    #expect(chat.join(1, "tea").answers(to: 1) == [.joined(.room(room("tea")), seq: 7, members: 1)])
  }

  @Test mutating func aDroppedConnectionIsInNoRoom() {
    chat.logIn(1, "bot", .manyRooms)
    for name in ["tea", "den"] { chat.join(1, name) }
    _ = chat.drop(1)
    chat.logIn(2, "ann")
    #expect(
      chat.ask(2, .rooms).answers(to: 2).contains(
        .rooms([RoomState(place: .room(.lobby), members: 1, seq: 0)], count: 1)))
  }

  // MARK: Limits

  @Test mutating func the101stRoomOfAProgramIsRefusedAndOneLeftMakesRoom() {
    chat.logIn(1, "bot", .manyRooms)
    for index in 1...100 {
      #expect(chat.join(1, "room\(index)").refusals(of: 1).isEmpty)
    }
    #expect(chat.join(1, "room101").refusals(of: 1) == [.tooManyRooms(limit: 100)])
    #expect(chat.join(1, "room7").refusals(of: 1).isEmpty, "it is there already")
    _ = chat.ask(1, .leave(room("room7")))
    #expect(chat.join(1, "room101").refusals(of: 1).isEmpty)
  }

  @Test mutating func aPersonIsInAtMost100RoomsByAllConnectionsTogether() throws {
    var limits = HubLimits()
    limits.signalsPerSecond = nil
    chat = Chat(limits: limits)
    let ann = try #require(chat.logIn(1, "ann", .manyRooms).person(of: 1))
    chat.resume(2, ann, as: "ann", .manyRooms)
    for index in 1...100 { chat.join(1 + index % 2, "room\(index)") }
    for id in [1, 2] {
      #expect(chat.join(id, "room101").refusals(of: id) == [.tooManyRooms(limit: 100)])
      for index in 1...100 { #expect(chat.join(id, "room\(index)").refusals(of: id).isEmpty) }
    }
    _ = chat.ask(1, .leave(room("room7")))
    #expect(chat.join(2, "room101").refusals(of: 2) == [.tooManyRooms(limit: 100)], "it is there")
    _ = chat.ask(2, .leave(room("room7")))
    #expect(chat.join(2, "room101").refusals(of: 2).isEmpty)
  }

  @Test(arguments: [Manner.oneRoom, .manyRooms])
  mutating func whereThereAreTooManyRoomsNoFurtherOneIsMade(manner: Manner) {
    var limits = HubLimits()
    limits.roomsMax = 3
    var chat = Chat(limits: limits, known: [room("kept"): 1])
    chat.logIn(1, "ann", manner)
    chat.logIn(2, "bob", .manyRooms)
    chat.join(2, "tea")
    let refused = chat.join(1, "den")
    #expect(refused.refusals(of: 1) == [.noRoomForRooms(limit: 3)])
    #expect(refused.count == 1, "and nobody leaves a room for it")
    #expect(chat.join(1, "kept").refusals(of: 1).isEmpty, "those there are can be entered")
    _ = chat.ask(2, .leave(room("tea")))
    #expect(chat.join(1, "den").refusals(of: 1).isEmpty, "one that is gone makes room")
  }

  @Test mutating func anAddressMakesTenRoomsAMinute() {
    chat.logIn(1, "ann", .manyRooms)
    chat.logIn(2, "bob", .manyRooms)
    for index in 1...10 { #expect(chat.make(1, "room\(index)", from: "a").isEmpty) }
    #expect(chat.make(1, "room11", from: "a") == [.rateLimited(retryAfter: .seconds(6))])
    #expect(chat.make(2, "room11", from: "a") == [.rateLimited(retryAfter: .seconds(6))])
    #expect(chat.make(2, "room10", from: "a").isEmpty, "a room that is there costs nothing")
    #expect(chat.make(2, "elsewhere", from: "b").isEmpty)
    #expect(chat.make(2, "here", from: nil).isEmpty, "this machine has no such limit")
    chat.now += .seconds(6)
    #expect(chat.make(1, "room11", from: "a").isEmpty)
    #expect(chat.make(1, "room12", from: "a") == [.rateLimited(retryAfter: .seconds(6))])
  }

  @Test mutating func addressesThatMadeNoRoomForAMinuteAreForgotten() {
    chat.logIn(1, "ann", .oneRoom)
    var first: [Refusal] = []
    for index in 0..<5_000 {
      first += chat.make(1, "room\(index)", from: "host\(index)")
      chat.now += .milliseconds(100)
    }
    #expect(first.isEmpty)
    #expect(chat.hub.addressesHeld <= 1_025)
  }

  @Test mutating func aListOfRoomsHasWhatFitsAndSaysHowManyThereAre() {
    let names = (0..<600).map { "room\($0)" }
    var chat = Chat(known: Dictionary(uniqueKeysWithValues: names.map { (room($0), 1) }))
    chat.logIn(1, "ann")
    guard case .rooms(let listed, let count)? = chat.ask(1, .rooms).answers(to: 1).first else {
      Issue.record("rooms is answered")
      return
    }
    #expect(count == 601 && (280...300).contains(listed.count), "so many bytes and no more")
    #expect(listed.first?.place == .room(.lobby), "somebody is there")
    let first = names.sorted().prefix(listed.count - 1)
    #expect(listed.dropFirst().map(\.place) == first.map { .room(room($0)) }, "then by name")
  }
}
