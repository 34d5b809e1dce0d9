/// The fuzzer's bytes as decisions and reads. Makes no decision of its own.

/// Consumes an input from the front.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    rest = ArraySlice(UnsafeBufferPointer(start: start, count: count))
  }

  var isEmpty: Bool { rest.isEmpty }

  /// A decision; 0 when the input is used up.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// At most `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  /// Everything left.
  mutating func all() -> [UInt8] { bytes(rest.count) }
}
