/// What a person says. Cannot be empty or too long past its initialiser.

/// A message's text: 1 to 4,096 bytes of UTF-8.
public struct MessageText: Hashable, Sendable {
  /// The most a text may take, in bytes of UTF-8.
  public static let bytesMax = 4_096

  /// The text as it was sent; each dialect's encoder guards what it shows of it.
  public let string: String

  /// Nil when the text is empty or longer than ``bytesMax``.
  public init?(_ string: String) {
    guard (1...Self.bytesMax).contains(string.utf8.count) else { return nil }
    self.string = string
  }
}
