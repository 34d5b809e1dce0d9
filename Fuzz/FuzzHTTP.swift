/// Fuzzes the reader of HTTP: no care for how the bytes were cut, bounded memory, and nothing in a
/// request that the grammar forbids.

import Wire

func fuzzHTTP(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let step = 1 + Int(input.byte())
  // Small limits, so that their edges are met.
  let limits = Limits(headBytesMax: 64 << Int(input.byte() % 4), bodyBytesMax: Int(input.byte()))
  let bytes = input.all()
  let whole = heard([bytes], limits)
  precondition(heard(bytes.map { [$0] }, limits) == whole, "byte by byte it is otherwise")
  let reads = stride(from: 0, to: bytes.count, by: step).map {
    Array(bytes[$0..<min($0 + step, bytes.count)])
  }
  precondition(heard(reads, limits) == whole, "cutting the bytes changed the requests")
  for next in whole {
    if case .request(let request) = next { check(request, limits) }
  }
  return 0
}

private struct Limits {
  var headBytesMax: Int
  var bodyBytesMax: Int
}

private func heard(_ reads: [[UInt8]], _ limits: Limits) -> [HTTPHeard] {
  var reader = HTTPRequestReader(
    headBytesMax: limits.headBytesMax, bodyBytesMax: limits.bodyBytesMax)
  var all: [HTTPHeard] = []
  for read in reads {
    read.withUnsafeBytes { reader.received($0) }
    while let next = reader.next() {
      if case .refused? = all.last { preconditionFailure("something behind a refusal") }
      all.append(next)
    }
    precondition(
      reader.bytesHeld <= limits.headBytesMax + limits.bodyBytesMax, "too much is held")
    // Of an empty line the LF may be still to come.
    precondition(reader.isInsideRequest || reader.bytesHeld <= 1, "idle, and something is held")
    precondition(!reader.isInsideRequest || reader.bytesHeld > 0, "of a request there is nothing")
  }
  if case .refused? = all.last { precondition(reader.bytesHeld == 0, "held behind a refusal") }
  let rest = reader.takeRest()
  precondition(rest.count <= limits.headBytesMax + limits.bodyBytesMax)
  precondition(reader.bytesHeld == 0 && reader.next() == nil, "the rest was taken")
  return all
}

private func check(_ request: HTTPRequest, _ limits: Limits) {
  precondition(!request.method.isEmpty && request.method != "CONNECT")
  let target = request.target.utf8
  precondition(target.first == UInt8(ascii: "/") || request.target == "*", "no target")
  precondition(target.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
  precondition((0...1).contains(request.minorVersion))
  let hosts = request.fields.all("host")
  precondition(hosts.count == 1 || (hosts.isEmpty && request.minorVersion == 0), "hosts")
  precondition(!request.fields.has("transfer-encoding", token: "chunked"), "chunks")
  let lengths = request.fields.all("content-length")
  precondition(lengths.count <= 1, "two lengths")
  precondition(lengths.first.map { Int($0) } ?? 0 == request.body.count, "another length")
  precondition(request.body.count <= limits.bodyBytesMax)
  for name in ["host", "connection", "a", "upgrade"] {
    for value in request.fields.all(name) {
      precondition(!value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" }, "a control")
      precondition(value.utf8.first != 0x20 && value.utf8.last != 0x20, "not trimmed")
    }
    precondition(request.fields.first(name) == request.fields.all(name).first)
  }
}
