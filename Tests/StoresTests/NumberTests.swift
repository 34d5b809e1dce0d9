/// Where numbers run out: of rooms, and of messages in a room. What has one is kept all the same.

import ChatModel
import Testing

@testable import Stores

@Suite struct NumberTests {
  @Test func whereNoRoomHasANumberLeftOnlyWhatIsSaidInNewOnesIsRefused() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in _ = try await store.append(drafts(1...1)) }
    try place.alter("INSERT INTO rooms VALUES (\(RowNumber.roomMax), 'last', 0, 0)")
    try await place.withStore { store in
      let kept = try await store.append(
        [draft("2"), draft("new", in: tea), draft("last", in: room("last")), draft("3")])
      #expect(kept.map(\.seq) == [2, 0, 1, 3])
      #expect(
        kept[1] == .refused(.failed("\(place.data.historyPath) has all the rooms it can have")))
      let rooms = try await store.rooms()
      #expect(rooms.map(\.name.string) == ["last", "lobby"])
    }
    #expect(try place.problems() == [])
  }

  @Test func whereARoomHasNoNumberLeftOnlyWhatIsSaidThereIsRefused() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...1) + drafts(1...1, in: tea))
    }
    try place.alter("UPDATE rooms SET seq = \(RowNumber.seqMax) WHERE name = 'tea'")
    try await place.withStore { store in
      let kept = try await store.append([draft("no", in: tea), draft("2")])
      #expect(kept.map(\.seq) == [0, 2])
    }
    #expect(try place.problems() == [])
  }
}
