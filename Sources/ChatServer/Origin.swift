/// Where a connection comes from, as far as anything depends on it. Knows no socket.

/// One place, of which several connections may come.
package enum Origin: Hashable, Sendable {
  /// By a path of this machine.
  case path
  /// From this machine, by its own address.
  case loopback(String)
  case network(String)
  /// By the path that is for whoever runs the server alone.
  case `operator`

  /// Counted against the limit of connections from one address; nil where there is none.
  var countedHost: String? {
    if case .network(let host) = self { host } else { nil }
  }

  /// Whether nobody between the two ends can read along, so that passwords may be sent.
  var isPrivate: Bool { countedHost == nil }
}
