/// What is asked over HTTP that the server has to see to. Knows no bytes.

package import ChatModel

/// One request that was found good, as far as it can be told without the chat.
package struct WebRequest: Hashable, Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// A file of the web page.
    case file(WebFileRequest)
    /// Whether the server takes requests.
    case readiness
    /// Something of a room, by whoever has this token; nil: by nobody in particular.
    case visit(Visit, token: String?)
    /// To speak JSON lines in a WebSocket from here on; the key is what the answer proves itself
    /// by; where the dialect was named, the answer names it too.
    case upgrade(key: String, isNamed: Bool)
  }

  package let action: Action
  /// Somebody stands in between: who asks is not on this machine, wherever it comes from.
  package let isForwarded: Bool
}

/// Which file, and in which form the asker wants it.
package struct WebFileRequest: Hashable, Sendable {
  /// As it was sent, without a query: `/style.css`.
  package let path: String
  /// The versions that the asker has (RFC 9110 13.1.2); nil: it did not say.
  package let known: String?
  /// RFC 9110 12.5.3.
  package let acceptsGzip: Bool
}
