/// Roles and mutes: who rules over whom, who stays the owner, and roles that go in the middle of
/// something.

import ChatHub
import ChatModel
import Testing

@Suite struct RoleTests {
  var chat = Chat(facts: Staff.accounts)
  private let tea = room("tea")

  /// 1 founded the room, 2 moderates it, 3 is in it; 4, 5 and 6 are of the server.
  init() {
    chat.come(1, "ann")
    chat.found(1, "tea", isPrivate: false)
    chat.come(2, "bob", to: "tea")
    chat.come(3, "cat", to: "tea")
    _ = chat.demand(1, .setRole(tea, user("bob"), .moderator))
    chat.come(4, .mod, to: "tea")
    chat.come(5, .boss, to: "tea")
    chat.come(6, .pat, to: "tea")
  }

  // MARK: Rank

  /// Who rules over whom in the room: a row for each who asks, a column for each who is meant.
  private static let order = ["ann", "bob", "cat", "mod", "boss", "pat"]
  private static let rule = [
    "ann": "-+++=+", "bob": "=-+==+", "cat": "......", "mod": "==+-=+", "boss": "=+++-+",
    "pat": "......",
  ]

  @Test(arguments: order, order)
  func nobodyRulesOverEqualsOrOverThemselves(one: String, other: String) throws {
    let index = try #require(Self.order.firstIndex(of: one))
    let column = try #require(Self.order.firstIndex(of: other))
    let cell = try #require(Self.rule[one].map { Array($0)[column] })
    let expected: [Refusal] =
      switch cell {
      case "+": []
      case "-": [.oneself]
      case "=": [.roleTooHigh(user(other))]
      case _: [.needsRole(.moderator)]
      }
    for request in [
      Request.kick(tea, user(other), nil), measure(.ban, other, in: "tea"),
      measure(.mute, other, in: "tea"),
    ] {
      var chat = self.chat
      #expect(chat.ask(index + 1, request).refusals(of: index + 1) == expected)
    }
  }

  @Test func onTheServerOnlyAccountsHaveRank() {
    let expected: [(Int, String, [Refusal])] = [
      (4, "ann", []), (4, "pat", []), (4, "boss", [.roleTooHigh(user("boss"))]),
      (4, "mod", [.oneself]), (5, "mod", []), (5, "boss", [.oneself]),
      (1, "cat", [.needsRole(.moderator)]), (6, "cat", [.needsRole(.moderator)]),
      (4, "nobody", [.notHere(user("nobody"))]), (1, "nobody", [.needsRole(.moderator)]),
    ]
    for (id, name, refusals) in expected {
      for request in [
        Request.kick(nil, user(name), nil), measure(.ban, name), measure(.mute, name),
      ] {
        var chat = self.chat
        #expect(chat.ask(id, request).refusals(of: id) == refusals, "\(id) over \(name)")
      }
    }
  }

