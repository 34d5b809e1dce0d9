/// A thread and the one thing that is used on it. Knows nothing of what the thing does.

internal import Loop

/// Something that blocks, on a thread of its own.
final class Seat<Occupant>: @unchecked Sendable {
  // @unchecked because: after the initialiser `occupant` is touched on the worker's thread alone,
  // or when nobody else is left to touch it.
  private let worker = Worker()
  private var occupant: Occupant?

  init(_ occupant: sending Occupant) { self.occupant = occupant }

  /// Runs `body` with the occupant, behind everything that was asked for before.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (Occupant) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await worker.run { () throws(StoreError) in
      guard let occupant = self.occupant else { throw .failed("the store is closed") }
      return try body(occupant)
    }
  }

  /// Lets go of the occupant, behind everything that was asked for before.
  func leave() async {
    await worker.run { self.occupant = nil }
  }
}
