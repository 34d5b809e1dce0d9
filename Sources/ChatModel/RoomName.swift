/// The name of a room. Cannot be wrong past its initialiser.

/// 1 to 64 bytes of ASCII letters, digits, `_`, `-` and `.`; large letters become small ones.
public struct RoomName: Hashable, Sendable {
  /// The most a room's name may take, in bytes.
  public static let bytesMax = 64
  /// The room that everybody knows.
  public static let lobby = RoomName(checked: "lobby")

  /// In small letters.
  public let string: String

  /// Nil for what cannot be a room's name.
  public init?(_ sent: String) {
    guard (1...Self.bytesMax).contains(sent.utf8.count), sent.utf8.allSatisfy(isAllowed) else {
      return nil
    }
    string = sent.lowercased()
  }

  private init(checked string: String) { self.string = string }
}

private func isAllowed(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."):
    true
  case _: false
  }
}