  @Test mutating func theServersRolesCountInAPrivateRoomForThoseWhoWereAdmitted() {
    chat.found(1, "den")
    let code = chat.invite(1, to: "den")
    chat.come(7, "eve")
    for id in [5, 7] { _ = chat.done(chat.use(code, id, "den")) }
    #expect(chat.ask(5, .kick(room("den"), user("eve"), nil)).refusals(of: 5).isEmpty)
    #expect(
      chat.ask(4, .kick(room("den"), user("eve"), nil)).refusals(of: 4)
        == [.noSuchRoom(room("den"))])
  }

  // MARK: The last owner

  @Test mutating func theLastOwnerOfARoomStaysOne() {
    let step = Request.setRole(tea, user("ann"), .moderator)
    #expect(chat.ask(1, step).refusals(of: 1) == [.lastOwner])
    #expect(chat.ask(5, step).refusals(of: 5) == [.lastOwner])
    _ = chat.demand(1, .setRole(tea, user("cat"), .owner))
    #expect(chat.demand(1, step).answers(to: 1) == [.done])
    #expect(
      chat.ask(3, .setRole(tea, user("cat"), .member)).refusals(of: 3) == [.lastOwner])
  }

  @Test mutating func theLastOwnerOfTheServerStaysOne() {
    let step = Request.setRole(nil, user("boss"), .member)
    #expect(chat.ask(5, step).refusals(of: 5) == [.lastOwner])
    _ = chat.demand(5, .setRole(nil, user("pat"), .owner))
    #expect(chat.demand(5, step).answers(to: 5) == [.done])
    #expect(
      chat.ask(6, .setRole(nil, user("pat"), .member)).refusals(of: 6) == [.lastOwner])
  }

  @Test mutating func ofTwoOwnersWhoDethroneEachOtherAtOnceOneStays() {
    _ = chat.demand(5, .setRole(nil, user("pat"), .owner))
    let one = chat.ask(5, .setRole(nil, user("pat"), .member))
    #expect(
      chat.ask(6, .setRole(nil, user("boss"), .member)).refusals(of: 6) == [.needsRole(.owner)])
    _ = chat.store(one)
    #expect(chat.hub.registry.ownersCount == 1)
  }

  @Test mutating func aRoleThatCouldNotBeKeptIsAsBefore() {
    let one = chat.ask(1, .setRole(tea, user("cat"), .owner))
    let two = chat.ask(3, .setRole(tea, user("ann"), .member))
    #expect(two.refusals(of: 3).isEmpty, "judged by what is on its way")
    #expect(chat.hub.registry.roles(in: tea).values.count { $0 == .owner } == 1)
    _ = chat.fail(one + two)
    #expect(
      chat.hub.registry.roles(in: tea).values.sorted() == [.moderator, .owner])
    #expect(chat.ask(1, .archive(tea)).refusals(of: 1).isEmpty)
  }

  @Test mutating func aRoleThatSomebodyHasIsSetWithoutALine() {
    for (id, request) in [
      (1, Request.setRole(tea, user("bob"), .moderator)), (1, .setRole(tea, user("cat"), .member)),
      (5, .setRole(nil, user("mod"), .moderator)),
    ] {
      #expect(chat.ask(id, request) == [.answer(connection(id), nil, .done)])
    }
  }

  @Test mutating func guestsHaveNoRoleOnTheServer() {
    #expect(
      chat.ask(5, .setRole(nil, user("cat"), .moderator)).refusals(of: 5)
        == [.notHere(user("cat"))])
  }

  @Test mutating func aRoleLetsIntoAPrivateRoom() {
    chat.found(1, "den")
    _ = chat.demand(1, .setRole(room("den"), user("cat"), .member))
    #expect(chat.join(3, "den").refusals(of: 3).isEmpty)
  }

  // MARK: In the middle

  @Test mutating func aModeratorThatIsNoneAnyMoreMayNothingFromTheSettingOn() {
    let before = chat.ask(2, .kick(tea, user("cat"), nil))
    let demoted = chat.ask(1, .setRole(tea, user("bob"), .member))
    for request in [
      Request.kick(tea, user("cat"), nil), measure(.ban, "cat", in: "tea"),
      .lift(.mute, tea, .name(user("cat"))), .setTopic(tea, nil),
    ] {
      #expect(chat.ask(2, request).refusals(of: 2) == [.needsRole(.moderator)])
    }
    #expect(
      chat.ask(2, .delete(.room(tea), of: 1)).drafts.map(\.draft.changesOthers) == [false])
    let kept = chat.store(before + demoted)
    #expect(kept.heard(by: 3) == [.kicked(tea, by: user("bob"), nil)], "what was asked before")
    #expect(kept.answers(to: 2) == [.done])
  }

  @Test mutating func aDemotionThatCouldNotBeKeptIsNone() {
    _ = chat.fail(chat.ask(1, .setRole(tea, user("bob"), .member)))
    #expect(chat.ask(2, .kick(tea, user("cat"), nil)).refusals(of: 2).isEmpty)
  }

  @Test mutating func whoIsOwnerNoMoreLeavesTheLog() {
    _ = chat.demand(5, .setRole(nil, user("pat"), .owner))
    for id in [5, 6] { chat.join(id, "@audit") }
    let kept = chat.demand(5, .setRole(nil, user("pat"), .moderator))
    #expect(kept.contains(.withdraw(connection(6), .audit)))
    let later = chat.demand(4, .kick(nil, user("cat"), nil))
    #expect(later.texts(shownTo: 5) == ["kicked cat on the server"])
    #expect(later.texts(shownTo: 6).isEmpty)
    #expect(chat.history(6, "@audit").refusals(of: 6) == [.noSuchRoom(.audit)])
  }

  // MARK: Mutes

  @Test mutating func theMutedAreThereAndSayNothingUntilItIsOver() {
    let asked = chat.ask(2, measure(.mute, "cat", in: "tea", "shh", seconds: 60))
    #expect(asked.lines == ["muted cat in tea for 60 s: shh"])
    #expect(chat.store(asked).answers(to: 2) == [.done])
    let muted = Refusal.muted(
      tea, short("shh"), until: Moment(milliseconds: noon.milliseconds + 60_000))
    for request in [
      Request.send(.room(tea), message("hi"), key: nil, replyTo: nil),
      .edit(.room(tea), of: 1, message("ho")), .typing(.room(tea), true),
    ] {
      #expect(chat.ask(3, request).refusals(of: 3) == [muted])
    }
    #expect(chat.say(1, "quiet", in: "tea").texts(shownTo: 3) == ["quiet"])
    #expect(chat.ask(3, .delete(.room(tea), of: 1)).drafts.count == 1)
    chat.join(3, "den")
    #expect(chat.send(3, "here I speak", to: "den").drafts.count == 1)
    chat.wall.goOn(seconds: 60)
    #expect(chat.send(3, "again", to: "tea").drafts.count == 1)
  }

  @Test mutating func theServersMuteReachesEverywhere() {
    _ = chat.demand(4, measure(.mute, "cat"))
    let muted: [Refusal] = [.muted(nil, nil, until: nil)]
    chat.join(3, "den")
    for request in [
      Request.send(.room(room("den")), message("hi"), key: nil, replyTo: nil),
      .send(.with(user("ann")), message("hi"), key: nil, replyTo: nil),
      .edit(.with(user("ann")), of: 1, message("ho")), .typing(.with(user("ann")), true),
      .away(short("this is what I want to say")),
      .create(room("new"), isPrivate: false, topic: short("or this")),
    ] {
      // A conversation that was never begun has nothing to be changed.
      let expected = if case .edit = request { [Refusal.noSuchMessage(1)] } else { muted }
      #expect(chat.ask(3, request).refusals(of: 3) == expected)
    }
    #expect(chat.ask(3, .away(nil)).refusals(of: 3).isEmpty)
  }

  @Test mutating func theMutedOfARoomDoNotSpeakThereByBeingAway() {
    _ = chat.demand(2, measure(.mute, "cat", in: "tea"))
    #expect(chat.ask(3, .away(short("buy this"))).heard(by: 1).isEmpty)
    guard case .members(_, let members, _)? = chat.ask(1, .who(tea)).answers(to: 1).first else {
      Issue.record("who is answered")
      return
    }
    #expect(members.first { $0.name == user("cat") }?.away == nil)
  }

  @Test mutating func nobodyLiftsAMuteOfTheirOwn() {
    _ = chat.demand(1, measure(.mute, "bob", in: "tea"))
    #expect(chat.ask(2, .lift(.mute, tea, .name(user("bob")))).refusals(of: 2) == [.oneself])
    #expect(chat.demand(1, .lift(.mute, tea, .name(user("bob")))).answers(to: 1) == [.done])
    #expect(chat.send(2, "free", to: "tea").drafts.count == 1)
  }

  @Test mutating func theMutedWereMutedAlsoByANewConnectionAndName() {
    _ = chat.demand(2, measure(.mute, "cat", in: "tea"))
    chat.logIn(3, "kitty")
    #expect(chat.send(3, "hi", to: "tea").refusals(of: 3) == [.muted(tea, nil, until: nil)])
  }

  // MARK: The log

  @Test mutating func eachMeasureIsALineInTheTransactionOfWhatItIsAbout() {
    let measures: [(Request, String)] = [
      (.setRole(tea, user("cat"), .moderator), "made cat moderator of tea"),
      (.setRole(tea, user("cat"), .member), "made cat member of tea"),
      (measure(.mute, "cat", in: "tea"), "muted cat in tea"),
      (.lift(.mute, tea, .name(user("cat"))), "lifted the mute of cat in tea"),
      (.kick(tea, user("cat"), short("bye")), "kicked cat in tea: bye"),
      (.archive(tea), "archived tea"),
    ]
    chat.join(5, "@audit")
    for (request, line) in measures {
      let asked = chat.ask(1, request)
      #expect(asked.lines == [line])
      let kept = chat.store(asked)
      #expect(kept.texts(shownTo: 5) == [line])
      #expect(kept.texts(shownTo: 1).isEmpty, "it reads no log")
      #expect(kept.answers(to: 1) == [.done])
    }
    #expect(
      chat.demand(5, .setRole(nil, user("pat"), .moderator)).texts(shownTo: 5) == [
        "made pat moderator of the server"
      ])
  }

  @Test mutating func theLongestNamesAndReasonsFitIntoALine() {
    let long = String(repeating: "x", count: 64)
    chat.come(7, long, to: "tea")
    let place = String(repeating: "r", count: 64)
    chat.found(1, place, isPrivate: false)
    let asked = chat.ask(
      1, measure(.ban, long, in: place, String(repeating: "y", count: 256), seconds: .max))
    #expect(asked.lines.count == 1)
  }
}
