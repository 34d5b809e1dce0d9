/// What a dialect takes to read a request and to write a line, in nanoseconds: the best of many
/// short rounds, as the machine is shared. Opens no socket.

import ChatModel
import Dialects

private func measure(_ title: String, bytes: Int, _ body: () -> Int) {
  let repeats = 100_000 / (bytes + 100)
  let clock = ContinuousClock()
  var best = Duration.seconds(1_000)
  var sum = 0
  for _ in 0..<500 {
    let took = clock.measure { for _ in 0..<repeats { sum &+= body() } }
    best = min(best, took)
  }
  precondition(sum != 0, "something was done")
  print("\(title), \(bytes) bytes: \(Int(best / .nanoseconds(1)) / repeats) ns")
}

private func read(_ title: String, _ line: String) {
  let bytes = Array(line.utf8)
  // Plain is told so by a first line.
  var dialect = Dialect()
  if line.first != "{" { Array("who:\n".utf8).withUnsafeBytes { dialect.received($0, at: .zero) } }
  while dialect.next() != nil {}
  measure("read  \(title)", bytes: bytes.count) {
    bytes.withUnsafeBytes { dialect.received($0, at: .zero) }
    var requests = 0
    while let heard = dialect.next() {
      guard case .request = heard else { preconditionFailure("\(title) is a request") }
      requests += 1
    }
    return requests
  }
}

private func write(_ title: String, _ form: Form, _ text: String) throws {
  guard let text = MessageText(text) else { preconditionFailure("a text has 1 to 4,096 bytes") }
  let draft = Draft(
    room: .lobby, person: PersonID(rawValue: 7), from: try UserName("ann"), text: text,
    key: MessageKey("k-17"))
  let event = Event.message(
    Message(draft, seq: 42_000, at: Moment(milliseconds: 1_796_004_600_123)), in: .room(.lobby))
  var out: [UInt8] = []
  Encoder.encode(event, for: form, into: &out)
  measure("write \(title)", bytes: out.count) {
    out.removeAll(keepingCapacity: true)
    Encoder.encode(event, for: form, into: &out)
    return out.count
  }
}

private let short = "hello there, how are you?"
private let foreign =
  "Gr\u{FC}\u{DF}e aus M\u{FC}nchen, \u{44D}\u{442}\u{43E} \u{442}\u{435}\u{441}\u{442}"
private let long = String(repeating: "a word or two ", count: 285)
private let send = { (text: String) in
  #"{"id":3,"send":{"room":"lobby","text":"\#(text)","key":"k-17"}}"# + "\n"
}

read("JSON, send", send(short))
read("JSON, send, not English", send(foreign))
read("JSON, send, with escapes", send(#"a line\nand \"another\" \u00e9"#))
read("JSON, send, long", send(long))
read("plain, msg", "msg:\(short)\n")
read("plain, msg, long", "msg:\(long)\n")
for (title, form) in [("JSON", Form.json), ("plain", .line)] {
  try write("\(title), message", form, short)
  try write("\(title), message, not English", form, foreign)
  try write("\(title), message, long", form, long)
}
