/// What a pair of streams connects to. A name only; connects to nothing.

package enum Endpoint: Hashable, Sendable {
  /// A host by name or written address, and a TCP port of it.
  case host(String, UInt16)
  /// A socket of this machine by the path of its file.
  case unix(path: String)
}
