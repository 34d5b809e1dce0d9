/// Searches the words of messages, behind the path that keeps them. Assembles what does the work.

package import ChatModel
internal import Loop

/// An index of the history's words in a file of its own, `search.db`.
///
/// One thread writes it, after the commits and for half of the time at most while they go on; one
/// answers searches. Who keeps messages never waits for either. A message can be found within a
/// second or two after it was kept. The file can be removed at any time while no server runs: it is
/// made anew from the history, as it is where it is damaged, or of another version or history.
package final class SearchIndex: Sendable {
  private let parts: Parts
  private let store: SQLiteStore
  private let wishes: AsyncStream<Void>.Continuation
  private let tail: Task<Void, Never>

  /// Opens the index of the history that `store` keeps, or makes it anew. Blocks for a few
  /// milliseconds, as opening the store does. Close it before the store.
  package convenience init(
    behind store: SQLiteStore, now: @escaping @Sendable () -> Moment = { .now }
  ) throws(StoreError) {
    try self.init(behind: store, now: now, sweepDelay: .seconds(600), patience: .milliseconds(50))
  }

  init(
    behind store: SQLiteStore, now: @escaping @Sendable () -> Moment, sweepDelay: Duration,
    patience: Duration
  ) throws(StoreError) {
    let writer = try SearchWriter(store.directory, sweepDelay: sweepDelay)
    let parts = Parts(
      directory: store.directory, writing: Seat(writer),
      reading: Seat(SearchReader(store.directory, patience: patience)), now: now)
    let (wakes, wishes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.parts = parts
    self.store = store
    self.wishes = wishes
    tail = Task.detached { await parts.follow(wakes) }
    wishes.yield()
    store.watch { change in
      parts.state.withLock { state in
        state.commits &+= 1
        if change == .removed { state.hasRemovals = true }
      }
      wishes.yield()
    }
  }

  deinit {
    wishes.finish()
    tail.cancel()
  }

  /// What has the words of `query`, newest first: by the time that it was kept, and within a room
  /// by its number. Messages are whole and as they are in the history now: what is gone or does not
  /// match any more is passed over, whatever the index still has of it.
  ///
  /// Throws where a cursor is of an index that was made anew meanwhile.
  package func find(_ query: SearchQuery) async throws(StoreError) -> SearchPage {
    do throws(StoreError) {
      return try await parts.reading.run { reader throws(StoreError) in try reader.find(query) }
    } catch {
      guard parts.isDamage(error) else { throw error }
      parts.state.withLock { $0.isDamaged = true }
      wishes.yield()
      throw .failed("the index of searches is damaged and is made anew; try again in a while")
    }
  }

  /// Why it is behind, for an operator; nil where all is well. It tries again each second.
  package var problem: StoreError? { parts.state.withLock { $0.problem } }

  /// Returns when everything that was kept before the call can be found, and what was removed
  /// before it is out.
  package func catchUp() async throws(StoreError) {
    while try await parts.step() == .more {}
  }

  /// Ends what is under way and lets the file go.
  package func close() async {
    store.watch(nil)
    wishes.finish()
    tail.cancel()
    await tail.value
    await parts.reading.leave()
    // The last connection to go takes the log over into the file.
    await parts.writing.leave()
  }
}

/// What the tail works with. It holds nothing of the index that a caller has.
private struct Parts: Sendable {
  /// What the threads have to tell each other.
  struct State {
    /// How often the store has told of something.
    var commits = 0
    var hasRemovals = false
    var isDamaged = false
    var problem: StoreError?
  }

  /// The least time between two times that it looks for what is new.
  static let pause = Duration.seconds(1)

  let directory: DataDirectory
  let writing: Seat<SearchWriter>
  let reading: Seat<SearchReader>
  let now: @Sendable () -> Moment
  let state = Guarded(State())

  /// Follows the history until the task is cancelled or the stream ends.
  func follow(_ wakes: AsyncStream<Void>) async {
    for await _ in wakes {
      // Until all is done there is a look each second, whether somebody asks for it or not.
      var isDone = false
      while !isDone, !Task.isCancelled {
        do throws(StoreError) {
          var step = SearchWriter.Step.more
          while step == .more, !Task.isCancelled {
            let start = ContinuousClock.now
            let commits = state.withLock(\.commits)
            step = try await self.step()
            // Half of the time belongs to those who write, where somebody does: both want the disk.
            if step == .more, commits != state.withLock(\.commits) {
              try? await Task.sleep(for: start.duration(to: .now))
            }
          }
          isDone = step == .done(sweepsLater: false)
          state.withLock { $0.problem = nil }
        } catch {
          state.withLock { $0.problem = error }
        }
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  /// One step of the writer; an index that is damaged is thrown away first.
  func step() async throws(StoreError) -> SearchWriter.Step {
    let isDamaged = state.withLock { state in
      defer { state.isDamaged = false }
      return state.isDamaged
    }
    if isDamaged { await throwAway() }
    do throws(StoreError) {
      return try await writing.run { [state, now] writer throws(StoreError) in
        let hasRemovals = state.withLock { state in
          defer { state.hasRemovals = false }
          return state.hasRemovals
        }
        if hasRemovals { writer.lookedThrough = 0 }
        return try writer.step(at: now())
      }
    } catch {
      guard self.isDamage(error) else { throw error }
      await throwAway()
      return .more
    }
  }

  /// Whether the index itself is what cannot be used.
  func isDamage(_ error: StoreError) -> Bool {
    guard case .unusable(let path, _) = error else { return false }
    return path == directory.searchPath
  }

  /// The next step begins the index anew; nobody has its file open then.
  private func throwAway() async {
    _ = try? await reading.run { $0.letGo() }
    _ = try? await writing.run { $0.throwAway() }
  }
}
