/// What the hub cannot do by itself: it has no clock on the wall, no chance and no digests.

package import ChatModel

/// Given to the hub, so that a simulation decides all of it.
package struct Surroundings {
  /// The clock on the wall: bans and invitations end by it, also when the server was away.
  package var moment: () -> Moment
  /// A code that nobody can guess.
  package var makeCode: () -> String
  /// What a code is known by.
  package var hashOfCode: (String) -> CodeHash

  package init(
    moment: @escaping () -> Moment, makeCode: @escaping () -> String,
    hashOfCode: @escaping (String) -> CodeHash
  ) {
    self.moment = moment
    self.makeCode = makeCode
    self.hashOfCode = hashOfCode
  }
}
