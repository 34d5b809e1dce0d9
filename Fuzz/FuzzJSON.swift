/// Fuzzes JSON lines on both sides: no care for how the bytes were cut, bounded memory, and what is
/// read comes back as it was when it is written and read again.

import ChatModel
import Dialects
import Wire

func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  switch input.byte() % 3 {
  case 0: fuzzServer(&input)
  case 1: fuzzClient(&input)
  case _: fuzzStrings(input.all())
  }
  return 0
}

private func fuzzServer(_ input: inout FuzzInput) {
  let step = 1 + Int(input.byte())
  // The detector wants its byte.
  let bytes = [UInt8(ascii: "{")] + input.all()
  let whole = heard([bytes])
  precondition(heard(reads(of: bytes, step)) == whole, "cutting the bytes changed the requests")
  for next in whole {
    switch next {
    case .request(let request, let id): checkRequest(request, id)
    case .answer(let answer, let id):
      checkLine { Encoder.encode(answer, to: id, for: .json, into: &$0) }
    case .tooManyMistakes(let limit): precondition(limit == 10, "ten are too many")
    case .help, .farewell, .close, .write, .web:
      preconditionFailure("JSON lines hear no such thing")
    }
  }
}

private func reads(of bytes: [UInt8], _ step: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<min($0 + step, bytes.count)]) }
}

private func heard(_ reads: [[UInt8]]) -> [Heard] {
  var dialect = Dialect()
  var all: [Heard] = []
  for read in reads {
    read.withUnsafeBytes { dialect.received($0, at: .zero) }
    while let next = dialect.next() { all.append(next) }
    precondition(dialect.bytesHeld <= JSONLimits.lineBytesMax, "too much is held")
  }
  dialect.ended()
  while let next = dialect.next() { all.append(next) }
  precondition(dialect.bytesHeld == 0, "something is held past the end")
  precondition(all.filter { $0.isMistake }.count <= 10, "more than ten mistakes")
  return all
}

/// As a client of ours would have asked it, it is heard the same.
private func checkRequest(_ request: Request, _ id: RequestID?) {
  var codec = JSONClientCodec()
  var bytes: [UInt8] = []
  codec.encode(request, id: id ?? .number("0"), into: &bytes)
  precondition(heard([bytes]) == [.request(request, id ?? .number("0"))], "asked otherwise")
  guard case .send(let place?, let text, let key, let replyTo) = request,
    let name = try? UserName("ann")
  else { return }
  let draft = Draft(
    room: .lobby, person: JSONClientCodec.nobody, from: name, text: text, key: key,
    replyTo: replyTo)
  let told = Event.message(
    Message(draft, seq: 44, at: Moment(milliseconds: 123)), in: place)
  checkLine { Encoder.encode(told, for: .json, isOwn: true, into: &$0) }
}

/// One line that can be shown, and that the client's side understands.
private func checkLine(_ encode: (inout [UInt8]) -> Void) {
  var bytes: [UInt8] = []
  encode(&bytes)
  guard !bytes.isEmpty else { return }
  precondition(bytes.last == 0x0A && !bytes.dropLast().contains { $0 < 0x20 || $0 == 0x7F })
  var codec = JSONClientCodec()
  bytes.withUnsafeBytes { codec.received($0) }
  guard let heard = codec.next() else { preconditionFailure("it was not heard") }
  if case .malformed(let reason) = heard { preconditionFailure(reason) }
}

/// Whatever a server says, it is understood or malformed, and understood the same when it is said
/// again.
private func fuzzClient(_ input: inout FuzzInput) {
  let step = 1 + Int(input.byte())
  let bytes = input.all()
  let whole = told([bytes])
  precondition(told(reads(of: bytes, step)) == whole, "cutting the bytes changed the events")
  for next in whole {
    guard case .event(let event) = next else { continue }
    var again: [UInt8] = []
    Encoder.encode(event, for: .json, isOwn: true, into: &again)
    // A count of nobody is told to nobody.
    if again.isEmpty { continue }
    // What is less than a millisecond or beyond the year 9999 was dropped at the first time.
    precondition(told([again]) == [next], "told otherwise")
  }
}

private func told(_ reads: [[UInt8]]) -> [JSONClientCodec.Heard] {
  var codec = JSONClientCodec()
  var asked: [UInt8] = []
  let lobby = Place.room(.lobby)
  let requests: [Request] = [
    .join(lobby, .now, code: nil), .leave(.lobby), .history(lobby, .before(nil), limit: 1), .rooms,
    .who(.lobby), .ping(""), .resume(token: "t", .manyRooms), .logOut, .search(Search("x")),
    .delete(lobby, of: 1), .invite(.lobby, uses: nil, seconds: nil), .archive(.lobby),
  ]
  for (number, request) in requests.enumerated() {
    codec.encode(request, id: .number("\(number)"), into: &asked)
  }
  var all: [JSONClientCodec.Heard] = []
  for read in reads {
    read.withUnsafeBytes { codec.received($0) }
    while let next = codec.next() { all.append(next) }
  }
  codec.ended()
  while let next = codec.next() { all.append(next) }
  return all
}

/// A string comes back, whatever is in it; and what is read as one JSON text is no other.
private func fuzzStrings(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  var quoted: [UInt8] = []
  quoted.append(quoted: text)
  guard let document = try? JSONDocument(quoted[...]),
    let back = document.string(document.root), back.utf8.elementsEqual(text.utf8)
  else { preconditionFailure("a string came back otherwise") }
  guard let read = try? JSONDocument(bytes[...]), let string = read.string(read.root) else {
    return
  }
  quoted = []
  quoted.append(quoted: string)
  precondition((try? JSONDocument(quoted[...])) != nil, "a string that was read cannot be written")
}

extension Heard {
  /// Of those that may be told a line of JSON: without an id none of them is a request's.
  fileprivate var isMistake: Bool {
    switch self {
    case .answer(.refused(.tooLong(limit: JSONLimits.lineBytesMax)), nil): true
    case .answer, .request, .help, .tooManyMistakes, .farewell, .close, .write, .web: false
    }
  }
}
