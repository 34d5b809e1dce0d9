/// What happens in the chat: requests in, effects out. No bytes, no sockets, no clock of its own.

package import ChatModel

/// The whole chat as one machine. The caller carries the effects out, in order, before the next
/// call.
package struct Hub {
  package let limits: HubLimits

  /// Who is logged in, by connection.
  var people: [ConnectionID: Person] = [:]
  /// Which connection holds a name.
  var holders: [UserName: ConnectionID] = [:]
  /// Who waits for a name whose holder is being probed, by holder, in order of asking.
  var askers: [ConnectionID: [Asker]] = [:]
  var lobby = Room()

  struct Person {
    var name: UserName
    var bucket: TokenBucket
  }

  struct Asker {
    var connection: ConnectionID
    var name: UserName
  }

  package init(limits: HubLimits = HubLimits()) { self.limits = limits }

  /// One request of a connection that is open and not told to wait.
  package mutating func handle(
    _ request: Request, from id: ConnectionID, at now: Duration
  ) -> [Effect] {
    switch request {
    case .logIn(let name): logIn(id, as: name, at: now)
    case .say(let text): say(text, from: id, at: now)
    case .who: who(id)
    case .ping(let text): [.tell(id, .pong(text))]
    case .quit: quit(id, at: now)
    }
  }

  /// The connection is gone or going; nothing more is told to it.
  package mutating func disconnected(_ id: ConnectionID, at now: Duration) -> [Effect] {
    for (holder, waiting) in askers where waiting.contains(where: { $0.connection == id }) {
      askers[holder] = waiting.filter { $0.connection != id }
    }
    return leave(id, at: now) + admitAskers(of: id, at: now)
  }

  /// When ``wake(at:)`` wants to be called; nil when nothing waits for the clock.
  package var nextWake: Duration? { lobby.countLineDue }

  /// The time that ``nextWake`` named has come.
  package mutating func wake(at now: Duration) -> [Effect] {
    guard let changes = lobby.takeDueChanges(at: now) else { return [] }
    let event = Event.membersChanged(
      joined: changes.joined, left: changes.left, members: lobby.members.count)
    return [.tellAll(lobby.members, event)]
  }
}
