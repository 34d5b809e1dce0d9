/// Who may be sent what of private rooms and conversations, and of rooms that they were put out
/// of. Knows a secret by a word that is in it, whatever line that comes in.

import ChatModel
import Foundation

extension World {
  /// Rooms that are made as private ones, and by nothing else.
  static let secretRooms = ["vault", "cave"].compactMap { RoomName($0) }
  /// A room that people make and rule.
  static let ownedRooms = ["park"].compactMap { RoomName($0) }

  /// What stands in every text of a room, and nowhere else; empty where all may read it.
  func mark(of room: RoomName) -> String {
    if room.people != nil || Self.secretRooms.contains(room) { "@\(room.string)@ " } else { "" }
  }
}

/// Somebody was put out of a room: from the next step on nothing more of it reaches them.
struct Expulsion {
  let key: Fact.Key
  /// When it was kept, and when its answer was handed to the socket of who asked.
  let kept: Int
  let answered: Int
}

/// Who may hear what.
struct Secrecy {
  private struct Seat: Hashable {
    let room: RoomName
    let person: PersonID
  }

  private var expulsions: [Seat: Expulsion] = [:]
  /// When something of the room was last handed to a socket of theirs.
  private var heard: [Seat: Int] = [:]

  /// A line came to a device of these people.
  func check(
    _ line: String, _ stamp: Stamp, _ people: Set<PersonID>, isRefusal: Bool, in ledger: Ledger,
    _ mayKnow: (RoomName) -> Bool
  ) throws(Violation) {
    for room in World.secretRooms where line.contains(room.string) {
      // A refusal names what was asked for, and quotes nobody.
      if isRefusal, !line.contains("@\(room.string)@") { continue }
      let isAdmitted = people.contains { ledger.wasAdmitted($0, to: room, by: stamp.step) }
      guard isAdmitted || mayKnow(room) else {
        throw Violation(.secrecy, "a stranger to \(room.string) was sent: \(line)")
      }
    }
    guard line.utf8.contains(UInt8(ascii: "@")), line.contains("@@") else { return }
    for part in line.components(separatedBy: "@@").dropFirst() {
      let room = RoomName(kept: "@\(part.prefix { $0 != "@" })")
      guard let (one, other) = room?.people, people.contains(one) || people.contains(other) else {
        throw Violation(.secrecy, "neither of the two was sent: \(line)")
      }
    }
  }

  /// A device of the person was told something of the room.
  mutating func hears(
    _ room: RoomName, _ person: PersonID, _ stamp: Stamp, in ledger: Ledger
  ) throws(Violation) {
    let seat = Seat(room: room, person: person)
    heard[seat] = max(heard[seat] ?? 0, stamp.begun)
    try check(seat, in: ledger)
  }

  mutating func isOut(
    _ person: PersonID, _ room: RoomName, _ expulsion: Expulsion, in ledger: Ledger
  ) throws(Violation) {
    let seat = Seat(room: room, person: person)
    expulsions[seat] = expulsion
    try check(seat, in: ledger)
  }

  private func check(_ seat: Seat, in ledger: Ledger) throws(Violation) {
    // Once it was lifted, or somebody was let in again, nobody can say which of the two came first.
    guard let expulsion = expulsions[seat], let heard = heard[seat], heard > expulsion.answered,
      ledger.told[expulsion.key]?.last?.step == expulsion.kept
    else { return }
    throw Violation(
      .outIsOut,
      "in step \(heard) something of \(seat.room.string) was sent to who was put out "
        + "of it by step \(expulsion.answered)")
  }
}
