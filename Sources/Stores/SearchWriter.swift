/// Writes the index of searches behind the history, a batch at a time. Used on one thread.

internal import ChatModel

/// The one connection that writes the index, and one that reads the history.
///
/// What is read of the history and how far that was are written in one transaction, so that a crash
/// at any moment only has some of it done once more.
final class SearchWriter {
  enum Step: Sendable, Equatable {
    /// There may be more to do.
    case more
    /// Nothing is left; true where something is to be swept later.
    case done(sweepsLater: Bool)
  }

  /// The most messages of one transaction: all that come in a second of the load that is meant.
  /// FTS5 writes the words of a transaction as one segment, and merges segments by their number:
  /// fewer and larger ones are less work for the disk, which those who keep messages want, too.
  static let batchMax = 10_000
  /// The bytes of text after which a transaction ends, whatever the number.
  static let batchBytesMax = 2 << 20

  let history: HistoryTail
  private let path: String
  private var opened: SearchTables?
  private var places: [Int64: HistoryTail.Place]
  /// The last room that was looked at for messages that are gone; nil where none need be.
  var lookedThrough: Int64? = 0
  /// How long removed words may stay in the file: removals shortly after one another are swept
  /// together.
  let sweepDelay: Duration
  /// How many messages and changes it has read of the history.
  private(set) var rowsRead = 0

  /// Opens the index of the history in `directory`, or makes it anew where there is none, or one
  /// that is not ours, of another version, damaged, or of another history.
  init(_ directory: DataDirectory, sweepDelay: Duration = .seconds(600)) throws(StoreError) {
    self.sweepDelay = sweepDelay
    path = directory.searchPath
    history = try HistoryTail(HistoryFile.openForReading(directory))
    if let found = try? Self.find(path, history) {
      opened = found.0
      places = found.1
    } else {
      opened = try SearchTables(SearchFile.make(path))
      places = [:]
    }
  }

  private static func find(
    _ path: String, _ history: HistoryTail
  ) throws(StoreError) -> (SearchTables, [Int64: HistoryTail.Place])? {
    guard let database = SearchFile.open(path) else { return nil }
    let tables = try SearchTables(database)
    let places = try tables.places()
    return try history.knows(places) ? (tables, places) : nil
  }

  /// Throws the index away; the next step begins a new one. Nobody else has the file open.
  func throwAway() {
    opened = nil
    places = [:]
    lookedThrough = 0
  }

  /// The tables, of a new index where the old one was thrown away.
  func tables() throws(StoreError) -> SearchTables {
    if let opened { return opened }
    let tables = try SearchTables(SearchFile.make(path))
    opened = tables
    return tables
  }

  /// Does some of what is to be done: messages that are new, then those that are gone, then one
  /// shard that is to be swept.
  func step(at now: Moment) throws(StoreError) -> Step {
    let tables = try tables()
    let batch = try history.batch(
      after: places, limit: Self.batchMax, bytesMax: Self.batchBytesMax)
    if !batch.reached.isEmpty {
      try tables.index(batch, at: now)
      places.merge(batch.reached) { $1 }
      rowsRead += batch.rows
      return .more
    }
    if try removeSome(at: now) { return .more }
    return try sweepOne(at: now)
  }

  /// How many entries the index has had.
  func entryCount() throws(StoreError) -> Int { try tables().entryCount() }
}
