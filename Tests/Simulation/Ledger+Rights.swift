/// Whether who has something kept may do that, by all that was kept before it. Judges by the order
/// of the store alone, and by no server's word.

import ChatModel
import Stores

extension Ledger {
  /// What is kept now of a key.
  func now(_ key: Fact.Key) -> Fact? { told[key]?.last?.fact }

  func account(of person: PersonID) -> Account? {
    if case .account(_, let account) = now(.account(person)) { account } else { nil }
  }

  func record(of room: RoomName) -> RoomRecord? {
    if case .room(_, let record) = now(.room(room)) { record } else { nil }
  }

  func isPrivate(_ room: RoomName) -> Bool { record(of: room)?.isPrivate ?? false }

  func member(_ person: PersonID, of room: RoomName) -> Role? {
    if case .member(_, _, let role) = now(.member(room, person)) { role } else { nil }
  }

  func role(of person: PersonID, in room: RoomName?) -> Role? {
    let server = account(of: person)?.role
    guard let room else { return server }
    let own = member(person, of: room)
    if own == nil, isPrivate(room) { return nil }
    return [own, server].compactMap { $0 }.max()
  }

  /// Whether the person was admitted by the end of that step; it may have been put out since.
  func wasAdmitted(_ person: PersonID, to room: RoomName, by step: Int) -> Bool {
    told[.member(room, person)]?.contains { $0.step <= step && !$0.fact.isRemoval } ?? false
  }

  /// A ban or mute that no clock ends.
  func isUnder(_ kind: Sanction.Kind, _ person: PersonID, in room: RoomName) -> Bool {
    [room, nil].contains { place in
      let key = Sanction.Key(kind, in: place, of: .person(person))
      guard case .sanction(_, let sanction?) = now(.sanction(key)) else { return false }
      return sanction.until == nil
    }
  }

  // MARK: Judging

  /// To be asked before it is kept.
  func judge(_ entry: Stores.Entry) throws(Violation) {
    switch entry {
    case .facts(let facts): try judge(facts)
    case .message(let draft) where draft.room == .audit: try judge(line: draft)
    case .message(let draft): try judge(draft)
    }
  }

  private func judge(_ draft: Draft) throws(Violation) {
    let (room, person) = (draft.room, draft.person)
    let refuse = { (why: String) in
      Violation(.rights, "\(draft.content) of \(draft.from.shown) in \(room.string): \(why)")
    }
    if let (one, other) = room.people {
      guard person == one || person == other else { throw refuse("is of two others") }
    } else if isPrivate(room), member(person, of: room) == nil {
      throw refuse("was not admitted")
    }
    if isUnder(.ban, person, in: room) { throw refuse("is banned") }
    if case .deletion = draft.content {
    } else if isUnder(.mute, person, in: room) {
      throw refuse("is muted")
    }
    if record(of: room)?.isArchived == true { throw refuse("is archived") }
    if draft.changesOthers, role(of: person, in: room) ?? .member < .moderator {
      throw refuse("changes others' words")
    }
    for fact in draft.facts {
      switch fact {
      case .topic(room, _), .partners(room, _): break
      case _: throw refuse("sets \(fact.key)")
      }
    }
  }

  private func judge(line: Draft) throws(Violation) {
    for fact in line.facts {
      let isRight =
        switch fact {
        case .sanction(let key, let sanction):
          rules(line.person, in: key.room, over: sanction == nil ? nil : key.subject.person)
        case .member(let room, let other, nil): rules(line.person, in: room, over: other)
        case .member(let room, _, _), .room(let room, _):
          role(of: line.person, in: room) == .owner
        case .account: role(of: line.person, in: nil) == .owner
        case .epoch, .topic, .invitation, .partners, .mark: false
        }
      if !isRight {
        throw Violation(.rights, "'\(line.words)' of \(line.from.shown): \(fact.key)")
      }
    }
  }

  private func rules(_ person: PersonID, in room: RoomName?, over other: PersonID?) -> Bool {
    guard let own = role(of: person, in: room), own >= .moderator else { return false }
    guard let other else { return true }
    return role(of: other, in: room).map { $0 < own || own == .owner } ?? true
  }

  /// What is kept without a line.
  private func judge(_ facts: [Fact]) throws(Violation) {
    for fact in facts {
      let isRight =
        switch fact {
        case .sanction: false
        case .room: now(fact.key) == nil
        case .member(let room, let person, .member?):
          isInvited(to: room, by: facts) && !isUnder(.ban, person, in: room)
        case .member(let room, _, _): facts.contains { $0.key == .room(room) }
        case .account(let person, let account?):
          account.role != .owner || self.account(of: person)?.role == .owner || !hasOwner
        case .mark(let room, let person, let seq):
          seq ?? 0 <= newest(room) && (!isPrivate(room) || member(person, of: room) != nil)
        case .account, .epoch, .topic, .invitation, .partners: true
        }
      if !isRight { throw Violation(.rights, "\(fact) was to be kept") }
    }
  }

  private var hasOwner: Bool {
    told.values.contains { history in
      if case .account(_, let account?) = history.last?.fact {
        account.role == .owner
      } else {
        false
      }
    }
  }

  /// Whether an invitation is there, and loses a use where it has so many.
  private func isInvited(to room: RoomName, by facts: [Fact]) -> Bool {
    for case .invitation(room, let code, let left) in facts {
      guard case .invitation(_, _, let invitation?) = now(.invitation(room, code)) else {
        return false
      }
      return invitation.usesLeft == (left?.usesLeft ?? 0) + 1
    }
    return told.contains { key, history in
      guard case .invitation(room, _) = key,
        case .invitation(_, _, let invitation?) = history.last?.fact
      else { return false }
      return invitation.usesLeft == nil
    }
  }
}

extension Sanction.Subject {
  var person: PersonID? {
    if case .person(let person) = self { person } else { nil }
  }
}
