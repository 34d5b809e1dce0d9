/// Names one connection without holding it: the hub knows no sockets.

/// A place in the server's table of connections, and which of its users in turn is meant.
package struct ConnectionID: Hashable, Sendable {
  package let slot: UInt32
  /// Differs for each connection that has the slot, so that a late word never reaches the next one.
  package let generation: UInt32

  package init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }
}
