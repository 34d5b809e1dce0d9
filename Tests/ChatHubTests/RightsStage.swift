/// A hub with one room of a kind and one person of a standing in it, for the table of rights.
/// Asserts nothing.

import ChatHub
import ChatModel

/// The tables of docs/moderation.md, by their headings.
enum Kind: String, CaseIterable {
  case everybodys = "A public room"
  case hidden = "A private room"
  case archived = "An archived room"
  case conversation = "A conversation"
  case log = "The log"
  case server = "The whole server"

  var place: Place {
    switch self {
    case .everybodys, .hidden, .archived, .server: .room(tea)
    case .conversation: .with(user("zed"))
    case .log: .room(.audit)
    }
  }

  /// For what moderators do.
  var room: RoomName? { self == .server ? nil : name }

  var name: RoomName {
    if case .room(let room) = place { room } else { .conversation(of: ann, and: zed) }
  }

  var standings: [Standing] {
    switch self {
    case .everybodys, .hidden, .archived: Standing.allCases
    case .conversation: [.stranger, .serverOwner, .muted]
    case .log: [.stranger, .serverMember, .serverModerator, .serverOwner]
    case .server: [.stranger, .serverMember, .serverModerator, .serverOwner, .muted]
    }
  }

  var deeds: [Deed] {
    switch self {
    case .everybodys, .hidden, .archived: Deed.allCases.filter { !$0.isOfServer }
    case .conversation: Deed.allCases.filter { $0.isOfPlace }
    case .log: Deed.allCases.filter { !$0.isOfServer && $0 != .invite && $0 != .uninvite }
    case .server: Deed.allCases.filter { $0.isOfServer || $0.isMeasure }
    }
  }
}

private let tea = room("tea")
private let secret = hash(of: "correct horse")
let ann = PersonID(rawValue: 11)
let zed = PersonID(rawValue: 22)
private let gus = PersonID(rawValue: 33)
private let boss = PersonID(rawValue: 44)

/// Whoever asks; in the room, where it may be there.
enum Standing: String, CaseIterable {
  case stranger, member, moderator, owner
  case serverMember = "server's member"
  case serverModerator = "server's moderator"
  case serverOwner = "server's owner"
  case banned, muted

  var serverRole: Role? {
    switch self {
    case .serverMember: .member
    case .serverModerator: .moderator
    case .serverOwner: .owner
    case .stranger, .member, .moderator, .owner, .banned, .muted: nil
    }
  }

  var roomRole: Role? {
    switch self {
    case .member, .muted: .member
    case .moderator: .moderator
    case .owner: .owner
    case .stranger, .banned, .serverMember, .serverModerator, .serverOwner: nil
    }
  }

  func isInside(_ kind: Kind) -> Bool {
    switch kind {
    case .conversation, .server: false
    case .log: self == .serverOwner
    case .hidden: roomRole != nil
    case .everybodys, .archived: self != .stranger && self != .banned
    }
  }

  fileprivate func facts(_ kind: Kind) -> [Fact] {
    var facts: [Fact] = []
    if let serverRole {
      let account = Account(name: user("ann"), password: secret, role: serverRole)
      facts.append(.account(ann, account))
    }
    if kind != .conversation, kind != .log, kind != .server, let roomRole {
      facts.append(.member(kind.name, ann, roomRole == .member && kind != .hidden ? nil : roomRole))
    }
    let sanction = Sanction(name: user("ann"), by: user("boss"), reason: nil, at: noon)
    let place = kind == .conversation ? nil : kind.room
    switch self {
    case .banned: facts.append(.sanction(.init(.ban, in: place, of: .person(ann)), sanction))
    case .muted: facts.append(.sanction(.init(.mute, in: place, of: .person(ann)), sanction))
    case .stranger, .member, .moderator, .owner, .serverMember, .serverModerator, .serverOwner:
      break
    }
    return facts
  }
}

/// What is asked for.
enum Deed: String, CaseIterable {
  case join, enter = "join with a code", leave, send
  case edit, editOthers = "edit others'", delete, deleteOthers = "delete others'"
  case history, search, mark, typing, who, readTopic = "topic", setTopic = "set a topic"
  case invite, uninvite
  case kick, ban, banNetwork = "ban a network", mute, unban, unmute, role, archive
  case create, away, rooms

