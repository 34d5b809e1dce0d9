/// Imports that are refused: the line is named, and nothing of the whole is taken.

import ChatModel
import Foundation
import Testing

@testable import Stores

@Suite struct ImportRefusalTests {
  private static let header = #"{"beck":"history","version":1,"rooms":[{"room":"tea","seq":9}]}"#

  /// A message with one field in another way; nil leaves it out.
  private static func line(_ field: String = "", _ value: String? = nil) -> String {
    let fields = [
      ("room", #""tea""#), ("seq", "2"), ("from", #""ann""#), ("person", #""7""#),
      ("text", #""hi""#), ("at", #""2026-11-30T02:10:00.123Z""#),
    ]
    var pairs = fields.compactMap { name, usual in
      name == field ? value.map { #""\#(name)":\#($0)"# } : #""\#(name)":\#(usual)"#
    }
    if let value, !fields.contains(where: { $0.0 == field }) {
      pairs.append(#""\#(field)":\#(value)"#)
    }
    return "{\(pairs.joined(separator: ","))}"
  }

  private static func end(_ messages: Int) -> String {
    #"{"end":{"messages":\#(messages)}}"#
  }

  private static let beginnings: [(String, String)] = [
    ("", "line 1: there is nothing in it"), ("\n\n", "line 1: there is nothing in it"),
    ("hello", "line 1: this is no JSON (byte 1 does not belong there)"),
    ("\n{}", "line 2: this is no export of beck's"), ("[1]", "line 1: this is no JSON object"),
    (line(), "line 1: this is no export of beck's"),
    (#"{"beck":"serve","version":1}"#, "line 1: this is no export of beck's"),
    (#"{"beck":"history"}"#, "line 1: this is no export of beck's"),
    (#"{"beck":"history","version":3}"#, "line 1: a newer beck made this (version 3"),
    (#"{"beck":"history","version":0}"#, "line 1: there is no version 0"),
    (
      #"{"beck":"history","version":1,"rooms":[{"room":"no way","seq":1}]}"#,
      "line 1: 'room' cannot be a room's name"
    ),
    (#"{"beck":"history","version":1,"rooms":[{"room":"a","seq":-1}]}"#, "line 1: 'seq' has to be"),
    (#"{"beck":"history","version":1,"rooms":[7]}"#, "line 1: 'room' cannot be"),
    (#"{"beck":"history","version":1,"rooms":{"a":1}}"#, "line 1: 'rooms' is no array"),
    (#"{"beck":"history","version":1,"rooms":null}"#, "line 1: 'rooms' is no array"),
    // With this one it could keep nothing more.
    (
      #"{"beck":"history","version":1,"rooms":[{"room":"a","seq":1099511627775}]}"#,
      "line 1: 'seq' has to be a whole number from 0 to 1099511627774"
    ),
    ("SQLite format 3\0\u{10}", "line 1: this is a database and no export; "),
    (header, "line 2: the export is cut short: its last line is missing"),
    ("\(header)\n\n", "line 2: the export is cut short: its last line is missing"),
    ("\(header)\n\(line())", "line 3: the export is cut short: its last line is missing"),
    (
      "\(header)\n\(line())\n\(end(2))",
      "line 3: the export had 2 messages, and here are 1"
    ),
    ("\(header)\n\(end(0))\n\(line())", "line 3: this stands behind the end of the export"),
    ("\(header)\n\(end(0))\n\(end(0))", "line 3: this stands behind the end of the export"),
    ("\(header)\n{\"end\":{}}", "line 2: 'end' has to have 'messages', a whole number"),
    ("\(header)\n{\"end\":7}", "line 2: 'end' has to have 'messages', a whole number"),
  ]

  private static let lines: [(String, String)] = [
    (header, "'from' is missing"), ("{", "this is no JSON (it is cut short)"),
    ("7", "this is no JSON object"),
    (line("text", "\"\u{1}\""), "this is no JSON (byte"),
    (line("text", #""\ud800""#), "this is no JSON (half a surrogate pair at byte"),
    (line("text", "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]"), "this is no JSON (more than 16 levels)"),
    (line("seq2", #"1,"seq2":1"#), "this is no JSON (the same key twice in one object)"),
    (line("room"), "'room' cannot be"), (line("room", #""two words""#), "'room' cannot be"),
    (line("room", "7"), "'room' is no string"), (line("room", #""""#), "'room' cannot be"),
    (line("seq"), "'seq' has to be"), (line("seq", "0"), "'seq' has to be"),
    (line("seq", "-1"), "'seq' has to be"), (line("seq", "1.0"), "'seq' has to be"),
    (line("seq", #""2""#), "'seq' has to be"), (line("seq", "1099511627776"), "'seq' has to be"),
    (line("seq", "1099511627775"), "'seq' has to be"),
    (line("seq", "9223372036854775808"), "'seq' has to be"),
    (line("from"), "'from' is missing"), (line("from", "null"), "'from' is no string"),
    (line("from", #""""#), "'from' cannot be a name"),
    (line("from", #""a:b""#), "'from' cannot be a name"),
    (line("person"), "'person' has to be"), (line("person", "7"), "'person' is no string"),
    (line("person", #""0""#), "'person' has to be"),
    (line("person", #""x""#), "'person' has to be"),
    (line("person", #""9223372036854775808""#), "'person' has to be"),
    (line("text"), "'text' has to have"), (line("text", #""""#), "'text' has to have"),
    (line("text", "true"), "'text' is no string"),
    (line("text", "\"\(String(repeating: "x", count: 4_097))\""), "'text' has to have"),
    (line("at"), "'at' has to be"), (line("at", #""yesterday""#), "'at' has to be"),
    (line("at", #""2026-02-30T00:00:00Z""#), "'at' has to be"),
    (line("at", #""2026-11-30T02:10:00+01:00""#), "'at' has to be"),
    (line("at", "5"), "'at' is no string"), (line("key", #""""#), "'key' has to have"),
    (line("key", "\"\(String(repeating: "x", count: 65))\""), "'key' has to have"),
    (line("key", "1"), "'key' is no string"), (line("replyTo", "1.5"), "'replyTo' is no whole"),
    (line("replyTo", "null"), "'replyTo' is no whole"),
    (line("seq", "1"), "message 1 of room 'tea' is another one here"),
    (line("key", #""k""#), "another message has the person's key of message 2 of room 'tea'"),
  ]

  private func refusal(_ text: String, _ place: TemporaryDirectory) -> String {
    var bytes: [UInt8]? = Array(text.utf8)
    do {
      _ = try HistoryImport.run(
        into: place.data,
        read: {
          defer { bytes = nil }
          return bytes
        })
      return "imported"
    } catch {
      return error.sentence
    }
  }

  @Test func aBeginningOrAnEndThatIsWrongIsRefusedAndLeavesNothing() throws {
    let place = try TemporaryDirectory()
    let files = FileManager.default
    for (text, words) in Self.beginnings {
      let sentence = refusal(text, place)
      #expect(sentence.hasPrefix(words), "\(text): \(sentence)")
      #expect(sentence.hasSuffix("; nothing was imported"), "\(text): \(sentence)")
      #expect(try files.contentsOfDirectory(atPath: place.path) == [], "\(text)")
    }
    // What was there stays, and nothing comes to it.
    try files.createDirectory(atPath: place.data.path, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.data.path + "/mine"))
    _ = refusal("hello", place)
    #expect(try files.contentsOfDirectory(atPath: place.data.path) == ["mine"])
  }

  @Test func aLineThatIsWrongIsNamedAndNothingOfTheWholeIsTaken() async throws {
    let place = try TemporaryDirectory()
    let me = PersonID(rawValue: 7)
    try await place.withStore { store in
      _ = try await store.append([draft("first", in: tea, by: me, key: "k")])
    }
    let good = Self.line("room", #""new""#)
    for (line, words) in Self.lines {
      let sentence = refusal("\(Self.header)\n\(good)\n\n\(line)\n\(good)", place)
      #expect(sentence.hasPrefix("line 4: \(words)"), "\(line): \(sentence)")
      #expect(sentence.hasSuffix("; nothing was imported"), "\(line): \(sentence)")
    }
    try await place.withStore { store in
      let rooms = try await store.rooms()
      #expect(rooms == [StoredRoom(name: tea, seq: 1, oldest: 1)])
    }
    #expect(try place.problems() == [])
  }

  @Test func bytesThatAreNoUTF8AreRefusedByTheirPlace() throws {
    let place = try TemporaryDirectory()
    var parts: [[UInt8]] = [Array("\(Self.header)\n{\"room\":\"".utf8), [0xFF], Array("\"}".utf8)]
    #expect {
      try HistoryImport.run(into: place.data, read: { parts.isEmpty ? nil : parts.removeFirst() })
    } throws: { "\($0)".hasPrefix("line 2: this is no JSON (byte 10 is no UTF-8)") }
  }

  @Test func whatReadsTheInputMayFail() throws {
    let place = try TemporaryDirectory()
    var parts: [[UInt8]] = [Array("\(Self.header)\n\(Self.line())\n".utf8)]
    #expect(throws: StoreError.failed("the disk is gone")) {
      try HistoryImport.run(
        into: place.data,
        read: { () throws(StoreError) in
          guard let part = parts.popLast() else { throw .failed("the disk is gone") }
          return part
        })
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
  }
}
