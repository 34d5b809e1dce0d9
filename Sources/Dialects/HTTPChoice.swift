/// One of what is accepted over HTTP, with its weight: a media type, or a coding of content.

/// An item of `Accept` or `Accept-Encoding`, such as `text/*;q=0.5` (RFC 9110 12.4.2).
struct HTTPChoice {
  /// In small letters.
  let name: String
  /// In thousandths.
  let weight: Int

  /// The items of a field, over all of its lines.
  static func all(_ values: [String]) -> [HTTPChoice] {
    values.flatMap { $0.split(separator: ",") }.map { HTTPChoice($0) }
  }

  private init(_ item: Substring) {
    let parts = item.split(separator: ";").map { part in
      String(part.filter { $0 != " " && $0 != "\t" }).lowercased()
    }
    name = parts.first ?? ""
    let given = parts.dropFirst().first { $0.hasPrefix("q=") }
    weight = given.map { Self.thousandths($0.dropFirst(2)) } ?? 1_000
  }

  /// What is no weight counts as none.
  private static func thousandths(_ text: Substring) -> Int {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0] == "0" || parts[0] == "1" else { return 0 }
    let digits = parts.count == 2 ? parts[1] : ""
    guard digits.utf8.count <= 3, let part = Int("0" + digits) else { return 0 }
    let scale = [1_000, 100, 10, 1][digits.utf8.count]
    return min(1_000, (parts[0] == "1" ? 1_000 : 0) + part * scale)
  }
}
