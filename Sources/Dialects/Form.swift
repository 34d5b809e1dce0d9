/// How to spell what one connection is told. Nothing of who is told.

/// In which bytes a connection is told things; it follows from the dialect, and may change while
/// the connection lasts.
package enum Form: Hashable, Sendable {
  /// Plain, to a person or program that reads lines.
  case line
  /// Plain, to a tutorial's client that shows each read as a row.
  case raw
  /// JSON lines.
  case json
}

/// The two of them that are plain.
enum PlainForm: Hashable { case line, raw }
