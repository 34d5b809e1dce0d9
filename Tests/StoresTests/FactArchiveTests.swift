/// Facts in an export of a whole history: out, in, and refusals that name the line.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct FactArchiveTests {
  private let hash = PasswordHash("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA")

  private func account(_ name: String, _ role: Role = .member) throws -> Account {
    Account(name: try UserName(name), password: try #require(hash), role: role)
  }

  private func export(_ place: TemporaryDirectory, room: RoomName? = nil) throws -> String {
    let export = try HistoryExport(place.data, room: room, now: { Moment(milliseconds: 0) })
    var bytes: [UInt8] = []
    while let some = try export.next() { bytes += some }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func take(_ text: String, into place: TemporaryDirectory) throws -> HistoryImport {
    var rest: [UInt8]? = Array(text.utf8)
    return try HistoryImport.run(
      into: place.data,
      read: {
        defer { rest = nil }
        return rest
      })
  }

  private func filled() async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    let facts: [Fact] = [
      .account(bob, try account("Bob", .owner)), .account(ann, try account("ann")),
      .epoch(PersonID(rawValue: -9), 2),
    ]
    try await place.withStore { store in
      _ = try await store.append([.facts(facts), .message(draft("hi"))])
    }
    return place
  }

  @Test func factsStandBehindTheHeaderOfTheWholeAndNotInARoomAlone() async throws {
    let place = try await filled()
    let lines = try export(place).split(separator: "\n").map(String.init)
    let password = #""password":"$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA""#
    let facts: [String] = [
      #"{"fact":"account","key":"1","value":{"name":"ann",\#(password),"role":"member"}}"#,
      #"{"fact":"account","key":"2","value":{"name":"Bob",\#(password),"role":"owner"}}"#,
      #"{"fact":"epoch","key":"-9","value":2}"#,
    ]
    #expect(Array(lines.dropFirst().prefix(3)) == facts)
    #expect(!(try export(place, room: lobby)).contains("fact"))
  }

  @Test func whatIsImportedIsWhatWasExportedAndOnceOnly() async throws {
    let place = try await filled()
    let lines = try export(place)
    let copy = try TemporaryDirectory()
    let first = try take(lines, into: copy)
    #expect(first.added == 1 && first.facts == 3)
    #expect(try export(copy) == lines)
    let again = try take(lines, into: copy)
    #expect(again.added == 0 && again.facts == 0)
    #expect(try copy.problems() == [])
  }

  @Test(arguments: [
    (#"{"fact":"king","key":"1","value":1}"#, "there is no kind of fact 'king'"),
    (#"{"fact":"epoch","value":1}"#, "'key' is missing"),
    (#"{"fact":"epoch","key":"9"}"#, "'value' is missing"),
    (#"{"fact":"epoch","key":"9","value":0}"#, "it is no number above 0"),
    (#"{"fact":"epoch","key":"-9","value":3}"#, "epoch '-9' is another one here"),
    (
      #"{"fact":"account","key":"3","value":{"name":"ANN","password":"$a","role":"member"}}"#,
      "another account has the name 'ANN' here"
    ),
    (
      #"{"fact":"account","key":"1","value":{"name":"ann","password":"$a","role":"member"}}"#,
      "account '1' is another one here"
    ),
  ])
  func aFactThatIsWrongOrContradictsIsNamedAndNothingIsTaken(line: String, words: String)
    async throws
  {
    let place = try await filled()
    let before = try export(place)
    let text =
      "{\"beck\":\"history\",\"version\":1}\n{\"fact\":\"epoch\",\"key\":\"77\",\"value\":1}\n"
    #expect {
      try take(text + line, into: place)
    } throws: { "\($0)".hasPrefix("line 3: \(words)") }
    #expect(try export(place) == before)
  }
}
