/// What a `SocketConnection` itself refuses or gives up; everything else is the streams' own error.

/// Why a call of a ``SocketConnection`` failed, where it was not the network's doing.
public enum SocketConnectionError: Error, Hashable, Sendable {
  /// What took too long.
  public enum Operation: String, Hashable, Sendable {
    case connecting, reading, writing
  }

  /// An operation waited longer than it was allowed to.
  case timedOut(Operation, limit: Duration)
  /// The connection was closed on this side.
  case closed
  /// A line has more bytes than the limit allows, its end not counted.
  case lineTooLong(limit: Int)
  /// What was asked for cannot be had: a proxy to a file, a port above 65,535, TLS in a package
  /// built without it.
  case refused(String)
}

extension SocketConnectionError: LocalizedError, CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .timedOut(let operation, let limit): "The \(operation.rawValue) took over \(limit)."
    case .closed: "The connection was closed on this side."
    case .lineTooLong(let limit): "A line has more than \(limit) bytes."
    case .refused(let wish): "The streams do not have \(wish)."
    }
  }

  /// The same sentence.
  public var errorDescription: String? { description }
}
