/// How to spell what one connection is told. Nothing of who is told.

/// In which bytes a connection is told things; it follows from the dialect, and may change while
/// the connection lasts. Numbered, so that what was encoded can lie in a row.
package enum Form: Int, CaseIterable, Sendable {
  /// Plain, to a person or program that reads lines.
  case line
  /// Plain, to a tutorial's client that shows each read as a row.
  case raw
  /// JSON lines.
  case json
  /// JSON in the frames of a WebSocket.
  case frame
  /// JSON in server-sent events, to somebody who follows a room.
  case event
  /// Nothing at all: over HTTP only what was asked for is answered.
  case silent
}

/// The two of them that are plain.
enum PlainForm: Hashable { case line, raw }
