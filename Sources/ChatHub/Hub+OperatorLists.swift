/// Lists for whoever runs the server, by pages: what the hub knows, in an order that stays.

import ChatModel

/// The first of many values by their keys, behind a key. Sorts no more than a page.
struct Pager<Value> {
  /// The most rows of a page, and the most bytes that they may take: a line has less than 64 KiB.
  private static var rowsMax: Int { 200 }
  private static var bytesMax: Int { 60_000 }

  private let after: String?
  private var rows: [(key: String, value: Value)] = []
  /// The last of the first so far, once there are more than a page.
  private var last: String?

  init(after: String?) { self.after = after }

  mutating func add(_ key: String, _ value: Value) {
    if let after, key <= after { return }
    if let last, key > last { return }
    rows.append((key, value))
    if rows.count > 2 * Self.rowsMax { cut() }
  }

  /// The page, and the key to go on behind; `cost` gives the most bytes that a row takes.
  mutating func finish(cost: (Value) -> Int) -> (page: [Value], next: String?) {
    let isMore = rows.count > Self.rowsMax || last != nil
    cut()
    var left = Self.bytesMax
    let page = rows.prefix { row in
      left -= cost(row.value)
      return left >= 0
    }
    let isCut = isMore || page.count < rows.count
    return (page.map(\.value), isCut ? page.last?.key : nil)
  }

  private mutating func cut() {
    rows.sort { $0.key < $1.key }
    guard rows.count > Self.rowsMax else { return }
    rows.removeLast(rows.count - Self.rowsMax)
    last = rows.last?.key
  }
}

extension Hub {
  /// What the hub knows of how the server is doing.
  var status: ServerStatus {
    var status = ServerStatus()
    status.people = people.count
    status.accounts = registry.accountsCount
    status.rooms = rooms.keys.count { !$0.isMade }
    status.conversations = registry.conversationsCount
    return status
  }

  func listedAccounts(after: String?) -> Report {
    var pager = Pager<AccountState>(after: after)
    for (person, account) in registry.everyAccount {
      pager.add(
        account.name.folded,
        AccountState(
          person: person, name: account.name, role: account.role,
          isDisabled: account.isDisabled, connections: people[person]?.connections.count ?? 0))
    }
    // A name may be escaped; the numbers and words around it take less than 200.
    let (page, next) = pager.finish { 200 + 2 * $0.name.shown.utf8.count }
    return .accounts(page, next: next)
  }

  /// Every room that people made, and the lobby.
  func operatedRooms(after: String?) -> Report {
    var pager = Pager<Room>(after: after)
    for (name, room) in rooms where !name.isMade { pager.add(name.string, room) }
    let (page, next) = pager.finish { room in
      300 + 6 * (registry.topic(of: room.name)?.string.utf8.count ?? 0)
    }
    let states = page.map { room in
      described(
        RoomState(place: .room(room.name), members: room.peopleCount, seq: room.published))
    }
    return .rooms(states, next: next)
  }

  /// Those that are in force.
  func listedSanctions(after: String?) -> Report {
    var pager = Pager<SanctionState>(after: after)
    let moment = moment
    for (key, sanction) in registry.everySanction where sanction.isInForce(at: moment) {
      pager.add(key.order, SanctionState(key, sanction))
    }
    let (page, next) = pager.finish { state in
      500 + 6 * (state.sanction.reason?.string.utf8.count ?? 0)
        + 2 * (state.sanction.name?.shown.utf8.count ?? 0)
        + 2 * state.sanction.by.shown.utf8.count
    }
    return .sanctions(page, next: next)
  }
}

extension Sanction.Key {
  /// By place, those of the whole server first.
  var order: String {
    let subject =
      switch subject {
      case .person(let person): "\(person.rawValue)"
      case .network(let network): network.string
      }
    return "\(room?.string ?? "")/\(kind.rawValue)/\(subject)"
  }
}
