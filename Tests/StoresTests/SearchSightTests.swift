/// That nobody is shown what is not theirs to read, and nobody learns of it by how a search ends.

import ChatModel
import Testing

@testable import Stores

@Suite struct SearchSightTests {
  private let eve = PersonID(rawValue: -5)
  private let rooms = (0..<40).map { room("room-\($0)") }

  /// Conversations of somebody with so many others.
  private func conversations(of person: PersonID, _ count: Int64) -> [RoomName] {
    (0..<count).map { .conversation(of: person, and: PersonID(rawValue: 1_000 + $0)) }
  }

  private func drafts(in rooms: [RoomName]) -> [Draft] {
    rooms.map { draft("word in \($0.string)", in: $0) }
  }

  /// Few rooms are told apart within the index, many one by one.
  @Test(arguments: Keeper.allCases)
  func aRoomThatIsHiddenIsNotShown(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      _ = try await searched.store.append(drafts(in: rooms))
      for count in [0, 1, 5, 16, 17, 39, 40] {
        let sight = Sight(hidden: Set(rooms.prefix(count)), made: [])
        let found = try await searched.walk("word", seeing: sight)
        #expect(found.messages.map(\.draft.room) == rooms.dropFirst(count).reversed())
        #expect(found.pages == max(1, (40 - count + 6) / 7), "\(count)")
        let asked = try await searched.texts("word", seeing: sight, room: rooms[20])
        #expect(asked.count == (count > 20 ? 0 : 1))
      }
      let nowhere = Sight(hidden: [room("nowhere")], made: [])
      #expect(try await searched.texts("word", seeing: nowhere).count == 40)
    }
  }

  @Test(arguments: Keeper.allCases, [0, 1, 16, 17, 60] as [Int64])
  func whatTwoPeopleSayIsShownToThem(keeper: Keeper, count: Int64) async throws {
    try await keeper.withSearch { searched in
      let own = conversations(of: ann, count)
      let others = conversations(of: bob, 30) + conversations(of: eve, 30)
      // Others' are the older and the newer ones.
      _ = try await searched.store.append(
        drafts(in: Array(others.prefix(30)) + own + others.dropFirst(30)))
      _ = try await searched.store.append(drafts(in: [lobby]))
      let sight = Sight(hidden: [], made: Set(own))
      let found = try await searched.walk("word", seeing: sight)
      #expect(found.messages.map(\.draft.room) == [lobby] + own.reversed())
      #expect(found.pages == (Int(count) + 7) / 7)
      let closed = Sight(hidden: [lobby, tea], made: Set(own))
      #expect(try await searched.texts("word", seeing: closed).count == own.count)
      #expect(try await searched.texts("word", seeing: sight, room: others[3]) == [])
      if let one = own.last {
        #expect(try await searched.texts("word", seeing: sight, room: one).count == 1)
      }
      #expect(try await searched.texts("word") == ["word in lobby"])
      // Rooms that nobody has in common, and whose words are the same.
      let mixed = Sight(hidden: [], made: Set(own + others.suffix(20)))
      #expect(try await searched.texts("word", seeing: mixed).count == own.count + 21)
    }
  }

  @Test(arguments: Keeper.allCases)
  func theLogOfModerationIsShownToWhoMayReadIt(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      let own = conversations(of: ann, 20)
      _ = try await searched.store.append(drafts(in: [.audit, lobby] + own))
      #expect(try await searched.texts("word") == ["word in lobby"])
      #expect(try await searched.texts("word", room: .audit) == [])
      let few = Sight(hidden: [], made: [.audit])
      #expect(try await searched.texts("word", seeing: few) == ["word in lobby", "word in @audit"])
      let many = Sight(hidden: [], made: Set(own + [.audit]))
      #expect(try await searched.texts("word", seeing: many).count == 22)
      #expect(try await searched.texts("word", seeing: many, room: .audit).count == 1)
      let none = Sight(hidden: [], made: Set(own))
      #expect(try await searched.texts("audit", seeing: none) == [])
    }
  }

  /// Somebody who says the word and asks for one message must not learn that others said it, too.
  @Test(arguments: Keeper.allCases)
  func aFullPageEndsTheSameWhateverIsHidden(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      let others = conversations(of: eve, 3)
      _ = try await searched.store.append(drafts(in: [lobby] + rooms + others + [lobby]))
      let own = conversations(of: ann, 20)
      for made in [[], Array(own.prefix(1)), own] {
        let sight = Sight(hidden: Set(rooms), made: Set(made))
        let two = try await searched.find(SearchQuery("word", seeing: sight, limit: 2))
        #expect(two.messages.count == 2 && two.cursor == nil)
        let one = try await searched.find(SearchQuery("word", seeing: sight, limit: 1))
        let rest = try await searched.find(
          SearchQuery("word", seeing: sight, cursor: one.cursor, limit: 1))
        #expect(one.cursor != nil && rest.messages.map(\.seq) == [1] && rest.cursor == nil)
        // The same cursor as where nobody else has said it.
        let alone = try await searched.find(SearchQuery("lobby", seeing: sight, limit: 1))
        #expect(alone.cursor == one.cursor)
      }
    }
  }

  @Test(arguments: Keeper.allCases)
  func aNameIsSearchedForAsNamesAreCompared(keeper: Keeper) async throws {
    try await keeper.withSearch { searched in
      let names = ["Ann", "ÄNNE", "ﬁona", "a  b", "\u{FF21}nn", "안나", "x\"y' OR 1=1 --", "ann*"]
      for (number, name) in names.enumerated() {
        try await searched.append(draft("word \(number)", by: PersonID(rawValue: 9), as: name))
      }
      let table = [
        ("ann", [4, 0]), ("ANN", [4, 0]), ("änne", [1]), ("anne", []), ("FIONA", [2]), ("A B", [3]),
        ("안나", [5]), ("X\"Y' or 1=1 --", [6]), ("ANN*", [7]), ("an", []), ("word", []),
      ]
      for (name, wanted) in table {
        let found = try await searched.texts("word", from: name)
        #expect(found == wanted.map { "word \($0)" }, "\(name)")
      }
      // A message keeps its name whoever changes it.
      var change = edit(1, "word changed", by: bob)
      change.changesOthers = true
      try await searched.append(change)
      #expect(try await searched.texts("changed", from: "ann") == ["word changed"])
    }
  }

  @Test func whatTheServerMadeIsLeftOutWithinTheIndex() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      let talk = RoomName.conversation(of: ann, and: eve)
      _ = try await store.append(drafts(in: [lobby, talk, .audit]))
      let writer = try SearchWriter(place.data)
      while try writer.step(at: .now) == .more {}
      let database = try writer.tables().database
      let count = { (expression: String) in
        try database.number("SELECT count(*) FROM words0 WHERE words0 MATCH '\(expression)'")
      }
      #expect(try count("word") == 3)
      #expect(try count("word NOT \"\(SearchFile.madeTerm)\"") == 1)
      #expect(try count("word AND \"\(SearchFile.partnerTerm(ann))\"") == 1)
      #expect(try count("word AND \"\(SearchFile.partnerTerm(eve))\"") == 1)
      #expect(try count("word AND \"\(SearchFile.partnerTerm(bob))\"") == 0)
      // Also after it was indexed again.
      for room: Int64 in 1...3 { try writer.reindex(RowNumber(room: room, seq: 1), at: .now) }
      #expect(try count("word NOT \"\(SearchFile.madeTerm)\"") == 1)
      #expect(try count("word AND \"\(SearchFile.partnerTerm(eve))\"") == 1)
    }
  }
}
