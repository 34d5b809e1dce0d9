/// What a program does about its person's account, and what it holds the answers against.

import ChatModel
import ChatServer
import Dialects

extension Program {
  // MARK: Asking

  /// A login by password, where that is needed, or as good as another.
  func loginOfAccount() -> Request? {
    guard let membership = persona.membership, let name = membership.name,
      !membership.secrets.isEmpty, persona.token == nil || world.dice.chance(30)
    else { return nil }
    return .logInWithPassword(
      name, world.dice.pick(membership.secrets), orAsGuest: false, .manyRooms)
  }

  /// Wants something that changes an account, or tries to get in where it should not.
  func seeToAccount() {
    guard let membership = persona.membership else { return }
    switch (membership.state, world.dice.number(1...100)) {
    case (_, ...20): intrude()
    case (.guest, _):
      guard !membership.isChanging,
        let name = try? UserName(world.dice.chance(50) ? persona.name : "king"),
        let secret = persona.membership?.anotherSecret(of: persona.name)
      else { return }
      ask(
        .register(
          name, secret, code: world.dice.chance(world.plan.ruling) ? "crown" : nil, .manyRooms))
    case (.registering, _): return
    case (.member, ...60):
      guard !membership.isChanging, let old = membership.secrets.first,
        let new = persona.membership?.anotherSecret(of: persona.name)
      else { return }
      ask(.changePassword(old: old, new: new))
    case (.member, _):
      guard outstanding.isEmpty, !membership.isChanging || world.dice.chance(30) else { return }
      ask(.logOut)
    }
  }

  private func intrude() {
    if let token = persona.membership?.void.sorted().last, world.dice.chance(50) {
      return ask(.resume(token: token, .manyRooms))
    }
    guard let name = try? UserName(world.dice.pick(["p0", "p1", "king", persona.name])),
      let guess = Password("a guess of \(persona.name)'s")
    else { return }
    ask(.logInWithPassword(name, guess, orAsGuest: false, .manyRooms))
  }

  // MARK: Hearing

  /// It was let in.
  func letIn(_ asked: Asked, isGuest: Bool, _ step: Int) throws(Violation) {
    guard let standing = asked.standing else { return }
    switch asked.request {
    case .resume(let token, _):
      if standing.void.contains(token) {
        throw Violation(.rightPassword, "\(name) was let in by a token that is void")
      }
      guard standing.isMember else { return }
    case .logInWithPassword(let account, let password, _, _):
      try expect(account, password, since: standing, step, .rightPassword)
    case .register(let account, let password, _, _):
      try expect(account, password, since: standing, step, .trueAfterwards)
      persona.membership?.isAnswered()
      persona.membership?.state = .member(account)
    case .changePassword(_, let new):
      guard let account = persona.membership?.name else { return }
      try expect(account, new, since: standing, step, .trueAfterwards)
      persona.membership?.isAnswered()
      persona.membership?.secrets = [new]
      persona.membership?.void.formUnion(standing.tokens)
    case _: return
    }
    if isGuest { throw Violation(.trueAfterwards, "\(name) was called a guest") }
  }

  private func expect(
    _ account: UserName, _ password: Password, since standing: Membership.Standing, _ step: Int,
    _ promise: Promise
  ) throws(Violation) {
    // Without a store there is no other truth than the server's.
    guard !world.plan.isInMemory else {
      guard password.string.hasPrefix("a guess") else { return }
      throw Violation(.rightPassword, "\(name) was let in by a guess")
    }
    guard world.ledger.had(account, password, from: standing.step, to: step) else {
      throw Violation(
        promise, "\(account.shown) never had the password '\(password.string)' of \(name)")
    }
  }

  func hasLoggedOut(_ asked: Asked) throws(Violation) {
    persona.membership?.isAnswered()
    guard let standing = asked.standing else { return }
    persona.membership?.void.formUnion(standing.tokens)
    if let token = persona.token, standing.tokens.contains(token) { persona.token = nil }
  }

  /// It was not let in, or nothing was changed.
  func refusedAccount(_ code: String, _ asked: Asked) throws(Violation) {
    guard let membership = persona.membership else { return }
    switch (asked.request, code) {
    case (.register, _):
      persona.membership?.isRefused(asked.request)
      persona.membership?.state = .guest
      persona.membership?.secrets = []
    case (.changePassword(let old, _), "bad-password"):
      persona.membership?.isRefused(asked.request)
      persona.membership?.secrets.removeLast()
      if !membership.isInDoubt, membership.changes == asked.standing.map({ $0.changes }) {
        throw Violation(.trueAfterwards, "'\(old.string)' of \(name) was called wrong")
      }
    case (.changePassword, _):
      persona.membership?.isRefused(asked.request)
      persona.membership?.secrets.removeLast()
    case (.logOut, _): persona.membership?.isRefused(asked.request)
    case (.logInWithPassword(membership.name, let password, _, _), "bad-password"):
      if membership.isCertain(since: asked.standing), membership.secrets == [password] {
        throw Violation(.trueAfterwards, "'\(password.string)' of \(name) was called wrong")
      }
    case (.resume(let token, _), "bad-token"):
      if token == persona.token { persona.token = nil }
      if membership.isCertain(since: asked.standing), membership.isNewest(token) {
        throw Violation(.trueAfterwards, "\(name)'s token was called void")
      }
    case _: break
    }
  }
}
