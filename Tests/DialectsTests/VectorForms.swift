/// The conformance vectors as the tests read them, and our values in their form. The form is
/// described in docs/wire/json.md.

import ChatModel
import Dialects
import Foundation
import Testing

/// Bytes in, what a server hears in them.
struct RequestVector: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var pieces: [Piece]
  var heard: [HeardForm]
  var testDescription: String { name }

  enum CodingKeys: String, CodingKey {
    case name, heard
    case pieces = "in"
  }

  var bytes: [UInt8] { pieces.flatMap { $0.bytes } }
}

/// What a server tells, and the bytes it says it in.
struct LineVector: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var tell: TellForm
  var out: String
  var testDescription: String { name }
}

func vectors<Vector: Decodable>(_ file: String) -> [Vector] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
  do {
    let data = try Data(contentsOf: folder.appending(path: file))
    return try JSONDecoder().decode([Vector].self, from: data)
  } catch {
    preconditionFailure("\(file) is not readable: \(error)")
  }
}

/// A string, bytes in hexadecimal, or one string many times.
struct Piece: Decodable, Sendable {
  var bytes: [UInt8]

  private struct Long: Decodable {
    var hex: String?
    var `repeat`: String?
    var times: Int?
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      bytes = Array(text.utf8)
      return
    }
    let long = try Long(from: decoder)
    if let hex = long.hex {
      bytes = ByteCase.Chunk(after_ms: 0, hex: hex).bytes
    } else {
      bytes = Array(String(repeating: long.repeat ?? "", count: long.times ?? 0).utf8)
    }
  }
}

struct IDForm: Decodable, Equatable, Sendable {
  var number: String?
  var text: String?

  init?(_ id: RequestID?) {
    switch id {
    case .number(let number): self.number = number
    case .text(let text): self.text = text
    case nil: return nil
    }
  }

  var id: RequestID? { number.map { .number($0) } ?? text.map { .text($0) } }
}

/// A text that may come in pieces.
struct TextForm: Decodable, Equatable, Sendable {
  var string: String

  init(_ string: String) { self.string = string }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let string = try? container.decode(String.self) {
      self.string = string
    } else {
      let bytes = try container.decode([Piece].self).flatMap { $0.bytes }
      string = String(decoding: bytes, as: UTF8.self)
    }
  }
}
