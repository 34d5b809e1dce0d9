/// Where one reader is behind, and how far it has come there. Reads no history.

import ChatModel

/// The rooms of which a reader does not hear what comes before it was given what it misses; in the
/// order in which it is given that.
struct Lags {
  struct Lag: Equatable {
    let room: RoomName
    var cursor: Cursor
    /// It was told that it is catching up.
    var isTold = false
  }

  /// How far a reader has come.
  enum Cursor: Equatable {
    /// It has everything up to this sequence number.
    case after(Int64)
    /// It is to have at most so many of the newest.
    case last(Int)
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
}
