/// A history as lines and as a copy: out, in, and refusals that name the line.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct ArchiveTests {
  private func export(_ place: TemporaryDirectory, room: RoomName? = nil) throws -> String {
    let export = try HistoryExport(place.data, room: room, now: { Moment(milliseconds: 0) })
    var bytes: [UInt8] = []
    while let some = try export.next() { bytes += some }
    #expect(export.losses.isEmpty)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// In pieces of so many bytes.
  private func take(
    _ text: String, into place: TemporaryDirectory, pieces: Int = 1 << 16
  ) throws -> HistoryImport {
    var rest = Array(text.utf8)[...]
    return try HistoryImport.run(
      into: place.data,
      read: {
        defer { rest = rest.dropFirst(pieces) }
        return rest.isEmpty ? nil : Array(rest.prefix(pieces))
      })
  }

  private func end(_ messages: Int) -> String { #"{"end":{"messages":\#(messages)}}"# }

  private let header = #"{"beck":"history","version":1}"#
  private let line =
    #"{"room":"tea","seq":1,"from":"ann","person":"7","text":"hi","at":"2026-11-30T02:10:00.123Z"}"#

  @Test func anExportIsAHeaderAndALineForEachMessage() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append([
        draft("hi", in: tea, by: PersonID(rawValue: -9), as: "Ann", key: "k\"1"),
        draft("a\nb\u{2028}\"\\\0é", replyTo: 12),
      ])
    }
    #expect(
      try export(place) == """
        {"beck":"history","version":2,"at":"1970-01-01T00:00:00.000Z","rooms":[\
        {"room":"lobby","seq":1},{"room":"tea","seq":1}]}
        {"room":"lobby","seq":1,"from":"ann","person":"1","text":"a\\nb\\u2028\\"\\\\\\u0000é",\
        "at":"2027-01-15T08:00:00.000Z","replyTo":12}
        {"room":"tea","seq":1,"from":"Ann","person":"-9","text":"hi",\
        "at":"2027-01-15T08:00:00.000Z","key":"k\\"1"}
        {"end":{"messages":2}}

        """)
  }

  @Test(arguments: [1, 7, 65_536])
  func whatIsImportedIsWhatWasExported(pieces: Int) async throws {
    let place = try TemporaryDirectory()
    let odd = [
      "\0", "a\r\nb", "\u{2028}", "\u{10FFFF}", "e\u{301}", String(repeating: "\0", count: 4_096),
    ]
    try await place.withStore { store in
      let keyed = odd.map { draft($0, as: "Ännchen", key: $0.count < 9 ? $0 : nil) }
      _ = try await store.append(keyed)
      _ = try await store.append(drafts(1...1_200, in: tea) + drafts(1...3, in: room("gone")))
    }
    try await place.withStore { store in
      _ = try await store.expire(Retention(messagesPerRoomMax: 1_000))
    }
    try place.alter(
      "DELETE FROM messages WHERE id >> 40 = 3; UPDATE rooms SET kept = 0 WHERE id = 3")
    let lines = try export(place)
    let copy = try TemporaryDirectory()
    let result = try take(lines, into: copy, pieces: pieces)
    #expect(result.added == 1_006 && result.known == 0)
    #expect(try export(copy) == lines)
    #expect(try copy.problems() == [])
    // Numbers go on, keys are known, what is gone is a gap there, too.
    try await copy.withStore { store in
      let kept = try await store.append([
        draft("x", in: room("gone")), draft("y", in: tea),
        draft(odd[2], as: "Ännchen", key: odd[2]),
      ])
      #expect(kept.map(\.seq) == [4, 1_201, 3])
      let page = try await store.page(of: tea, .after(0), .everything, limit: 1)
      #expect(page.seqs == [201] && page.gap == 1...200)
    }
  }

  @Test func theSameExportASecondTimeAddsNothing() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...30) + [draft("k", key: "k")])
    }
    let lines = try export(place)
    let again = try take(lines, into: place)
    #expect(again.added == 0 && again.known == 31)
    #expect(try export(place) == lines)
    // Half of it is there already.
    let copy = try TemporaryDirectory()
    let half = lines.split(separator: "\n").prefix(16).joined(separator: "\n")
    #expect(try take("\(half)\n\(end(15))", into: copy).added == 15)
    let rest = try take(lines, into: copy)
    #expect(rest.added == 16 && rest.known == 15)
    #expect(try export(copy) == lines)
    #expect(try copy.problems() == [])
  }

  @Test func oneRoomAlone() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append([draft("a"), draft("b", in: tea)])
    }
    let lines = try export(place, room: tea)
    #expect(lines.split(separator: "\n").count == 3 && !lines.contains("lobby"))
    #expect {
      try HistoryExport(place.data, room: room("no"))
    } throws: { "\($0)".hasPrefix("there is no room 'no' in") }
  }

  @Test func whatIsKeptDuringAnExportIsNotInIt() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...1_000))
      let export = try HistoryExport(place.data)
      var lines = 0
      while let bytes = try export.next() {
        lines += bytes.count { $0 == 0x0A }
        _ = try await store.append(drafts(1...300) + drafts(1...300, in: tea))
      }
      #expect(lines == 1_002 && export.given == 1_000 && export.messages == 1_000)
    }
  }

  @Test func blankLinesCarriageReturnsAndAMissingEndAreFine() throws {
    let place = try TemporaryDirectory()
    let result = try take("\n\(header)\r\n\r\n  \n\(line)\n\n\(end(1))", into: place)
    #expect(result.added == 1)
    let lines = try export(place).split(separator: "\n").map(String.init)
    #expect(lines.dropFirst() == [line, end(1)])
  }
}
