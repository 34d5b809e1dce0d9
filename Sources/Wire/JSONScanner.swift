/// The grammar of JSON, byte by byte, into a list of nodes. Decodes nothing.

/// RFC 8259, and stricter where that leaves a choice: no key twice in one object, no half of a
/// surrogate pair, depth limited.
struct JSONScanner {
  private(set) var nodes: [JSONDocument.Node] = []
  private var index = 0

  mutating func scan(_ bytes: Span<UInt8>) throws(JSONProblem) {
    nodes.reserveCapacity(16)
    skipBlanks(bytes)
    try value(bytes, depth: 0)
    skipBlanks(bytes)
    guard index == bytes.count else { throw .syntax(at: index) }
  }

  private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) {
    switch byte(bytes) {
    case UInt8(ascii: "{"): try object(bytes, depth: depth + 1)
    case UInt8(ascii: "["): try array(bytes, depth: depth + 1)
    case UInt8(ascii: "\""): try string(bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
    case UInt8(ascii: "t"): try word("true", .yes, bytes)
    case UInt8(ascii: "f"): try word("false", .no, bytes)
    case UInt8(ascii: "n"): try word("null", .null, bytes)
    case _: throw .syntax(at: index)
    }
  }

  private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) {
    let place = try open(.object, depth: depth)
    if skip(UInt8(ascii: "}"), bytes) { return close(place) }
    repeat {
      skipBlanks(bytes)
      guard byte(bytes) == UInt8(ascii: "\"") else { throw .syntax(at: index) }
      try string(bytes)
      guard skip(UInt8(ascii: ":"), bytes) else { throw .syntax(at: index) }
      skipBlanks(bytes)
      try value(bytes, depth: depth)
    } while skip(UInt8(ascii: ","), bytes)
    guard skip(UInt8(ascii: "}"), bytes) else { throw .syntax(at: index) }
    close(place)
    try refuseDoubledKeys(of: place, bytes)
  }

  private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) {
    let place = try open(.array, depth: depth)
    if skip(UInt8(ascii: "]"), bytes) { return close(place) }
    repeat {
      skipBlanks(bytes)
      try value(bytes, depth: depth)
    } while skip(UInt8(ascii: ","), bytes)
    guard skip(UInt8(ascii: "]"), bytes) else { throw .syntax(at: index) }
    close(place)
  }

  private mutating func open(
    _ kind: JSONDocument.Kind, depth: Int
  ) throws(JSONProblem) -> Int {
    guard depth <= JSONDocument.depthMax else { throw .tooDeep(limit: JSONDocument.depthMax) }
    let place = nodes.count
    nodes.append(JSONDocument.Node(kind: kind, start: UInt32(index), end: 0))
    index += 1
    return place
  }

  private mutating func close(_ place: Int) {
    nodes[place].end = UInt32(index)
    nodes[place].next = UInt32(nodes.count)
  }

  private mutating func string(_ bytes: Span<UInt8>) throws(JSONProblem) {
    let start = index + 1
    let (end, hasEscapes) = try jsonStringEnd(bytes, from: start)
    index = end + 1
    add(.string, start..<end, hasEscapes: hasEscapes)
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(JSONProblem) {
    let start = index
    if byte(bytes) == UInt8(ascii: "-") { index += 1 }
    // No digit may follow a leading zero: what comes next is no number's any more.
    if byte(bytes) == UInt8(ascii: "0") { index += 1 } else { try digits(bytes) }
    if byte(bytes) == UInt8(ascii: ".") {
      index += 1
      try digits(bytes)
    }
    if byte(bytes) | 0x20 == UInt8(ascii: "e") {
      index += 1
      let sign = byte(bytes)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try digits(bytes)
    }
    add(.number, start..<index)
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(JSONProblem) {
    let start = index
    while byte(bytes) &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > start else { throw .syntax(at: index) }
  }

  private mutating func word(
    _ word: String, _ kind: JSONDocument.Kind, _ bytes: Span<UInt8>
  ) throws(JSONProblem) {
    let start = index
    for letter in word.utf8 {
      guard byte(bytes) == letter else { throw .syntax(at: index) }
      index += 1
    }
    add(kind, start..<index)
  }

  private mutating func add(
    _ kind: JSONDocument.Kind, _ range: Range<Int>, hasEscapes: Bool = false
  ) {
    nodes.append(
      JSONDocument.Node(
        kind: kind, hasEscapes: hasEscapes, start: UInt32(range.lowerBound),
        end: UInt32(range.upperBound), next: UInt32(nodes.count + 1)))
  }

  /// 0 at the end: nothing asks for that one.
  private func byte(_ bytes: Span<UInt8>) -> UInt8 {
    index < bytes.count ? bytes[index] : 0
  }

  private mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while index < bytes.count, isJSONBlank(bytes[index]) { index += 1 }
  }

  /// Steps over blanks and this byte, or stays behind the blanks.
  private mutating func skip(_ wanted: UInt8, _ bytes: Span<UInt8>) -> Bool {
    skipBlanks(bytes)
    guard byte(bytes) == wanted else { return false }
    index += 1
    return true
  }

  // MARK: Doubled keys

  /// Compared one by one in objects of so many keys, by hash above.
  private static let comparedKeysMax = 8

  private func refuseDoubledKeys(
    of place: Int, _ bytes: Span<UInt8>
  ) throws(JSONProblem) {
    var keys = 0
    var key = place + 1
    while key < Int(nodes[place].next), keys <= Self.comparedKeysMax {
      var other = place + 1
      while other < key {
        if areSame(nodes[other], nodes[key], bytes) { throw .doubledKey(name(nodes[key], bytes)) }
        other = Int(nodes[other + 1].next)
      }
      keys += 1
      key = Int(nodes[key + 1].next)
    }
    guard key < Int(nodes[place].next) else { return }
    // By bytes: strings would count as equal that only look the same.
    var seen: Set<[UInt8]> = []
    key = place + 1
    while key < Int(nodes[place].next) {
      guard seen.insert(unescaped(nodes[key], bytes)).inserted else {
        throw .doubledKey(name(nodes[key], bytes))
      }
      key = Int(nodes[key + 1].next)
    }
  }

  private func areSame(
    _ one: JSONDocument.Node, _ other: JSONDocument.Node, _ bytes: Span<UInt8>
  ) -> Bool {
    if one.hasEscapes || other.hasEscapes {
      return unescaped(one, bytes) == unescaped(other, bytes)
    }
    let count = one.end - one.start
    guard count == other.end - other.start else { return false }
    for offset in 0..<Int(count)
    where bytes[Int(one.start) + offset] != bytes[Int(other.start) + offset] { return false }
    return true
  }

  private func unescaped(_ node: JSONDocument.Node, _ bytes: Span<UInt8>) -> [UInt8] {
    jsonUnescaped(bytes.extracting(Int(node.start)..<Int(node.end)))
  }

  private func name(_ node: JSONDocument.Node, _ bytes: Span<UInt8>) -> String {
    String(decoding: unescaped(node, bytes), as: UTF8.self)
  }
}

/// RFC 8259 2.
private func isJSONBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
