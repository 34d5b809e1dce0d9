/// Private rooms and those who were not admitted: nothing tells them that a room is there.

import ChatHub
import ChatModel
import Testing

@Suite struct StrangerTests {
  var chat = Chat(facts: Staff.accounts)

  init() {
    chat.come(1, "ann")
    chat.found(1, "den")
    _ = chat.done(chat.ask(1, .setTopic(room("den"), short("secrets"))))
    _ = chat.say(1, "psst", in: "den")
    chat.come(2, "eve")
    chat.come(3, .boss)
    chat.come(4, .mod)
  }

  /// Everything that can be asked of a room without making it.
  private static func requests(_ name: RoomName) -> [Request] {
    let (place, bob) = (Place.room(name), Subject.name(user("ann")))
    return [
      .leave(name), .send(place, message("hi"), key: nil, replyTo: nil),
      .edit(place, of: 1, message("hi")), .delete(place, of: 1),
      .history(place, .before(nil), limit: 5), .history(place, .after(0), limit: 5),
      .search(Search("psst", in: place)), .mark(place, 1), .typing(place, true), .who(name),
      .topic(name), .setTopic(name, short("mine")), .setTopic(name, nil),
      .invite(name, uses: nil, seconds: nil), .uninvite(name, code: "code-1"), .archive(name),
      .kick(name, user("ann"), nil), .kick(name, user("nobody"), nil),
      .sanction(.ban, name, bob, nil, seconds: nil),
      .sanction(.mute, name, bob, nil, seconds: nil), .lift(.ban, name, bob),
      .lift(.mute, name, bob), .setRole(name, user("ann"), .member),
      .setRole(name, user("eve"), .owner),
    ]
  }

  @Test(arguments: [2, 3, 4], 0..<24)
  func aPrivateRoomIsRefusedAsOneThatIsNotThere(id: Int, index: Int) {
    var chat = self.chat
    let (hidden, absent) = (room("den"), room("nix"))
    #expect(Self.requests(hidden).count == 24)
    #expect(
      chat.ask(id, Self.requests(hidden)[index])
        == [.answer(connection(id), nil, .refused(.noSuchRoom(hidden)))])
    #expect(
      chat.ask(id, Self.requests(absent)[index])
        == [.answer(connection(id), nil, .refused(.noSuchRoom(absent)))])
  }

  @Test(arguments: [nil, "", "code-7"])
  func itIsNotEnteredWithoutAGoodCode(code: String?) {
    var chat = self.chat
    for id in [2, 3, 4] {
      #expect(
        chat.ask(id, .join(.room(room("den")), .after(0), code: code))
          == [.answer(connection(id), nil, .refused(.notInvited(room("den"))))])
    }
  }

  @Test mutating func noListNamesOrCountsIt() {
    for id in [2, 3, 4] {
      guard case .rooms(let rooms, let count)? = chat.ask(id, .rooms).answers(to: id).first else {
        Issue.record("rooms is answered")
        return
      }
      #expect(!rooms.map(\.place).contains(.room(room("den"))))
      #expect(count == rooms.count)
    }
    #expect(chat.listed(for: 1).contains(.room(room("den"))))
  }

  @Test mutating func aSearchOfEverythingLeavesItOut() throws {
    for id in [2, 3, 4] {
      let seen = chat.sight(of: id)
      let sight = try #require(seen)
      #expect(sight.hidden == [room("den")])
      #expect(sight.made == (id == 3 ? [.audit] : []))
    }
    let sight = chat.sight(of: 1)
    #expect(sight?.hidden == [])
    #expect(!chat.hub.mayRead(room("den"), Staff.boss.person))
  }

  @Test mutating func nothingThatHappensThereIsToldElsewhere() {
    let code = chat.invite(1, to: "den")
    chat.come(5, "bob")
    let happened =
      chat.done(chat.use(code, 5, "den")) + chat.say(5, "hi", in: "den")
      + chat.ask(5, .typing(.room(room("den")), true)) + chat.ask(5, .away(short("tea")))
      + chat.demand(1, .kick(room("den"), user("bob"), nil))
      + chat.demand(1, .archive(room("den")))
    #expect(happened.heard(by: 5).count == 3)
    for id in [2, 3, 4] { #expect(happened.reaching(id).isEmpty) }
  }

  @Test mutating func whoMayNotKnowOfARoomIsNotToldThatItIsBannedThere() {
    _ = chat.done(chat.ban(1, "eve", in: "den", "not you"))
    #expect(chat.join(2, "den").refusals(of: 2) == [.notInvited(room("den"))])
    #expect(chat.history(2, "den").refusals(of: 2) == [.noSuchRoom(room("den"))])
    let code = chat.invite(1, to: "den")
    #expect(
      chat.use(code, 2, "den").refusals(of: 2) == [
        .banned(room("den"), short("not you"), until: nil)
      ])
  }

  @Test mutating func theLogIsAsAbsentToAllButTheOwner() {
    for id in [1, 2, 4] {
      #expect(chat.join(id, "@audit").refusals(of: id) == [.notInvited(.audit)])
      #expect(chat.history(id, "@audit").refusals(of: id) == [.noSuchRoom(.audit)])
      #expect(!chat.listed(for: id).contains(.room(.audit)))
    }
    #expect(chat.join(3, "@audit").refusals(of: 3).isEmpty)
    #expect(chat.listed(for: 3).contains(.room(.audit)))
  }

  @Test mutating func aNameThatIsTakenIsAllThatCanBeFoundOut() {
    #expect(
      chat.ask(2, .create(room("den"), isPrivate: false, topic: nil)).refusals(of: 2)
        == [.roomTaken(room("den"))])
  }
}
