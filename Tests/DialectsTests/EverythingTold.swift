/// Every answer, event, reason to close and refusal, with every field that can be left out, and
/// without.

import ChatModel
import Dialects

enum EverythingTold {
  private static func name(_ shown: String) -> UserName {
    guard let name = try? UserName(shown) else { preconditionFailure("\(shown) is no name") }
    return name
  }

  private static func sure<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("these can be texts and the like") }
    return value
  }

  private static let (ann, bob) = (name("ann"), name("bob"))
  private static let at = Moment(milliseconds: 1_796_004_600_123)
  private static let text = sure(MessageText("hi"))
  private static let short = sure(ShortText("so: hi"))
  static let places = [Place.room(.lobby), .with(bob)]

  private static func message(
    _ content: Content, key: MessageKey? = nil, replyTo: Int64? = nil, edited: Moment? = nil
  ) -> Message {
    let draft = Draft(
      room: .lobby, person: PersonID(rawValue: 7), from: ann, content: content, key: key,
      replyTo: replyTo)
    return Message(draft, seq: 4, at: at, edited: edited)
  }

  static let messages = [
    message(.text(text)), message(.text(text), key: MessageKey("k"), replyTo: 3, edited: at),
    message(.gone),
  ]

  private static let changes = [message(.edit(of: 3, text)), message(.deletion(of: 3))]
  private static let topics = [message(.topic(short)), message(.topic(nil))]

  private static let joined: [Answer] = [
    .joined(.room(.lobby), seq: 0, members: 1),
    .joined(.room(.lobby), seq: 5, members: 1, topic: short),
  ]

  private static let states: [RoomState] = {
    var full = RoomState(place: .room(.lobby), members: 1, seq: 7)
    (full.topic, full.isPrivate, full.isArchived, full.mark) = (short, true, true, 4)
    return [
      RoomState(place: .room(.audit), members: 1, seq: 0), full,
      RoomState(place: .with(bob), members: 2, seq: 0),
    ]
  }()

  private static let pages: [Answer] =
    places.map {
      .history(
        HistoryPage(room: .lobby, messages: messages + changes, more: true, gap: 1...2), in: $0)
    } + [.history(HistoryPage(room: .lobby, messages: [], more: false), in: .room(.lobby))]

  static let answers: [JSONMethod: [Answer]] = [
    .login: [.loggedIn(ann, token: "t"), .loggedIn(ann, token: "t", isGuest: false)],
    .register: [.loggedIn(ann, token: "t", isGuest: false)],
    .password: [.loggedIn(ann, token: "t", isGuest: false)],
    .logout: [.loggedOut],
    .create: joined, .archive: [.done],
    .join: joined + [.joined(.with(bob), seq: 0, members: 2)],
    .leave: [.left(.lobby)],
    .send: [
      .sent(.room(.lobby), seq: 4, at: at, .stored), .sent(.with(bob), seq: 4, at: at, .received),
    ],
    .edit: [.changed(seq: 5)], .delete: [.changed(seq: 5)],
    .history: pages,
    .search: [
      .found(
        Findings(
          messages: places.flatMap { place in messages.map { .init($0, in: place) } },
          cursor: "c-1")), .found(Findings(messages: [], cursor: nil)),
    ],
    .mark: [.done], .typing: [.done],
    .rooms: [.rooms(states, count: 4)],
    .who: [
      .members(
        .lobby,
        [Member(ann), Member(bob, away: short)] + Role.allCases.map { Member(ann, role: $0) },
        count: 4)
    ],
    .topic: [.done],
    .invite: [.invited(.lobby, code: "c-1")], .uninvite: [.done],
    .kick: [.done], .ban: [.done], .unban: [.done], .mute: [.done], .unmute: [.done],
    .role: [.done], .away: [.done],
    .ping: [.pong("")],
    .quit: [.quit],
  ]

  /// None of them is two lines, or none, of JSON.
  static let events: [Event] =
    places.flatMap(events) + topics.map { .message($0, in: .room(.lobby)) } + [
      .joined(.lobby, ann, members: 3), .left(.lobby, ann, members: 3),
      .membersChanged(.lobby, joined: 12, left: 0, members: 3),
      .membersChanged(.lobby, joined: 0, left: 12, members: 3),
      .presence(ann, away: short), .presence(ann, away: nil),
      .kicked(.lobby, by: ann, short), .kicked(.lobby, by: ann, nil),
      .skipped(lines: 1), .notice("hear this"),
    ] + closings.map { .closing($0, retryAfter: .seconds(2)) }

  private static func events(in place: Place) -> [Event] {
    (messages + changes).map { .message($0, in: place) } + [
      .gap(place, 1...2), .caughtUp(place, seq: 0), .typing(place, ann, true),
      .typing(place, ann, false), .marked(place, seq: 0),
    ]
  }

  /// One of each code, in the order of the description for machines.
  static let closings: [ClosingReason] = [
    .quit, .shutdown, .silent, .loggedOut, .kicked(by: ann, short), .banned(short, until: at),
    .accountEnded, .crowded, .tooManyFromAddress(limit: 1), .tooManyMistakes(limit: 1),
  ]

  static let refusals: [Refusal] =
    [
      .notLoggedIn, .badName(.empty), .nameTaken(ann), .nameHasAccount(ann), .badPassword, .badCode,
      .passwordNotPrivate, .hasAccount, .noAccount, .busy, .tooManyConnections(limit: 8),
      .badToken, .tooLong(limit: 1), .badRoom, .noSuchRoom(.lobby), .notInvited(.lobby),
      .roomTaken(.lobby), .archived(.lobby), .needsRole(.owner), .needsRole(.moderator),
      .needsRole(.member), .roleTooHigh(ann), .lastOwner, .oneself, .notPrivate(.lobby),
      .notHere(ann), .noSuchMessage(7), .notYours(7), .banned(.lobby, short, until: at),
      .banned(nil, nil, until: nil), .muted(.lobby, nil, until: nil), .muted(nil, short, until: at),
      .accountDisabled, .notMember(.lobby), .inNoRoom, .tooManyRooms(limit: 1),
      .noSuchInvitation(.lobby),
      .noRoomForRooms(limit: 1), .rateLimited(retryAfter: .seconds(1)),
      .notStored(reason: .diskFull), .notStored(reason: .failed), .notStored(reason: .busy),
      .notRead, .keyReused, .unknownCommand, .badRequest("x"),
    ] + Bounded.allCases.map { .tooMany($0, limit: 1_000) }
}
