/// The conformance vectors, run over our own reader and writer, and backwards over the client's.

import ChatModel
import Dialects
import Testing

@Suite("Conformance vectors")
struct VectorTests {
  @Test(
    "Bytes in, requests and refusals out", arguments: vectors("requests.json") as [RequestVector])
  func requests(vector: RequestVector) {
    #expect(heard([vector.bytes]).map(HeardForm.init) == vector.heard)
    #expect(heard(vector.bytes.chunked(977)).map(HeardForm.init) == vector.heard)
  }

  @Test("Each method and each event has a vector")
  func complete() {
    let requests: [RequestVector] = vectors("requests.json")
    let lines: [LineVector] = vectors("lines.json")
    let asked = Set(requests.flatMap { $0.heard.compactMap(\.request) })
    #expect(asked == Set(JSONMethod.allCases.map(\.rawValue)))
    let told = Set(lines.compactMap(\.tell.event))
    #expect(told.isSuperset(of: Set(ProtocolPage.page.events.keys).subtracting(["notice"])))
  }

  @Test("Events and answers in, bytes out", arguments: vectors("lines.json") as [LineVector])
  func lines(vector: LineVector) throws {
    var bytes: [UInt8] = []
    if vector.tell.event != nil {
      let isOwn = vector.tell.own ?? false
      Encoder.encode(try vector.tell.theEvent(), for: .json, isOwn: isOwn, into: &bytes)
    } else {
      Encoder.encode(
        try vector.tell.theAnswer(), to: vector.tell.id?.id, for: .json, into: &bytes)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == vector.out)
  }

  @Test(
    "The client hears in those bytes what was told",
    arguments: vectors("lines.json") as [LineVector])
  func backwards(vector: LineVector) throws {
    var codec = JSONClientCodec()
    var sent: [UInt8] = []
    if vector.tell.answer != nil, let id = vector.tell.id?.id {
      codec.encode(try vector.tell.request(), id: id, into: &sent)
    }
    Array(vector.out.utf8).withUnsafeBytes { codec.received($0) }
    var heard: [JSONClientCodec.Heard] = []
    while let next = codec.next() { heard.append(next) }
    #expect(heard == (try expected(vector)))
  }

  private func expected(_ vector: LineVector) throws -> [JSONClientCodec.Heard] {
    let tell = vector.tell
    if tell.answer == "refused" {
      guard case .refused(let refusal) = try tell.theAnswer() else { return [] }
      let words = try #require(vector.out.firstMatch(of: /"message":"((?:[^"\\]|\\")*)"/)?.1)
      return [
        .refused(
          JSONRefusal(
            code: JSONErrorCode(refusal).rawValue,
            message: String(words).replacing("\\\"", with: "\""),
            retryAfter: tell.refusal?.rateLimitedMs.map { .milliseconds($0) }), tell.id?.id)
      ]
    }
    if tell.answer != nil {
      guard let id = tell.id?.id else { return [] }
      return [.answer(try tell.theAnswer(JSONClientCodec.nobody), id)]
    }
    switch try tell.theEvent(JSONClientCodec.nobody) {
    case .membersChanged(let room, let joined, let left, let members):
      let came = Event.membersChanged(room, joined: joined, left: 0, members: members)
      let went = Event.membersChanged(room, joined: 0, left: left, members: members)
      return (joined > 0 ? [.event(came)] : []) + (left > 0 ? [.event(went)] : [])
    case .message(var message, in: let place):
      if tell.own != true { message.draft.key = nil }
      return [.event(.message(message, in: place))]
    case .closing(_, let retryAfter):
      let words = try #require(vector.out.firstMatch(of: /"message":"([^"]*)"/)?.1)
      return [
        .closing(
          reason: try #require(tell.reason), message: String(words), retryAfter: retryAfter)
      ]
    case let event: return [.event(event)]
    }
  }
}

extension [UInt8] {
  /// In reads of so many bytes.
  func chunked(_ size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
