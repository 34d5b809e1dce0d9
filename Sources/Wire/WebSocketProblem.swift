/// Why a WebSocket is closed by who reads it, with the close code and the sentence for the peer.

/// What is wrong with a client's frames; nothing behind it is read.
package enum WebSocketProblem: Error, Hashable, Sendable, CaseIterable {
  /// RFC 6455 5.2: set, and no extension was agreed on.
  case reservedBits
  /// RFC 6455 5.2: 3 to 7 and 11 to 15.
  case reservedOpcode
  /// RFC 6455 5.1: a client masks every frame.
  case unmasked
  /// RFC 6455 5.2: not in the fewest bytes that hold it, or with the top bit of eight bytes.
  case length
  /// RFC 6455 5.5.
  case controlFragmented
  /// RFC 6455 5.5: over 125 bytes.
  case controlTooLong
  /// RFC 6455 5.4: a continuation, and nothing was begun.
  case continuationOfNothing
  /// RFC 6455 5.4: a new message before the last fragment of another.
  case messageInsideMessage
  /// RFC 6455 5.5.1: one byte can hold no code.
  case closeTooShort
  /// RFC 6455 7.4: a code that may not be sent.
  case closeCode
  /// RFC 6455 7.4.1, 1003: nothing here is said in binary messages.
  case binary
  /// RFC 6455 8.1.
  case textNotUTF8
  /// RFC 6455 5.5.1.
  case reasonNotUTF8
  /// RFC 6455 7.4.1, 1009: the message is over the limit, with all its fragments.
  case tooBig

  /// The close code, RFC 6455 7.4.1.
  package var code: UInt16 {
    switch self {
    case .reservedBits, .reservedOpcode, .unmasked, .length, .controlFragmented, .controlTooLong,
      .continuationOfNothing, .messageInsideMessage, .closeTooShort, .closeCode:
      1002
    case .binary: 1003
    case .textNotUTF8, .reasonNotUTF8: 1007
    case .tooBig: 1009
    }
  }

  /// For people, as the reason of the close; at most 123 bytes.
  package var sentence: String {
    switch self {
    case .reservedBits: "a frame has a reserved bit set"
    case .reservedOpcode: "a frame has an opcode that means nothing"
    case .unmasked: "a client masks its frames"
    case .length: "a frame's length takes the fewest bytes that can hold it"
    case .controlFragmented: "a ping, pong or close is one frame"
    case .controlTooLong: "a ping, pong or close has at most 125 bytes"
    case .continuationOfNothing: "a fragment continues no message"
    case .messageInsideMessage: "a message begins before the last fragment of another"
    case .closeTooShort: "a close has no byte or a code of two"
    case .closeCode: "a close has a code that may not be sent"
    case .binary: "messages are text"
    case .textNotUTF8: "a message is no UTF-8"
    case .reasonNotUTF8: "a close has a reason that is no UTF-8"
    case .tooBig: "a message is larger than this server takes"
    }
  }
}
