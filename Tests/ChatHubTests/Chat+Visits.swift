/// Visits in the words of the tests: somebody who is in no room asks. Asserts nothing.

import ChatHub
import ChatModel

extension Chat {
  mutating func visit(
    _ id: Int, _ visit: Visit, by visitor: Visitor? = nil, from address: String? = nil
  ) -> [Effect] {
    hub.visit(visit, by: visitor, from: connection(id), of: address, at: now)
  }

  /// Says something from outside, and keeps what is to be kept: in its place stands what follows.
  mutating func visitAndSay(
    _ id: Int, _ text: String, in name: String, by visitor: Visitor?
  ) -> [Effect] {
    done(visit(id, .say(room(name), message(text), key: nil, replyTo: nil), by: visitor))
  }

  @discardableResult
  mutating func follow(
    _ id: Int, _ name: String, _ beginning: Beginning = .now, by visitor: Visitor? = nil
  ) -> [Effect] {
    visit(id, .follow(room(name), beginning), by: visitor)
  }
}

/// One of the staff by a token.
func token(of staff: Staff, epoch: Int64 = 0) -> Visitor {
  Visitor(person: staff.person, name: user(staff.rawValue), epoch: epoch)
}

/// A guest by a token.
func token(of person: PersonID, as name: String, epoch: Int64 = 0) -> Visitor {
  Visitor(person: person, name: user(name), epoch: epoch)
}

/// The newest page of a room.
func page(of name: String, limit: Int = 9) -> Visit {
  .page(room(name), .before(nil), limit: limit)
}

func saying(_ text: String, in name: String, key: String? = nil, replyTo: Int64? = nil) -> Visit {
  .say(room(name), message(text), key: key.flatMap { MessageKey($0) }, replyTo: replyTo)
}
