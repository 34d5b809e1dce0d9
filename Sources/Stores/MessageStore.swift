/// Where messages and facts are kept. What a store promises; how it keeps them is its own affair.

package import ChatModel

/// One thing to be kept.
package enum Entry: Hashable, Sendable {
  case message(Draft)
  /// All of these, each in place of what its key had before.
  case facts([Fact])
}

/// What became of one entry.
package enum Kept: Hashable, Sendable {
  case stored(seq: Int64, at: Moment)
  /// The person had sent it with this key before: this is what became of it then.
  case duplicate(of: Int64, at: Moment, in: RoomName)
  /// The person had given the key to another message, of another room or with another text.
  case keyReused
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

/// A store keeps messages in order, once each, and facts among them, and gives both back.
///
/// - Order: within a room `seq` strictly increases in the order of ``append(_:)``, and is given
///   inside the transaction that keeps the message. It is never given again, also when the message
///   is gone.
/// - Once: a person's key is unique for as long as the message is kept, by the same transaction;
///   also within one call.
/// - Facts: of each key the newest counts, in the order of ``append(_:)``, by the same transaction.
/// - All or nothing: a call that throws has kept none of its entries, and one that does not all but
///   those that it names.
package protocol MessageStore: Sendable {
  /// What is true of a message when ``append(_:)`` has returned.
  var durability: Durability { get }

  /// Keeps the entries in their order, in one transaction; an answer for each, in the same order.
  func append(_ entries: [Entry]) async throws(StoreError) -> [Kept]

  /// At most `limit` messages (1...``HistoryPage/messagesMax``), oldest first: the newest of
  /// `.before`, the oldest of `.after`. A room without messages gives an empty page.
  ///
  /// `gap` says what of the stretch is gone, by retention or because it is damaged: what lies
  /// between the cursor and the page, or beyond the page where nothing else does. Where `more` is
  /// true there is at least one message or a gap. Who wants everything goes on from the further of
  /// the last message and the gap's end for as long as `more` holds: every number is then either in
  /// a page or in a gap, or was never given.
  func page(
    of room: RoomName, _ stretch: Stretch, limit: Int
  ) async throws(StoreError) -> HistoryPage

  /// Every room that ever had a message, by name.
  func rooms() async throws(StoreError) -> [StoredRoom]

  /// Every fact that was kept and not removed since, in no order. Throws where one cannot be read,
  /// or two contradict each other.
  func facts() async throws(StoreError) -> [Fact]

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
    case .failed(let sentence): sentence
    }
  }
}
