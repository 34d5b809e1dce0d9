/// What is said in a line about something: a topic, a reason, why somebody is away.

/// 1 to 256 bytes of UTF-8.
public struct ShortText: Hashable, Sendable {
  /// The most it may take, in bytes of UTF-8.
  public static let bytesMax = 256

  /// As it was sent; each dialect's encoder guards what it shows of it.
  public let string: String

  /// Nil when it is empty or longer than ``bytesMax``.
  public init?(_ string: String) {
    guard (1...Self.bytesMax).contains(string.utf8.count) else { return nil }
    self.string = string
  }
}
