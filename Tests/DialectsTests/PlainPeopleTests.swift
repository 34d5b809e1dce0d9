/// Conversations, changes of what was said, presence and moderation as plain lines.

import ChatModel
import Dialects
import Testing

@Suite("People and rooms as plain lines")
struct PlainPeopleTests {
  private let ann = Self.name("ann")
  private let bob = Self.name("bob")
  private let tea = Place.room(RoomName("tea") ?? .lobby)

  private static func name(_ shown: String) -> UserName {
    guard let name = try? UserName(shown) else { preconditionFailure("\(shown) is no name") }
    return name
  }

  private func text(_ string: String) throws -> Content {
    .text(try #require(MessageText(string)))
  }

  private func short(_ string: String) throws -> ShortText { try #require(ShortText(string)) }

  private func message(
    _ from: UserName, _ content: Content, replyTo: Int64? = nil, isEdited: Bool = false
  ) -> Message {
    let draft = Draft(
      room: .lobby, person: PersonID(rawValue: 7), from: from, content: content, replyTo: replyTo)
    let at = Moment(milliseconds: 1_796_004_600_123)
    return Message(draft, seq: 44, at: at, edited: isEdited ? at : nil)
  }

  private func live(
    _ message: Message, in place: Place = .room(.lobby), isOwn: Bool = false,
    _ form: Form = .line
  ) -> [String] {
    encoded(Event.message(message, in: place), form, isOwn: isOwn)
  }

  private func dated(_ message: Message, in place: Place, _ form: Form) -> [String] {
    encoded(
      Answer.history(HistoryPage(room: .lobby, messages: [message], more: false), in: place), form)
  }

  @Test("What is said to one person names it, and to the sender whom it was said to")
  func conversation() throws {
    let said = message(bob, try text("hi"))
    for form in [Form.line, .raw] {
      #expect(live(said, in: .with(bob), form) == ["bob (private): hi"])
      #expect(live(said, in: .with(ann), isOwn: true, form) == ["bob (private to ann): hi"])
      let date = "[2026-11-30 02:10 #44]"
      #expect(dated(said, in: .with(bob), form) == ["\(date) bob (private): hi"])
      #expect(dated(said, in: .with(ann), form) == ["\(date) bob (private to ann): hi"])
    }
  }

  @Test("Who said it under another name than now is not taken for the reader")
  func renamed() throws {
    #expect(
      live(message(Self.name("rob"), try text("hi")), in: .with(bob)) == ["rob (private): hi"])
  }

  @Test("A reply says what it answers, live and dated, in a room and to a person")
  func replies() throws {
    let reply = message(bob, try text("so: hi"), replyTo: 42)
    for form in [Form.line, .raw] {
      #expect(live(reply, form) == ["bob: (re #42) so: hi"])
      #expect(live(reply, in: .with(bob), form) == ["bob (private): (re #42) so: hi"])
      #expect(
        dated(reply, in: tea, form) == ["[2026-11-30 02:10 #44] bob: (re #42) so: hi"])
    }
  }

