/// Where messages and facts are kept. What a store promises; how it keeps them is its own affair.

package import ChatModel

/// One thing to be kept.
package enum Entry: Hashable, Sendable {
  case message(Draft)
  /// All of these, each in place of what its key had before.
  case facts([Fact])
}

/// What of a room is read.
package enum Reading: Hashable, Sendable {
  /// Messages, as they are now: with their present text, or without any.
  case messages
  /// Changes among them, each in its place.
  case everything
}

/// What became of one entry.
package enum Kept: Hashable, Sendable {
  case stored(seq: Int64, at: Moment)
  /// The person had sent it with this key before: this is what became of it then.
  case duplicate(of: Int64, at: Moment, in: RoomName)
  /// The person had given the key to another message, of another room or with another text.
  case keyReused
  /// What was to be changed is not there, or is no message, or has no text any more.
  case noSuchMessage
  /// What was to be changed is somebody else's.
  case notYours
  /// This one cannot be kept, and the others of its call were: no number is left for it.
  case refused(StoreError)
  /// The facts are as they were to be.
  case recorded
}

/// A room that a store has messages of, or had.
package struct StoredRoom: Hashable, Sendable {
  package var name: RoomName
  /// Of the newest message that was ever kept, whether it still is or not.
  package var seq: Int64
  /// Of the oldest message that is still kept; nil where none is.
  package var oldest: Int64?

  package init(name: RoomName, seq: Int64, oldest: Int64?) {
    self.name = name
    self.seq = seq
    self.oldest = oldest
  }
}

/// Some rows of one person, and where the walk goes on.
package struct PersonRows: Hashable, Sendable {
  /// Where a message is.
  package struct Row: Hashable, Sendable {
    package var room: RoomName
    package var seq: Int64

    package init(room: RoomName, seq: Int64) {
      self.room = room
      self.seq = seq
    }
  }

  /// Room by room, oldest first. Few or none beside a `next` mean that much had to be looked at.
  package var rows: [Row]
  /// What the next call begins behind; nil at the end.
  package var next: Int64?

  package init(rows: [Row], next: Int64?) {
    self.rows = rows
    self.next = next
  }
}

/// A store keeps messages in order, once each, and facts among them, and gives both back.
///
/// - Order: within a room `seq` strictly increases in the order of ``append(_:)``, and is given
///   inside the transaction that keeps the message. It is never given again, also when the message
///   is gone.
/// - Once: a person's key is unique for as long as the message is kept, by the same transaction;
///   also within one call. A message that was changed keeps its key: what comes with it, to the
///   same room, is the same once more, since the text to compare it with is gone.
/// - Changes: an edit and a deletion are kept in the room's order like messages, and change the
///   message that they are about in the same transaction. Only the newest change of a message is
///   kept; the number of the one before it is left out from then on. No text that was replaced or
///   taken away is kept anywhere. A change is refused where its message is not there or has no
///   text, or is another person's (unless ``Draft/changesOthers``). A change's own key is kept for
///   as long as the change is.
/// - Facts: of each key the newest counts, in the order of ``append(_:)``, by the same transaction.
///   Those of a draft are set where that is stored, and not otherwise.
/// - All or nothing: a call that throws has kept none of its entries, and one that does not all but
///   those that it names.
package protocol MessageStore: Sendable {
  /// What is true of a message when ``append(_:)`` has returned.
  var durability: Durability { get }

  /// Keeps the entries in their order, in one transaction; an answer for each, in the same order.
  func append(_ entries: [Entry]) async throws(StoreError) -> [Kept]

  /// At most `limit` messages (1...``HistoryPage/messagesMax``), oldest first: the newest of
  /// `.before`, the oldest of `.after`. A room without messages gives an empty page. With
  /// `.everything` changes are messages, too, here and in what follows.
  ///
  /// `gap` says what of the stretch is gone, by retention or because it is damaged: what lies
  /// between the cursor and the page, or beyond the page where nothing else does. Where `more` is
  /// true there is at least one message or a gap. Who wants everything goes on from the further of
  /// the last message and the gap's end for as long as `more` holds: every number is then either in
  /// a page or in a gap, or was left out or never given, or is that of a change that was not asked
  /// for.
  func page(
    of room: RoomName, _ stretch: Stretch, _ reading: Reading, limit: Int
  ) async throws(StoreError) -> HistoryPage

  /// Every room that ever had a message, by name.
  func rooms() async throws(StoreError) -> [StoredRoom]

  /// Every fact that was kept and not removed since, in no order. Throws where one cannot be read,
  /// or two contradict each other.
  func facts() async throws(StoreError) -> [Fact]

  /// At most `limit` messages of one person, in whatever room, that still have a text. `row` is the
  /// `next` of the call before, 0 to begin with. Each call does a bounded amount of work. Throws
  /// where what would have to be looked at cannot be read.
  func rows(
    of person: PersonID, after row: Int64, limit: Int
  ) async throws(StoreError) -> PersonRows

  /// Removes all that is kept of a room, and gives how much that was. Its numbers are never given
  /// again: what is said in it later goes on behind them.
  func remove(_ room: RoomName) async throws(StoreError) -> Int

  /// Ends what is under way and lets everything go; nothing is called afterwards.
  func close() async
}

extension MessageStore {
  /// Messages alone.
  package func append(_ drafts: [Draft]) async throws(StoreError) -> [Kept] {
    try await append(drafts.map { .message($0) })
  }
}

/// Why a store could not do what it was asked. Each is one sentence for an operator.
package enum StoreError: Error, Hashable, Sendable {
  /// There is no room left where it keeps; `path` names the place.
  case diskFull(path: String)
  /// The store is made by a newer version, is not ours, is damaged or is in use; it was not
  /// touched.
  case unusable(path: String, reason: String)
  /// A search's cursor names an entry of an index that was thrown away.
  case cursorIsGone
  /// Anything else, in the words of the library below.
  case failed(String)
}

extension StoreError: CustomStringConvertible {
  package var description: String { sentence }

  /// Without its full stop.
  package var sentence: String {
    switch self {
    case .diskFull(let path): "no room is left on the disk for \(path); make some, then try again"
    case .unusable(let path, let reason): "\(path) \(reason)"
    case .cursorIsGone:
      "the index of searches was made anew meanwhile; begin the search again"
    case .failed(let sentence): sentence
    }
  }
}
