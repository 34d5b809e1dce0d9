/// Refusals as JSON lines name them: a code for programs and a sentence for people.

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
  case rateLimited = "rate-limited"
  case notStored = "not-stored"
  case busy

  package init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .notLoggedIn: .notLoggedIn
      case .badName: .badName
      case .nameTaken, .nameHasAccount: .nameTaken
      case .badPassword, .badCode: .badPassword
      case .badToken: .badToken
      case .tooLong: .tooLong
      case .badRoom, .badRequest: .badRequest
      case .noSuchRoom: .noSuchRoom
      case .notMember, .inNoRoom: .notMember
      case .tooManyRooms, .tooManyConnections, .passwordNotPrivate, .hasAccount, .noAccount:
        .notAllowed
      case .rateLimited: .rateLimited
      case .busy, .notStored(.busy): .busy
      case .notStored(.diskFull), .notStored(.failed): .notStored
      case .unknownCommand, .notYet: .unknownMethod
      }
  }
}