  @Test("What was edited ends so, what was deleted has no text, also where it is caught up with")
  func present() throws {
    let edited = message(bob, try text("hi"), replyTo: 42, isEdited: true)
    let gone = message(bob, .gone)
    for form in [Form.line, .raw] {
      #expect(live(edited, form) == ["bob: (re #42) hi (edited)"])
      #expect(live(gone, form) == ["bob (deleted)"])
      #expect(live(gone, in: .with(bob), form) == ["bob (private) (deleted)"])
      #expect(
        dated(edited, in: tea, form) == ["[2026-11-30 02:10 #44] bob: (re #42) hi (edited)"])
      #expect(dated(gone, in: tea, form) == ["[2026-11-30 02:10 #44] bob (deleted)"])
    }
  }

  @Test("Changes are told to line mode alone")
  func changes() throws {
    let rows: [(Content, Place, Bool, String)] = [
      (.edit(of: 42, try #require(MessageText("ho"))), tea, false, "* ann changed #42: ho"),
      (
        .edit(of: 42, try #require(MessageText("ho"))), .with(ann), false,
        "* ann (private) changed #42: ho"
      ),
      (.deletion(of: 42), tea, false, "* ann deleted #42"),
      (.deletion(of: 42), .with(bob), true, "* ann (private to bob) deleted #42"),
      (.topic(try short("green?")), tea, false, "* topic of tea, by ann: green?"),
      (.topic(nil), tea, true, "* ann took the topic of tea away"),
    ]
    for (content, place, isOwn, line) in rows {
      #expect(live(message(ann, content), in: place, isOwn: isOwn) == [line])
      #expect(live(message(ann, content), in: place, isOwn: isOwn, .raw).isEmpty)
    }
  }

  @Test("Presence is told to line mode; typing and marks to none")
  func presence() throws {
    let lunch = try short("lunch\nhas joined")
    #expect(
      encoded(Event.presence(ann, away: lunch), .line) == ["* ann is away: lunch has joined"])
    #expect(encoded(Event.presence(ann, away: nil), .line) == ["* ann is back"])
    for form in [Form.line, .raw] {
      for event in [
        Event.typing(tea, ann, true), .typing(.with(ann), ann, false),
        .marked(tea, seq: 4),
      ] {
        #expect(encoded(event, form).isEmpty)
      }
    }
    #expect(encoded(Event.presence(ann, away: lunch), .raw).isEmpty)
  }

  @Test("Who is put out is told by whom and why, in both modes")
  func kicked() throws {
    let (room, why) = (try #require(RoomName("tea")), try short("too\u{1B}[2J loud"))
    for form in [Form.line, .raw] {
      #expect(
        encoded(Event.kicked(room, by: ann, why), form)
          == ["! you were put out of tea by ann: too[2J loud"])
      #expect(
        encoded(Event.kicked(room, by: ann, nil), form) == ["! you were put out of tea by ann"])
      #expect(
        encoded(Event.closing(.kicked(by: ann, why)), form)
          == ["! you were put off the server by ann: too[2J loud"])
      let until = Moment(milliseconds: 1_796_004_600_001)
      #expect(
        encoded(Event.closing(.banned(why, until: until)), form) == [
          "! you are banned from this server; come back after 2026-11-30 02:11 UTC: too[2J loud"
        ])
      #expect(
        encoded(Event.closing(.accountEnded), form)
          == ["! your account was disabled or removed; ask whoever runs the server"])
    }
  }

  @Test("Catching up with a conversation names the person")
  func catchingUp() {
    for (place, whom) in [(tea, ""), (.with(ann), " with ann")] {
      #expect(encoded(Event.catchingUp(place), .line) == ["* catching up\(whom)"])
      #expect(encoded(Event.caughtUp(place, seq: 4), .line) == ["* live again\(whom)"])
      #expect(
        encoded(Event.gap(place, 3...40), .line) == ["* #3 to #40\(whom) are not kept any more"])
    }
  }

  @Test("Lists show topics, what is unread, roles and who is away", arguments: [Form.line, .raw])
  func lists(form: Form) throws {
    var lobby = RoomState(place: .room(.lobby), members: 3, seq: 1_044)
    (lobby.topic, lobby.mark) = (try short("all\nof it"), 10)
    var secret = RoomState(place: tea, members: 1, seq: 4)
    (secret.isPrivate, secret.isArchived, secret.mark) = (true, true, 4)
    var talk = RoomState(place: .with(ann), members: 2, seq: 5)
    (talk.isPrivate, talk.mark) = (true, 0)
    #expect(
      encoded(Answer.rooms([talk, lobby, secret], count: 3), form) == [
        "* with ann: 2 here, newest #5, 5 unread",
        "* lobby: 3 here, newest #1044, 1,034 unread; topic: all of it",
        "* tea (private, archived): 1 here, newest #4",
        "* join:ROOM enters a room, or makes one",
      ])
    let members = [
      Member(ann, role: .owner), Member(bob, away: try short("x")),
      Member(Self.name("zoe"), role: .moderator, away: try short("y")),
      Member(Self.name("kim"), role: .member),
    ]
    #expect(
      encoded(Answer.members(.lobby, members, count: 4), form)
        == ["* 4 here: ann (owner), bob (away), zoe (moderator, away), kim"])
  }

  @Test("A topic is shown where a room is entered, and where it is asked for")
  func topics() throws {
    let room = try #require(RoomName("tea"))
    for form in [Form.line, .raw] {
      #expect(
        encoded(Answer.joined(tea, seq: 4, members: 2, topic: try short("green?")), form)
          == ["* you are in tea: 2 here, newest #4", "* topic of tea: green?"])
      #expect(encoded(Answer.topic(room, try short("green?")), form) == ["* topic of tea: green?"])
      #expect(
        encoded(Answer.topic(room, nil), form) == ["* tea has no topic; topic:TEXT gives it one"])
    }
    #expect(encoded(Answer.done, .line).isEmpty)
    #expect(encoded(Answer.done, .raw) == ["* done"])
  }

  @Test("A long reply to a raw client comes in parts with the name")
  func parts() throws {
    let long = String(repeating: "a", count: 4_096)
    let reply = message(bob, try text(long), replyTo: 42, isEdited: true)
    let lines = live(reply, in: .with(bob), .raw)
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.hasPrefix("bob (private): ") && $0.utf8.count < 1_000 })
    #expect(lines.map { $0.dropFirst(15) }.joined() == "(re #42) \(long) (edited)")
  }
}
