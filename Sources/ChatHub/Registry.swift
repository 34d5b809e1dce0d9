/// All facts, as they are judged by. Keeps none of them by itself, and decides nothing.

package import ChatModel

/// What is known besides messages: set at once, and put back where it could not be kept.
package struct Registry: Equatable {
  private var accounts: [PersonID: Account] = [:]
  private var people: [UserName: PersonID] = [:]
  private var epochs: [PersonID: Int64] = [:]
  private var owners = 0
  private var records: [RoomName: RoomRecord] = [:]
  private var topics: [RoomName: ShortText] = [:]
  private var members: [RoomName: [PersonID: Role]] = [:]
  private var invitations: [RoomName: [CodeHash: Invitation]] = [:]
  private var sanctions: [RoomName?: [Sanction.Key: Sanction]] = [:]
  /// The same by whom they are on: most people have none.
  private var sanctioned: [PersonID: [Sanction.Key: Sanction]] = [:]
  /// The same of networks, which everybody who comes is looked up in.
  private var networks: [Sanction.Key: Sanction] = [:]
  private var partners: [RoomName: PartnerNames] = [:]
  /// Of each person the conversations, with the other one of each.
  private var conversations: [PersonID: [RoomName: PersonID]] = [:]
  private var marks: [PersonID: [RoomName: Int64]] = [:]
  private var underWay: [Fact.Key: UnderWay] = [:]

  /// What of one key is on its way to the store.
  private struct UnderWay: Equatable {
    var records = 0
    /// What is kept of it so far.
    var kept: Fact
  }

  /// As a store gives them.
  package init(_ facts: [Fact] = []) {
    for fact in facts { set(fact) }
  }

  // MARK: Accounts

  package func account(of person: PersonID) -> Account? { accounts[person] }

  /// Whose account has this name?
  package func person(named name: UserName) -> PersonID? { people[name] }

  package func epoch(of person: PersonID) -> Int64 { epochs[person] ?? 0 }

  package var hasOwner: Bool { owners > 0 }

  package var ownersCount: Int { owners }

  package var everyAccount: some Sequence<(key: PersonID, value: Account)> { accounts }

  package var accountsCount: Int { accounts.count }

  // MARK: Rooms

  package func record(of room: RoomName) -> RoomRecord? { records[room] }

  /// Every room of which there is a record, in no order.
  package var recordedRooms: some Sequence<RoomName> { records.keys }

  package func isPrivate(_ room: RoomName) -> Bool { records[room]?.isPrivate ?? false }

  package func isArchived(_ room: RoomName) -> Bool { records[room]?.isArchived ?? false }

  package func topic(of room: RoomName) -> ShortText? { topics[room] }

  /// What the person was made in the room; in a private one nil is who was not admitted.
  package func role(of person: PersonID, in room: RoomName) -> Role? { members[room]?[person] }

  package func roles(in room: RoomName) -> [PersonID: Role] { members[room] ?? [:] }

  package func invitation(_ code: CodeHash, to room: RoomName) -> Invitation? {
    invitations[room]?[code]
  }

  package func invitations(to room: RoomName) -> [CodeHash: Invitation] {
    invitations[room] ?? [:]
  }

  package func mark(of person: PersonID, in room: RoomName) -> Int64? { marks[person]?[room] }

  package func marks(of person: PersonID) -> [RoomName: Int64] { marks[person] ?? [:] }

  /// Where the person was made something, or was admitted.
  func rooms(with person: PersonID) -> [RoomName] {
    members.filter { $0.value[person] != nil }.keys.sorted { $0.string < $1.string }
  }

  /// What takes away all that is known of a room. In the same order whenever the same happens: a
  /// simulation replays it.
  func facts(of room: RoomName) -> [Fact] {
    var facts: [Fact] = []
    if records[room] != nil { facts.append(.room(room, nil)) }
    if topics[room] != nil { facts.append(.topic(room, nil)) }
    let readers = marks.filter { $0.value[room] != nil }.keys
    facts += Self.sorted(roles(in: room).keys).map { .member(room, $0, nil) }
    facts += invitations(to: room).keys.sorted { $0.string < $1.string }
      .map { .invitation(room, $0, nil) }
    facts += sanctions(in: room).keys.sorted { $0.order < $1.order }.map { .sanction($0, nil) }
    facts += Self.sorted(readers).map { .mark(room, $0, nil) }
    return facts
  }

  private static func sorted(_ people: some Sequence<PersonID>) -> [PersonID] {
    people.sorted { $0.rawValue < $1.rawValue }
  }

  // MARK: Conversations

  /// Those in which something was said.
  package func conversations(of person: PersonID) -> Set<RoomName> {
    conversations[person].map { Set($0.keys) } ?? []
  }

  /// The same, each with the other one of the two.
  package func partners(of person: PersonID) -> [RoomName: PersonID] {
    conversations[person] ?? [:]
  }

  package var conversationsCount: Int { partners.count }

  package func partners(in room: RoomName) -> PartnerNames? { partners[room] }

  /// What one of the two was called there last.
  package func partnerName(
    of person: PersonID, to other: PersonID, in room: RoomName
  ) -> UserName? {
    partners[room].map { person.rawValue < other.rawValue ? $0.lower : $0.higher }
  }

  // MARK: Sanctions

  package var everySanction: some Sequence<(key: Sanction.Key, value: Sanction)> {
    sanctions.values.joined()
  }

  /// Those of a room, or of the whole server.
  package func sanctions(in room: RoomName?) -> [Sanction.Key: Sanction] { sanctions[room] ?? [:] }

  package func sanctions(on person: PersonID) -> [Sanction.Key: Sanction] {
    sanctioned[person] ?? [:]
  }

  package func isSanctioned(_ person: PersonID) -> Bool { sanctioned[person] != nil }

  package func sanction(_ key: Sanction.Key) -> Sanction? { sanctions[key.room]?[key] }

  /// The ban of the whole server on where this address is, if it is in force.
  package func ban(on address: String, at moment: Moment) -> Sanction? {
    for (key, sanction) in networks where sanction.isInForce(at: moment) {
      if key.kind == .ban, key.room == nil, case .network(let network) = key.subject,
        network.contains(address)
      {
        return sanction
      }
    }
    return nil
  }

  // MARK: Changes

  /// Whether this role, or this account, is what there is, for good.
  func holds(_ fact: Fact) -> Bool {
    guard !isUnderWay(fact.key) else { return false }
    switch fact {
    case .member(let room, let person, let role): return self.role(of: person, in: room) == role
    case .account(let person, let account): return self.account(of: person) == account
    case .epoch, .room, .topic, .invitation, .sanction, .partners, .mark: return false
    }
  }

  /// Whether what is judged by may still be put back.
  func isUnderWay(_ key: Fact.Key) -> Bool { underWay[key] != nil }

  /// Whether the person's account, or what its tokens are worth, may still be put back.
  func isChanging(_ person: PersonID) -> Bool {
    isUnderWay(.account(person)) || isUnderWay(.epoch(person))
  }

  /// The person's account as it is kept, whatever is on its way.
  func keptAccount(of person: PersonID) -> Account? {
    guard case .account(_, let account) = underWay[.account(person)]?.kept else {
      return accounts[person]
    }
    return account
  }

  /// The same of its epoch.
  package func keptEpoch(of person: PersonID) -> Int64 {
    guard case .epoch(_, let epoch) = underWay[.epoch(person)]?.kept else {
      return epoch(of: person)
    }
    return epoch ?? 0
  }

  /// Sets facts that are to be kept. What is given puts the former values back, in this order.
  mutating func begin(_ facts: [Fact]) -> [Fact] {
    var inverses: [Fact] = []
    for fact in facts {
      let inverse = set(fact)
      underWay[fact.key, default: UnderWay(kept: inverse)].records += 1
      inverses.append(inverse)
    }
    return inverses.reversed()
  }

  /// They are kept, or their former values were put back.
  mutating func end(_ facts: [Fact], isKept: Bool) {
    for fact in facts {
      if isKept { underWay[fact.key]?.kept = fact }
      underWay[fact.key]?.records -= 1
      if underWay[fact.key]?.records == 0 { underWay[fact.key] = nil }
    }
  }

  /// Gives the fact that puts the former value back.
  @discardableResult
  mutating func set(_ fact: Fact) -> Fact {
    switch fact {
    case .account(let person, let account): .account(person, set(account, of: person))
    case .epoch(let person, let epoch): .epoch(person, Self.exchange(&epochs[person], epoch))
    case .room(let room, let record): .room(room, Self.exchange(&records[room], record))
    case .topic(let room, let topic): .topic(room, Self.exchange(&topics[room], topic))
    case .member(let room, let person, let role):
      .member(room, person, Self.exchange(&members[room], person, role))
    case .invitation(let room, let code, let invitation):
      .invitation(room, code, Self.exchange(&invitations[room], code, invitation))
    case .sanction(let key, let sanction): .sanction(key, set(sanction, for: key))
    case .partners(let room, let names): .partners(room, set(names, in: room))
    case .mark(let room, let person, let seq):
      .mark(room, person, Self.exchange(&marks[person], room, seq))
    }
  }

  private static func exchange<Value>(_ place: inout Value?, _ value: Value?) -> Value? {
    defer { place = value }
    return place
  }

  /// The same in a table that is there for as long as something is in it.
  @discardableResult
  private static func exchange<Key, Value>(
    _ table: inout [Key: Value]?, _ key: Key, _ value: Value?
  ) -> Value? {
    let former = table?[key]
    if let value {
      if table == nil { table = [:] }
      table?[key] = value
    } else if former != nil {
      table?[key] = nil
      if table?.isEmpty == true { table = nil }
    }
    return former
  }

  private mutating func set(_ account: Account?, of person: PersonID) -> Account? {
    let former = accounts[person]
    if let former {
      people[former.name] = nil
      if former.role == .owner { owners -= 1 }
    }
    accounts[person] = account
    if let account {
      people[account.name] = person
      if account.role == .owner { owners += 1 }
    }
    return former
  }

  private mutating func set(_ sanction: Sanction?, for key: Sanction.Key) -> Sanction? {
    switch key.subject {
    case .person(let person): Self.exchange(&sanctioned[person], key, sanction)
    case .network: networks[key] = sanction
    }
    return Self.exchange(&sanctions[key.room], key, sanction)
  }

  private mutating func set(_ names: PartnerNames?, in room: RoomName) -> PartnerNames? {
    let former = partners.removeValue(forKey: room)
    partners[room] = names
    if let (lower, higher) = room.people {
      for (person, other) in [(lower, higher), (higher, lower)] {
        if names == nil {
          conversations[person]?[room] = nil
          if conversations[person]?.isEmpty == true { conversations[person] = nil }
        } else {
          conversations[person, default: [:]][room] = other
        }
      }
    }
    return former
  }
}
