/// What the hub wants done. The server carries it out; the hub itself touches nothing.

package import ChatModel

/// One thing to do, in the order given.
package enum Effect: Equatable, Sendable {
  /// Tell one connection.
  case tell(ConnectionID, Event)
  /// Tell all of these the same.
  case tellAll([ConnectionID], Event)
  /// The connection now bears this name.
  case named(ConnectionID, UserName)
  /// Take no further request of this connection until ``proceed(_:)``.
  case wait(ConnectionID)
  /// Its request is decided: go on with the next.
  case proceed(ConnectionID)
  /// Find out whether the other end is still there, then call ``Hub/probed(_:isAlive:at:)``.
  case probe(ConnectionID)
  /// Take no further request of this connection before this time: it speaks too fast.
  case readLater(ConnectionID, until: Duration)
  /// Tell it why, then close it. The hub has forgotten it already.
  case close(ConnectionID, ClosingReason)
}
