/// One JSON text, read strictly and whole, and what stands where in it. Builds no tree of values.

/// What keeps some bytes from being JSON. Places are counted in bytes from 0.
package enum JSONProblem: Error, Hashable, Sendable {
  /// Not the grammar of RFC 8259.
  case syntax(at: Int)
  /// Not UTF-8: also overlong forms, surrogates and what is above U+10FFFF.
  case notUTF8(at: Int)
  /// `\u` escapes that name half of a surrogate pair.
  case loneSurrogate(at: Int)
  /// Objects and arrays inside one another beyond this many.
  case tooDeep(limit: Int)
  /// An object has this key twice.
  case doubledKey(String)
}

extension JSONProblem {
  /// What is wrong with the text, as a clause; of it nothing is repeated.
  package func words(in text: ArraySlice<UInt8>) -> String {
    switch self {
    case .syntax(let place) where place >= text.count: "it is cut short"
    case .syntax(let place): "byte \(place + 1) does not belong there"
    case .notUTF8(let place): "byte \(place + 1) is no UTF-8"
    case .loneSurrogate(let place): "half a surrogate pair at byte \(place + 1)"
    case .tooDeep(let limit): "more than \(limit) levels"
    case .doubledKey: "the same key twice in one object"
    }
  }
}

/// A JSON text as a list of its values, in the order they stand there.
///
/// Values are decoded when they are asked for. Keys are compared as they read, not as they are
/// escaped.
package struct JSONDocument: Sendable {
  /// The most objects and arrays inside one another.
  package static let depthMax = 16

  package enum Kind: UInt8, Sendable { case object, array, string, number, yes, no, null }

  /// A value of the document: its place in the list.
  package struct Value: Hashable, Sendable { let place: Int }

  struct Node {
    var kind: Kind
    /// Of a string.
    var hasEscapes = false
    /// Its bytes; of a string those between the quotes.
    var start: UInt32
    var end: UInt32
    /// The place behind it and all that is inside it.
    var next: UInt32 = 0
  }

  private let text: ArraySlice<UInt8>
  private let nodes: [Node]

  /// At most 4 GiB.
  package init(_ text: ArraySlice<UInt8>) throws(JSONProblem) {
    var scanner = JSONScanner()
    try scanner.scan(text.span)
    self.text = text
    nodes = scanner.nodes
  }

  package var root: Value { Value(place: 0) }

  package func kind(of value: Value) -> Kind { nodes[value.place].kind }

  /// The value of an object's key; nil where it has none, or the value is no object.
  package func member(_ key: String, of object: Value) -> Value? {
    for (name, value) in members(of: object) where reads(name, key) { return value }
    return nil
  }

  /// An object's keys and values; none for anything else.
  package func members(of object: Value) -> Members {
    let node = nodes[object.place]
    let end = node.kind == .object ? Int(node.next) : 0
    return Members(nodes: nodes, place: object.place + 1, end: end)
  }

  package struct Members: Sequence, IteratorProtocol {
    let nodes: [Node]
    var place: Int
    let end: Int

    package mutating func next() -> (key: Value, value: Value)? {
      guard place < end else { return nil }
      let key = place
      place = Int(nodes[key + 1].next)
      return (Value(place: key), Value(place: key + 1))
    }
  }

  /// An array's values; none for anything else.
  package func elements(of array: Value) -> [Value] {
    let node = nodes[array.place]
    guard node.kind == .array else { return [] }
    var elements: [Value] = []
    var place = array.place + 1
    while place < Int(node.next) {
      elements.append(Value(place: place))
      place = Int(nodes[place].next)
    }
    return elements
  }

  /// Does the string read so?
  package func reads(_ string: Value, _ wanted: String) -> Bool {
    let node = nodes[string.place]
    if node.hasEscapes { return decoded(node).elementsEqual(wanted.utf8) }
    let count = Int(node.end - node.start)
    guard count == wanted.utf8.count else { return false }
    let bytes = text.span
    var index = Int(node.start)
    for byte in wanted.utf8 {
      if bytes[index] != byte { return false }
      index += 1
    }
    return true
  }

  /// A string; nil for anything else.
  package func string(_ value: Value) -> String? {
    let node = nodes[value.place]
    guard node.kind == .string else { return nil }
    if node.hasEscapes { return String(decoding: decoded(node), as: UTF8.self) }
    return written(node)
  }

  /// A number as it is written; nil for anything else.
  package func number(_ value: Value) -> String? {
    let node = nodes[value.place]
    return node.kind == .number ? written(node) : nil
  }

  /// A number that is written as digits alone, with `-` in front if it is below 0, and fits; nil
  /// for `1.0`, `1e3`, `-0` and anything else.
  package func integer(_ value: Value) -> Int64? {
    let node = nodes[value.place]
    guard node.kind == .number else { return nil }
    let bytes = text.span
    var index = Int(node.start)
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var magnitude: UInt64 = 0
    while index < Int(node.end) {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (shifted, isOver) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isOverAgain) = shifted.addingReportingOverflow(UInt64(digit))
      if isOver || isOverAgain { return nil }
      magnitude = sum
      index += 1
    }
    guard isNegative else { return Int64(exactly: magnitude) }
    guard magnitude > 0, magnitude <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  private func written(_ node: Node) -> String {
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe String(
        decoding: UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]),
        as: UTF8.self)
    }
  }

  private func decoded(_ node: Node) -> [UInt8] {
    jsonUnescaped(text.span.extracting(Int(node.start)..<Int(node.end)))
  }
}
