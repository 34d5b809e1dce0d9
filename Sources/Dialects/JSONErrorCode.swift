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
      case .nameTaken: .nameTaken
      case .badToken: .badToken
      case .tooLong: .tooLong
      case .badRoom, .keyReused, .badRequest: .badRequest
      case .noSuchRoom: .noSuchRoom
      case .notMember, .inNoRoom: .notMember
      case .tooManyRooms, .noRoomForRooms, .tooManyConnections: .notAllowed
      case .rateLimited: .rateLimited
      case .notStored(.busy), .notRead: .busy
      case .notStored(.diskFull), .notStored(.failed): .notStored
      case .unknownCommand, .notYet: .unknownMethod
      }
  }
}
