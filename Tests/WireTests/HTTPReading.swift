/// What an HTTP reader hears, in words, however the bytes are cut. Tests nothing itself.

import Testing
import Wire

/// `METHOD TARGET` of a request, with its body behind it if it has one; `continue`; or the status
/// and the name of a problem.
func words(_ heard: HTTPHeard) -> String {
  switch heard {
  case .request(let request):
    ([request.method, request.target]
      + (request.body.isEmpty ? [] : [String(decoding: request.body, as: UTF8.self)]))
      .joined(separator: " ")
  case .expectsContinue: "continue"
  case .refused(let problem): "\(problem.status) \(problem)"
  }
}

/// One with limits that hardly any test meets.
func httpReader(headBytesMax: Int = 16_384, bodyBytesMax: Int = 65_536) -> HTTPRequestReader {
  HTTPRequestReader(headBytesMax: headBytesMax, bodyBytesMax: bodyBytesMax)
}

func httpHeard(
  _ reads: [[UInt8]], headBytesMax: Int = 16_384, bodyBytesMax: Int = 65_536
) -> [HTTPHeard] {
  var reader = httpReader(headBytesMax: headBytesMax, bodyBytesMax: bodyBytesMax)
  var heard: [HTTPHeard] = []
  for read in reads {
    read.withUnsafeBytes { reader.received($0) }
    while let next = reader.next() { heard.append(next) }
  }
  return heard
}

/// The same whole, byte by byte and in every two pieces; what was heard.
@discardableResult
func heardInEveryChop(
  _ bytes: [UInt8], headBytesMax: Int = 16_384, bodyBytesMax: Int = 65_536,
  sourceLocation: SourceLocation = #_sourceLocation
) -> [HTTPHeard] {
  func heard(_ reads: [[UInt8]]) -> [HTTPHeard] {
    httpHeard(reads, headBytesMax: headBytesMax, bodyBytesMax: bodyBytesMax)
  }
  let whole = heard([bytes])
  if heard(bytes.map { [$0] }) != whole {
    Issue.record("byte by byte it is otherwise", sourceLocation: sourceLocation)
  }
  for cut in 0...bytes.count
  where heard([Array(bytes[..<cut]), Array(bytes[cut...])]) != whole {
    Issue.record("cut at \(cut) it is otherwise", sourceLocation: sourceLocation)
  }
  return whole
}

func wordsInEveryChop(
  _ text: String, headBytesMax: Int = 16_384, bodyBytesMax: Int = 65_536,
  sourceLocation: SourceLocation = #_sourceLocation
) -> [String] {
  heardInEveryChop(
    Array(text.utf8), headBytesMax: headBytesMax, bodyBytesMax: bodyBytesMax,
    sourceLocation: sourceLocation
  ).map { words($0) }
}

/// The one request that these bytes are.
func request(_ text: String) throws -> HTTPRequest {
  let heard = heardInEveryChop(Array(text.utf8))
  try #require(heard.count == 1)
  guard case .request(let request) = heard[0] else {
    throw Refused(words: words(heard[0]))
  }
  return request
}

struct Refused: Error { var words: String }
