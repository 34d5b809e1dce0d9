/// Every limit of a connection that speaks HTTP. docs/wire/http.md has them.

internal import Wire

enum HTTPLimits {
  /// The most a head may take, from its first line to the blank one, with their ends.
  static let headBytesMax = 16_384
  static let bodyBytesMax = 65_536
  /// A request is whole so long after its first byte.
  static let requestTime = Duration.seconds(10)
  /// Between two requests a connection may be idle for so long.
  static let idleTime = Duration.seconds(60)

  /// One that has heard nothing yet.
  static func reader() -> HTTPRequestReader {
    HTTPRequestReader(headBytesMax: headBytesMax, bodyBytesMax: bodyBytesMax)
  }
}
