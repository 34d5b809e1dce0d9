/// Changes in exports: out, in, and what contradicts itself.

import ChatModel
import Testing

@testable import Stores

@Suite struct ChangeArchiveTests {
  private static let header = #"{"beck":"history","version":2}"#

  /// `more` stands between the person and the time.
  private static func line(_ seq: Int, _ more: String, at: String = "02:10:00") -> String {
    #"{"room":"tea","seq":\#(seq),"from":"ann","person":"1",\#(more),"at":"2026-11-30T\#(at).000Z""#
  }

  private static func end(_ messages: Int) -> String { #"{"end":{"messages":\#(messages)}}"# }

  private func filled() async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    let clock = HandClock()
    try await place.withStore(clock: clock) { store in
      _ = try await store.append(
        [draft("a", in: tea, key: "k"), draft("b", in: tea, replyTo: 1), topic("t", in: tea)])
      clock.advance(hours: 1)
      _ = try await store.append([
        edit(1, "x", in: tea), edit(1, "\"A\"", in: tea), deletion(2, in: tea),
        topic(nil, in: tea, by: bob),
      ])
      let talk = RoomName.conversation(of: ann, and: bob)
      _ = try await store.append([draft("hi", in: talk), edit(1, "ho", in: talk)])
    }
    return place
  }

