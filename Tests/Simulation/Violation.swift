/// A promise that was not kept: which one, and by what.

/// The promises of docs/promises.md, and what else must hold after every step.
public enum Promise: String, CaseIterable, Sendable {
  case oneOrder = "one order a room"
  case keptFirst = "nothing is shown before it is kept"
  case answeredOnce = "what is answered is in the history, once"
  case firstAnswer = "a retry gets its first answer"
  case noHole = "no hole"
  case changesAreKept = "what is answered as changed is changed, by who may"
  case presentText = "a text that was changed is shown no more"
  case noDouble = "nothing twice"
  case gapsAreTrue = "a gap is said where something is gone, and only there"
  case answersInOrder = "answers in the order of requests"
  case bounded = "what waits is bounded"
  case onlyMembers = "a room is heard by who is in it"
  case spelled = "what is sent can be read"
  case refusedIsUnseen = "what is refused is kept by nobody"
  case oneAccount = "a name is one account's"
  case rightPassword = "nobody gets in by a wrong password or a void token"
  case trueAfterwards = "what is answered of an account is true afterwards"
  case rights = "what is kept was done by who may, in the order of the store"
  case secrecy = "nothing of a private room or a conversation reaches others"
  case outIsOut = "who is answered to be put out is sent nothing more of the room"
  case marks = "nobody has read further than anything was said"
  case rest = "in the end everybody has everything"
}

/// What ends a simulation.
public struct Violation: Error, CustomStringConvertible {
  public let promise: Promise
  public let words: String

  init(_ promise: Promise, _ words: String) {
    self.promise = promise
    self.words = words
  }

  public var description: String { "\(promise.rawValue): \(words)" }
}
