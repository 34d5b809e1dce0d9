/// What a program says to one other person, and how far it says that it has read.

import ChatHub
import ChatModel
import ChatServer

extension Program {
  /// The conversation with somebody who has an account, as this person has.
  func talk(with name: UserName) -> RoomName? {
    guard let person, world.ledger.account(of: person) != nil,
      let other = world.ledger.account(named: name)?.person, other != person
    else { return nil }
    return .conversation(of: person, and: other)
  }

  func place(of room: RoomName) -> Place {
    guard let (one, other) = room.people else { return .room(room) }
    let name = world.ledger.account(of: one == person ? other : one)?.name
    return name.map { .with($0) } ?? .room(room)
  }

  /// The room that a place is for this person.
  func room(of place: Place) -> RoomName? {
    switch place {
    case .room(let room): room
    case .with(let name): talk(with: name)
    }
  }

  // MARK: Asking

  /// Says something to one person, who may be away, or says how far it has read.
  func talk() {
    switch world.dice.number(1...100) {
    case ...70:
      let names = world.ledger.bearers.keys.sorted { $0.shown < $1.shown }
      guard !names.isEmpty, let room = talk(with: world.dice.pick(names)) else { return }
      wanted[room] = wanted[room] ?? Aim()
      speak(in: room)
    case ...90:
      guard let room = wanted.keys.sorted(by: { $0.string < $1.string }).last else { return }
      ask(.mark(place(of: room), Int64(world.dice.number(0...30))))
    case _: ask(.rooms)
    }
  }

  // MARK: Hearing

  /// Which conversations there are: also those of which this device has heard nothing.
  func told(_ rooms: [RoomState]) throws(Violation) {
    for state in rooms {
      guard case .with(let name) = state.place, let room = talk(with: name) else { continue }
      wanted[room] = wanted[room] ?? Aim()
      guard state.mark ?? 0 <= world.ledger.newest(room) else {
        throw Violation(.marks, "\(room.string) was read further than anything was said")
      }
    }
    guard let person, !world.plan.isInMemory, rooms.count < world.plan.limits.hub.roomsListedMax
    else { return }
    for (room, step) in world.ledger.talks {
      guard let (one, other) = room.people, one == person || other == person,
        step < listedSince
      else { continue }
      guard rooms.contains(where: { self.room(of: $0.place) == room }) else {
        throw Violation(.noHole, "\(name) was not told of \(room.string)")
      }
    }
  }

  /// Another connection of the person says how far it has read.
  func told(_ seq: Int64, readIn place: Place) throws(Violation) {
    guard let room = room(of: place) else { return }
    guard seq <= world.ledger.newest(room) else {
      throw Violation(.marks, "\(room.string) was read to #\(seq), further than anything was said")
    }
    guard let person, !world.plan.isInMemory else { return }
    let isKept = world.ledger.told[.mark(room, person)]?.contains {
      $0.fact == .mark(room, person, seq)
    }
    guard isKept == true else {
      throw Violation(.marks, "\(name) was told of a mark of \(room.string) that is not kept")
    }
  }
}
