/// What operators are told in English where something cannot be done. Each sentence says what to
/// do next.

internal import ChatModel

enum ControlWords {
  static let personRule = "person must be the number of one, in a string, as in \"7\""

  static func oneParty(_ method: ControlMethod) -> String {
    let takesNetwork = method == .ban || method == .unban
    return
      "\(method.rawValue) takes one of name\(takesNetwork ? ", person and network" : " and person")"
  }

  static func unknownMethod() -> String {
    let methods = ControlMethod.allCases.map(\.rawValue).joined(separator: ", ")
    return "there is no such method here; there are \(methods)"
  }

  static func problem(_ problem: OperationProblem) -> String {
    switch problem {
    case .noAccount(let name):
      "there is no account \(name.shown); beck account list shows those there are"
    case .nobody(let name):
      "nobody called \(name.shown) has an account or is here; name a guest who has gone by the "
        + "number of the person"
    case .guest(let person):
      "person \(person.rawValue) has no account; beck account list shows those who have"
    case .accountExists(let name):
      "\(name.shown) has an account already; choose another name"
    case .nameHeld(let name):
      "\(name.shown) is here as a guest; ask them to register, or to leave first"
    case .noSuchRoom(let room):
      "there is no room \(room.string); beck room list shows those there are"
    case .alreadyArchived(let room):
      "\(room.string) is archived already; beck room remove removes it"
    case .permanent(let room):
      "\(room.string) is there for all who come, and is neither archived nor removed; "
        + "name another room"
    case .beingRemoved(let room):
      "\(room.string) is being removed just now; wait for that to end"
    case .noSanction(.ban):
      "there is no such ban; beck ban list shows those there are, and of which room each is"
    case .noSanction(.mute):
      "there is no such mute; beck ban list shows those there are, and of which room each is"
    case .networkElsewhere:
      "a network can only be banned, and from the whole server; name a person instead"
    }
  }
}

extension OperationProblem {
  var code: JSONErrorCode {
    switch self {
    case .noAccount, .nobody, .guest: .notHere
    case .accountExists, .nameHeld: .nameTaken
    case .noSuchRoom: .noSuchRoom
    case .alreadyArchived, .permanent: .notAllowed
    case .beingRemoved: .busy
    case .noSanction: .notHere
    case .networkElsewhere: .badRequest
    }
  }
}
