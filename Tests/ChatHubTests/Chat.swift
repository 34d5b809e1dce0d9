/// A hub with a hand on the clock, and words to drive it. Asserts nothing.

import ChatHub
import ChatModel

struct Chat {
  var hub: Hub
  var now = Duration.zero

  init(limits: HubLimits = HubLimits()) { hub = Hub(limits: limits) }

  mutating func ask(_ id: Int, _ request: Request) -> [Effect] {
    hub.handle(request, from: connection(id), at: now)
  }

  @discardableResult
  mutating func logIn(_ id: Int, _ name: String) -> [Effect] { ask(id, .logIn(user(name))) }

  mutating func say(_ id: Int, _ text: String) -> [Effect] { ask(id, .say(message(text))) }

  mutating func drop(_ id: Int) -> [Effect] { hub.disconnected(connection(id), at: now) }

  /// Fills the room with that many people, connections 1000 and up, and lets the count lines go by.
  mutating func crowd(_ count: Int) {
    for index in 0..<count { logIn(1_000 + index, "crowd\(index)") }
    letCountLinesGoBy()
  }

  mutating func letCountLinesGoBy() {
    while let wake = hub.nextWake {
      now = wake
      _ = hub.wake(at: now)
    }
  }

  /// Who is told by these effects, each time, in order.
  func told(_ effects: [Effect]) -> [(ConnectionID, Event)] {
    effects.flatMap { effect -> [(ConnectionID, Event)] in
      switch effect {
      case .tell(let id, let event): [(id, event)]
      case .tellAll(let ids, let event): ids.map { ($0, event) }
      case .named, .wait, .proceed, .probe, .readLater, .close: []
      }
    }
  }

  func hears(_ id: Int, _ effects: [Effect]) -> [Event] {
    told(effects).filter { $0.0 == connection(id) }.map(\.1)
  }
}

func connection(_ id: Int) -> ConnectionID { ConnectionID(slot: UInt32(id), generation: 0) }

func user(_ name: String) -> UserName {
  do { return try UserName(name) } catch { preconditionFailure("\(name) is a name: \(error)") }
}

func message(_ text: String) -> MessageText {
  guard let text = MessageText(text) else { preconditionFailure("a text has 1 to 4,096 bytes") }
  return text
}
