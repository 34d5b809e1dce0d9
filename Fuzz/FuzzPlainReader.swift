/// Fuzzes the reader of the plain dialect: bounded work and memory, clean arguments, and in line
/// mode no care for how the bytes were cut.

import Wire

func fuzzPlainReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let name = input.byte().isMultiple(of: 2) ? nil : "Bob"
  if input.byte().isMultiple(of: 2) {
    readInTime(&input, as: name)
  } else {
    compareChops(&input, as: name)
  }
  return 0
}

/// Reads and moments as the input wills.
private func readInTime(_ input: inout FuzzInput, as name: String?) {
  let times = [1, 49, 50, 499, 500, 999, 1_000, 5_000]
  var reader = PlainReader()
  var now = Duration.zero
  while !input.isEmpty {
    let choice = input.byte()
    if choice < 0xC0 {
      // Mostly a few bytes; now and then up to 12 KiB of one byte, which no input could afford.
      let read =
        choice < 0xB0
        ? input.bytes(1 + Int(choice % 0x40))
        : [UInt8](repeating: input.byte(), count: (1 + Int(choice % 0x10)) * 768)
      read.withUnsafeBytes { reader.received($0, at: now) }
      _ = pulled(&reader, as: name, atMost: read.count)
    } else {
      now += .milliseconds(times[Int(choice % 8)])
      let before = reader.bytesHeld
      reader.deadlinePassed(at: now)
      _ = pulled(&reader, as: name, atMost: before)
      if let deadline = reader.deadline {
        precondition(deadline > now, "a passed deadline comes again")
      }
    }
    precondition(reader.bytesHeld <= heldBytesMax, "too much is held")
  }
  reader.ended()
  _ = pulled(&reader, as: name, atMost: reader.bytesHeld)
  precondition(reader.bytesHeld == 0, "something is held past the end")
}

/// Line mode, no timer: only the terminators count.
private func compareChops(_ input: inout FuzzInput, as name: String?) {
  let step = 1 + Int(input.byte())
  let bytes = input.all()
  let whole = heardInLineMode([bytes], as: name)
  var reads: [[UInt8]] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    reads.append(Array(rest.prefix(step)))
    rest = rest.dropFirst(step)
  }
  precondition(heardInLineMode(reads, as: name) == whole, "cutting the bytes changed the commands")
}

private func heardInLineMode(_ reads: [[UInt8]], as name: String?) -> [PlainHeard] {
  var reader = PlainReader()
  let first = Array("msg:x\n".utf8)
  var heard: [PlainHeard] = []
  for read in [first] + reads + [Array("\n".utf8)] {
    read.withUnsafeBytes { reader.received($0, at: .zero) }
    heard += pulled(&reader, as: name, atMost: read.count)
    precondition(reader.deadline == nil, "no timer once a msg was ended")
  }
  return heard
}

/// Everything there is to pull; each value has used up a byte at least, or what was held.
private func pulled(
  _ reader: inout PlainReader, as name: String?, atMost bytes: Int
) -> [PlainHeard] {
  var all: [PlainHeard] = []
  let most = bytes + heldBytesMax
  while let heard = reader.next(as: name) {
    all.append(heard)
    precondition(all.count <= most, "more was heard than was sent")
    if case .command(let command) = heard { check(command) }
  }
  return all
}

private func check(_ command: PlainCommand) {
  // U+FFFD takes three bytes where the wrong byte took one.
  precondition(command.argument.utf8.count <= 3 * PlainReader.argumentBytesMax)
  let scalars = command.argument.unicodeScalars
  for scalar in [scalars.first, scalars.last].compactMap({ $0 }) {
    precondition(!scalar.properties.isWhitespace && scalar.value > 0x20, "not trimmed")
  }
  precondition(!scalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\0" }, "not split")
}

private let heldBytesMax = 4 * PlainReader.argumentBytesMax
