/// Refusals and reasons to close as JSON lines name them: codes for programs.

package import ChatModel

/// What a program goes by.
package enum JSONErrorCode: String, CaseIterable, Sendable {
  case badRequest = "bad-request"
  case unknownMethod = "unknown-method"
  case tooLong = "too-long"
  case notLoggedIn = "not-logged-in"
  case nameTaken = "name-taken"
  case badName = "bad-name"
  case badPassword = "bad-password"
  case badToken = "bad-token"
  case noSuchRoom = "no-such-room"
  case notMember = "not-member"
  case notAllowed = "not-allowed"
  case banned, muted
  case notHere = "not-here"
  case noSuchMessage = "no-such-message"
  case rateLimited = "rate-limited"
  case notStored = "not-stored"
  case busy

  package init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .notLoggedIn: .notLoggedIn
      case .badName: .badName
      case .nameTaken, .nameHasAccount, .roomTaken: .nameTaken
      case .badPassword, .badCode: .badPassword
      case .badToken: .badToken
      case .tooLong: .tooLong
      case .badRoom, .keyReused, .noSuchInvitation, .badRequest: .badRequest
      case .noSuchRoom, .notInvited: .noSuchRoom
      case .notMember, .inNoRoom: .notMember
      case .tooManyRooms, .noRoomForRooms, .tooMany, .tooManyConnections,
        .passwordNotPrivate, .hasAccount,
        .noAccount, .archived, .needsRole, .roleTooHigh, .lastOwner, .oneself,
        .notPrivate,
        .notYours, .accountDisabled:
        .notAllowed
      case .banned: .banned
      case .muted: .muted
      case .notHere: .notHere
      case .noSuchMessage: .noSuchMessage
      case .rateLimited: .rateLimited
      case .busy, .notStored(.busy), .notRead: .busy
      case .notStored(.diskFull), .notStored(.failed): .notStored
      case .operation(let problem): problem.code
      case .unknownCommand: .unknownMethod
      }
  }
}

/// Why a connection is closed, for programs.
package enum JSONClosingCode: String, CaseIterable, Sendable {
  case quit, shutdown, silent, crowded, kicked, banned
  case accountEnded = "account-ended"
  case loggedOut = "logged-out"
  case tooManyConnections = "too-many-connections"
  case tooManyMistakes = "too-many-mistakes"

  package init(_ reason: ClosingReason) {
    self =
      switch reason {
      case .quit: .quit
      case .shutdown: .shutdown
      case .silent: .silent
      case .loggedOut: .loggedOut
      case .kicked, .putOut: .kicked
      case .banned: .banned
      case .accountEnded: .accountEnded
      case .crowded: .crowded
      case .tooManyFromAddress: .tooManyConnections
      case .tooManyMistakes: .tooManyMistakes
      }
  }
}
