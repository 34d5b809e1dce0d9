/// Where one reader is behind, and how far it has come there. Reads no history.

import ChatModel

/// The rooms of which a reader does not hear what comes before it was given what it misses; in the
/// order in which it is given that.
struct Lags {
  struct Lag {
    let room: RoomName
    var cursor: Cursor
    /// It was told that it is catching up.
    var isTold = false
    /// What came since the page was asked for that is on its way; nil while none is, and when it
    /// was too much. A reader that needs no more than that page is live with it: it would never
    /// be in a room where something is said more often than a page takes.
    fileprivate(set) var meanwhile: Meanwhile?
  }

  /// How far a reader has come.
  enum Cursor: Equatable {
    /// It has everything up to this sequence number.
    case after(Int64)
    /// It is to have at most so many of the newest.
    case last(Int)
  }

  struct Meanwhile {
    fileprivate(set) var messages: [(seq: Int64, slice: Slice)] = []
    fileprivate var weight = 0
  }

  private var lags: [Lag] = []

  var isEmpty: Bool { lags.isEmpty }
  var first: Lag? { lags.first }

  func contains(_ room: RoomName) -> Bool { lags.contains { $0.room == room } }

  subscript(room: RoomName) -> Lag? { lags.first { $0.room == room } }

  /// The reader is behind from here on, wherever it was before.
  mutating func begin(_ room: RoomName, _ cursor: Cursor) {
    end(room)
    lags.append(Lag(room: room, cursor: cursor))
  }

  /// It has come so far, and was told so; the other rooms have their turn first.
  mutating func advance(_ room: RoomName, to cursor: Cursor) {
    end(room)
    lags.append(Lag(room: room, cursor: cursor, isTold: true))
  }

  mutating func end(_ room: RoomName) { lags.removeAll { $0.room == room } }

  /// A page for the first of them is asked for: what comes from now on is noted.
  mutating func startFetching() { lags[0].meanwhile = Meanwhile() }

  /// A message came in a room that the reader is behind in.
  mutating func note(_ slice: Slice, _ seq: Int64, in room: RoomName, weightMax: Int) {
    guard let index = lags.firstIndex(where: { $0.room == room && $0.meanwhile != nil }) else {
      return
    }
    lags[index].meanwhile?.weight += slice.weight
    if lags[index].meanwhile?.weight ?? 0 > weightMax {
      lags[index].meanwhile = nil
    } else {
      lags[index].meanwhile?.messages.append((seq, slice))
    }
  }
}
