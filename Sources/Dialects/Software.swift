/// Which software this is. The one place where its version stands.

/// The server and its client, which are released together.
package enum Software {
  package static let version = "0.1.0"
}