  var isOfServer: Bool {
    switch self {
    case .banNetwork, .create, .away, .rooms: true
    case _: false
    }
  }

  var isMeasure: Bool {
    switch self {
    case .kick, .ban, .mute, .unban, .unmute, .role: true
    case _: false
    }
  }

  /// Whether it can be asked of a conversation, too.
  var isOfPlace: Bool {
    switch self {
    case .join, .send, .edit, .editOthers, .delete, .deleteOthers, .history, .search, .mark,
      .typing:
      true
    case _: false
    }
  }

  /// The message with the number 2 is the asker's, 3 is somebody else's.
  func request(_ kind: Kind) -> Request {
    let (place, zed, gus) = (kind.place, Subject.name(user("zed")), Subject.name(user("gus")))
    return switch self {
    case .join: .join(place, .now, code: nil)
    case .enter: .join(place, .now, code: "good")
    case .leave: .leave(kind.name)
    case .send: .send(place, message("hi"), key: nil, replyTo: nil)
    case .edit: .edit(place, of: 2, message("ho"))
    case .editOthers: .edit(place, of: 3, message("ho"))
    case .delete: .delete(place, of: 2)
    case .deleteOthers: .delete(place, of: 3)
    case .history: .history(place, .before(nil), limit: 9)
    case .search: .search(Search("hi", in: place))
    case .mark: .mark(place, 4)
    case .typing: .typing(place, true)
    case .who: .who(kind.name)
    case .readTopic: .topic(kind.name)
    case .setTopic: .setTopic(kind.name, short("tea"))
    case .invite: .invite(kind.name, uses: 1, seconds: nil)
    case .uninvite: .uninvite(kind.name, code: "good")
    case .kick: .kick(kind.room, user("zed"), nil)
    case .ban: .sanction(.ban, kind.room, zed, nil, seconds: 60)
    case .banNetwork: .sanction(.ban, nil, .network(network("192.0.2.0/24")), nil, seconds: 60)
    case .mute: .sanction(.mute, kind.room, zed, nil, seconds: nil)
    case .unban: .lift(.ban, kind.room, gus)
    case .unmute: .lift(.mute, kind.room, gus)
    case .role: .setRole(kind.room, user("zed"), .moderator)
    case .archive: .archive(kind.name)
    case .create: .create(room("new"), isPrivate: true, topic: nil)
    case .away: .away(short("tea"))
    case .rooms: .rooms
    }
  }
}

func network(_ string: String) -> Network {
  guard let network = Network(string) else { preconditionFailure("\(string) is a network") }
  return network
}

extension Chat {
  /// Connection 1 is ann, who is what is asked for; 2 is zed, in the room and of no rank.
  init(_ kind: Kind, _ standing: Standing) {
    let name = kind.name
    let made = Sanction(name: user("gus"), by: user("boss"), reason: nil, at: noon)
    var facts: [Fact] = [
      .account(boss, Account(name: user("boss"), password: hash(of: "boss"), role: .owner)),
      .sanction(.init(.ban, in: kind.room, of: .person(gus)), made),
      .sanction(.init(.mute, in: kind.room, of: .person(gus)), made),
    ]
    switch kind {
    case .everybodys: facts.append(.room(name, RoomRecord(isPrivate: false)))
    case .archived: facts.append(.room(name, RoomRecord(isPrivate: false, isArchived: true)))
    case .hidden:
      facts += [
        .room(name, RoomRecord(isPrivate: true)), .member(name, zed, .member),
        .invitation(name, codeHash(of: "good"), Invitation()),
      ]
    case .conversation:
      facts.append(
        .partners(name, PartnerNames(lower: user("ann"), higher: user("zed"))))
    case .log: break
    case .server:
      facts.append(
        .account(zed, Account(name: user("zed"), password: hash(of: "zed"), role: .member)))
    }
    self.init(known: [name: 5], facts: facts + standing.facts(kind))
    resume(1, ann, as: "ann", .manyRooms)
    resume(2, zed, as: "zed", .manyRooms)
    _ = ask(2, .join(kind.place, .now, code: nil))
    if standing.isInside(kind) { _ = ask(1, .join(kind.place, .now, code: nil)) }
  }
}
