/// What a person in a simulation knows of its account. Asks nothing itself.

import ChatModel

/// From wishing for an account to changing its password, over cuts.
struct Membership {
  enum State {
    case guest
    case registering(UserName)
    case member(UserName)
  }

  var state = State.guest
  /// Passwords that may be the account's; one where nothing is in doubt.
  var secrets: [Password] = []
  /// How many changes have no answer.
  private var underWay = 0
  var isChanging: Bool { underWay > 0 }
  /// A link broke before such an answer: what became of it, and when, nobody says.
  private(set) var isInDoubt = false
  /// Grows with each change that is asked for, and with each answer to one.
  private(set) var changes = 0
  /// Tokens that must not let anybody in any more.
  var void: Set<String> = []
  /// How often tokens were made void, as far as is known.
  private var voidings = 0
  /// All tokens, and how often that had been when each was asked for; -1 where that is not known.
  private var born: [String: Int] = [:]
  private var count = 0

  /// How it stood when something was asked.
  struct Standing {
    let step: Int
    let changes: Int
    let voidings: Int
    let underWay: Int
    let isMember: Bool
    /// What it had been given.
    let tokens: Set<String>
    /// What of it was void.
    let void: Set<String>
  }

  func standing(at step: Int) -> Standing {
    Standing(
      step: step, changes: changes, voidings: voidings, underWay: underWay,
      isMember: isMember, tokens: Set(born.keys), void: void)
  }

  /// Whether what is known was certain all the time since then.
  func isCertain(since standing: Standing?) -> Bool {
    !isInDoubt && !isChanging && standing?.changes == changes
  }

  private var isMember: Bool {
    if case .member = state { true } else { false }
  }

  var name: UserName? {
    switch state {
    case .guest: nil
    case .registering(let name), .member(let name): name
    }
  }

  /// A password that nobody has had.
  mutating func anotherSecret(of person: String) -> Password? {
    count += 1
    return Password("\(person)-secret-\(count)")
  }

  mutating func asks(_ request: Request) {
    guard request.isChange else { return }
    underWay += 1
    changes += 1
    if request.isVoiding { voidings += 1 }
    switch request {
    case .register(let name, let password, _, _):
      state = .registering(name)
      secrets = [password]
    case .changePassword(_, let new): secrets.append(new)
    case _: break
    }
  }

  mutating func isGiven(_ token: String, _ asked: Request, _ standing: Standing?) {
    // While something else was under way, nobody can say of which time it is.
    let isOfKnownTime = standing?.underWay == (asked.isChange ? 1 : 0)
    born[token] = isOfKnownTime ? standing?.voidings : -1
  }

  /// Whether a token was asked for after all that made tokens void.
  func isNewest(_ token: String) -> Bool { born[token] == voidings }

  /// An answer to such a request came.
  mutating func isAnswered() {
    underWay -= 1
    changes += 1
  }

  /// It was that nothing has changed.
  mutating func isRefused(_ request: Request) {
    isAnswered()
    if request.isVoiding { voidings -= 1 }
  }

  mutating func isCutOff(_ request: Request) {
    guard request.isChange else { return }
    isAnswered()
    isInDoubt = true
  }
}

extension Request {
  /// Whether it makes tokens void.
  var isVoiding: Bool {
    if case .changePassword = self { true } else { self == .logOut }
  }

  /// Whether it changes an account.
  var isChange: Bool {
    switch self {
    case .register, .changePassword, .logOut: true
    case _: false
    }
  }
}