  @Test func aChangedMessageHasItsPresentTextAndAChangeALineOfItsOwn() async throws {
    let place = try await filled()
    let lines = try place.exported().split(separator: "\n").map(String.init)
    let (early, late) = (#""at":"2027-01-15T08:00:00.000Z""#, #""at":"2027-01-15T09:00:00.000Z""#)
    let who = #""from":"ann","person":"1""#
    #expect(lines[0].hasSuffix(#""rooms":[{"room":"@1.2","seq":2},{"room":"tea","seq":7}]}"#))
    let edited = #""edited":"2027-01-15T09:00:00.000Z""#
    let history: [String] = [
      #"{"room":"tea","seq":1,\#(who),"text":"\"A\"",\#(early),\#(edited),"key":"k"}"#,
      #"{"room":"tea","seq":2,\#(who),"deleted":true,\#(early),"replyTo":1}"#,
      #"{"room":"tea","seq":3,\#(who),"topic":"t",\#(early)}"#,
      #"{"room":"tea","seq":5,\#(who),"of":1,"text":"\"A\"",\#(late)}"#,
      #"{"room":"tea","seq":6,\#(who),"of":2,"deleted":true,\#(late)}"#,
      #"{"room":"tea","seq":7,"from":"ann","person":"2","topic":"",\#(late)}"#,
    ]
    #expect(Array(lines[3...].dropLast()) == history)
    #expect(lines.last == Self.end(8))
  }

  @Test func whatIsImportedIsTheSameHistoryAndGoesOn() async throws {
    let place = try await filled()
    let lines = try place.exported()
    let copy = try TemporaryDirectory()
    #expect(try copy.take(lines).added == 8)
    #expect(try copy.exported() == lines)
    let again = try copy.take(lines)
    #expect(again.added == 0 && again.known == 8)
    #expect(try copy.problems() == [])
    // Lines may be in any order, and come in two halves.
    let all = lines.split(separator: "\n").map(String.init)
    let other = try TemporaryDirectory()
    let (halves, head) = (all[1...8], [Self.header])
    _ = try other.take((head + halves.reversed().prefix(4) + [Self.end(4)]).joined(separator: "\n"))
    _ = try other.take(lines.replacing(all[0], with: Self.header))
    #expect(try other.exported().contains(all[4]))
    try await copy.withStore { store in
      let kept = try await store.append([edit(1, "z", in: tea), draft("a", in: tea, key: "k")])
      #expect(kept.map(\.seq) == [8, 1])
      let page = try await store.page(of: tea, .after(0), .everything, limit: 9)
      #expect(page.seqs == [1, 2, 3, 6, 7, 8] && page.texts[0] == "z")
    }
    #expect(try copy.problems() == [])
  }

  @Test func whatAnEditLeavesBehindWhileAnExportRunsIsNotInIt() async throws {
    let place = try TemporaryDirectory()
    try await place.withStore { store in
      _ = try await store.append(drafts(1...1_200) + [edit(1, "A"), edit(1_200, "B")])
      let export = try HistoryExport(place.data)
      var bytes: [UInt8] = []
      while let some = try export.next() {
        bytes += some
        _ = try await store.append([edit(1, "C"), edit(1_200, "D"), deletion(600), draft("x")])
        _ = try await store.expire(Retention(messagesPerRoomMax: 1_100))
      }
      #expect(export.losses.isEmpty && export.given == 1_202)
      let copy = try TemporaryDirectory()
      #expect(try copy.take(String(decoding: bytes, as: UTF8.self)).added == 1_202)
      #expect(try copy.problems() == [])
    }
  }

  /// Lines of one import, the number of the line that is wrong, and the words.
  private static let refusals: [([String], Int, String)] = [
    (
      [line(1, #""text":"a""#) + "}", line(2, #""of":1,"text":"b""#) + "}"], 3,
      "change 2 of room 'tea' is not what became of its message"
    ),
    (
      [line(1, #""text":"a""#) + "}", line(2, #""of":1,"deleted":true"#) + "}"], 3,
      "change 2 of room 'tea' is not what became of its message"
    ),
    (
      [
        line(1, #""text":"b""#) + #","edited":"2026-11-30T02:11:00Z"}"#,
        line(2, #""of":1,"text":"b""#) + "}",
      ], 3, "change 2 of room 'tea' is not what became of its message"
    ),
    (
      [line(1, #""deleted":true"#) + "}", line(2, #""of":1,"text":"b""#) + "}"], 3,
      "change 2 of room 'tea' is not what became of its message"
    ),
    (
      [
        line(1, #""deleted":true"#) + "}", line(2, #""of":1,"deleted":true"#) + "}",
        line(3, #""of":1,"deleted":true"#) + "}",
      ], 4, "change 3 of room 'tea' is not what became of its message"
    ),
    (
      [line(1, #""topic":"a""#) + "}", line(2, #""of":1,"deleted":true"#) + "}"], 3,
      "change 2 of room 'tea' is not what became of its message"
    ),
    ([line(2, #""of":2,"text":"b""#) + "}"], 2, "'of' has to be a number below that of the change"),
    ([line(2, #""of":0,"text":"b""#) + "}"], 2, "'of' has to be a number below that of the change"),
    ([line(2, #""of":"1","text":"b""#) + "}"], 2, "'of' is no whole number"),
    ([line(2, #""of":1,"text":"""#) + "}"], 2, "'text' has to have 1 to"),
    ([line(2, #""of":1,"topic":"b""#) + "}"], 2, "a topic is no change of a message"),
    ([line(2, #""topic":7"#) + "}"], 2, "'topic' is no string"),
    (
      [line(2, #""topic":"\#(String(repeating: "x", count: 257))""#) + "}"], 2,
      "'topic' has to have at most 256 bytes"
    ),
    ([line(2, #""deleted":false"#) + "}"], 2, "'deleted' has to be true"),
    ([line(2, #""deleted":true,"text":"b""#) + "}"], 2, "'deleted' has to be true"),
    (
      [line(2, #""of":1,"text":"b""#) + #","edited":"2026-11-30T02:11:00Z"}"#], 2,
      "'edited' is of messages with a text"
    ),
    ([line(1, #""text":"b""#) + #","edited":"now"}"#], 2, "'edited' has to be a time"),
  ]

  @Test(arguments: refusals.indices)
  func whatContradictsIsNamedAndNothingIsTaken(index: Int) throws {
    let (lines, number, words) = Self.refusals[index]
    let place = try TemporaryDirectory()
    let text = ([Self.header] + lines + [Self.end(lines.count)]).joined(separator: "\n")
    #expect {
      try place.take(text)
    } throws: { "\($0)".hasPrefix("line \(number): \(words)") }
    #expect(throws: StoreError.self) { try HistoryExport(place.data) }
  }

  @Test func aMessageThatWasChangedHereSinceIsAnotherOne() async throws {
    let place = try await filled()
    let lines = try place.exported()
    try await place.withStore { store in _ = try await store.append([edit(1, "y", in: tea)]) }
    #expect {
      try place.take(lines)
    } throws: { "\($0)".contains("message 1 of room 'tea' is another one here") }
  }

  @Test func changesOfWhatRetentionRemovedAreTaken() async throws {
    let place = try await filled()
    try await place.withStore { store in
      _ = try await store.expire(Retention(messagesPerRoomMax: 2))
    }
    let lines = try place.exported(room: tea)
    #expect(lines.contains(#""of":2,"deleted":true"#))
    let copy = try TemporaryDirectory()
    #expect(try copy.take(lines).added == 2)
    #expect(try copy.exported(room: tea) == lines)
    #expect(try copy.problems() == [])
  }
}
