/// Who is in a room and who follows it, how far it has been published, and the count line that
/// stands for many joins and leaves.

import ChatModel

struct Room {
  let name: RoomName
  /// The sequence number of the newest message that was shown to anybody; 0 for none.
  var published: Int64

  private var present = Roster()
  private var following = Roster()
  /// Connections of the people who are here with more than one.
  private var further: [PersonID: Int] = [:]
  private var people: Set<PersonID> = []

  /// Joins and leaves that no line has told yet.
  private(set) var untold = Changes()
  /// When the next count line is due; nil when there is nothing to tell.
  private(set) var countLineDue: Duration?
  private var countLineTold: Duration?

  struct Changes: Equatable {
    var joined = 0
    var left = 0
  }

  /// The newest number of an earlier room of the name; 0 where there was none.
  private let start: Int64

  init(_ name: RoomName, published: Int64 = 0) {
    self.name = name
    self.published = published
    start = 0
  }

  /// Nothing was said in it yet.
  init(_ name: RoomName, behind start: Int64) {
    self.name = name
    self.start = start
    published = start
  }

  /// Nothing was ever said.
  var isSilent: Bool { published == start }

  /// The connections that are here, in no order.
  var members: [ConnectionID] { present.connections }

  /// Those that are told what is said here, and are no members, in no order.
  var followers: [ConnectionID] { following.connections }

  /// Nobody is here or follows it, and nothing was ever said.
  var isNothing: Bool { members.isEmpty && followers.isEmpty && isSilent }

  /// How many people are here.
  var peopleCount: Int { people.count }

  /// True when it is the person's first connection here.
  mutating func add(_ id: ConnectionID, of person: PersonID) -> Bool {
    present.add(id)
    if people.insert(person).inserted { return true }
    further[person, default: 0] += 1
    return false
  }

  /// True when it was the person's last connection here.
  mutating func remove(_ id: ConnectionID, of person: PersonID) -> Bool {
    guard present.remove(id) else { return false }
    guard let count = further[person] else {
      people.remove(person)
      return true
    }
    further[person] = count == 1 ? nil : count - 1
    return false
  }

  mutating func addFollower(_ id: ConnectionID) { following.add(id) }

  mutating func removeFollower(_ id: ConnectionID) { _ = following.remove(id) }

  /// Some of those who are here.
  func somePeople(_ count: Int) -> some Sequence<PersonID> { people.prefix(count) }

  /// Counts a change for the next count line.
  mutating func count(joined: Int = 0, left: Int = 0, at now: Duration, limits: HubLimits) {
    untold.joined += joined
    untold.left += left
    guard countLineDue == nil else { return }
    let gathered = now + limits.countLineDelay
    countLineDue = countLineTold.map { max($0 + limits.countLineInterval, gathered) } ?? gathered
  }

  /// Nobody is left to be told.
  mutating func forgetChanges() {
    untold = Changes()
    countLineDue = nil
  }

  /// What has changed since the last line, if its time has come.
  mutating func takeDueChanges(at now: Duration) -> Changes? {
    guard let due = countLineDue, due <= now else { return nil }
    defer { untold = Changes() }
    countLineDue = nil
    countLineTold = now
    return untold
  }
}
