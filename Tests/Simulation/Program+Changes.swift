/// What a program changes of what was said: its own messages, and sometimes others'.

import ChatModel

extension Program {
  // MARK: Asking

  /// Another text for a message, or none.
  func change(in room: RoomName) {
    guard readings[room] != nil, let seq = message(in: room), !changing.contains(seq) else {
      return
    }
    changing.insert(seq)
    guard world.dice.chance(60),
      let text = persona.anotherText(world.mark(of: room), world.dice.number(0...40))
    else {
      return ask(.delete(place(of: room), of: seq))
    }
    ask(.edit(place(of: room), of: seq, text))
  }

  /// One that its person has said, newer ones likelier; or any.
  private func message(in room: RoomName) -> Int64? {
    if world.dice.chance(10) {
      return Int64(world.dice.number(1...Int(world.ledger.newest(room) + 1)))
    }
    let says = persona.says.suffix(world.dice.pick([3, 10, 100])).filter {
      $0.room == room && $0.first != nil
    }
    return says.isEmpty ? nil : world.dice.pick(Array(says)).first?.seq
  }

  // MARK: Hearing

  /// It is answered that a change is kept.
  func changed(_ seq: Int64, _ asked: Asked) throws(Violation) {
    guard let (place, content) = asked.request.change, let room = room(of: place) else { return }
    if let about = content.about { changing.remove(about) }
    guard world.ledger.entry(seq, in: room)?.message.draft.content == content else {
      throw Violation(.changesAreKept, "\(content) was answered as #\(seq), which is not it")
    }
  }

  /// It is answered that nothing was changed.
  func refusedChange(_ code: String, _ asked: Asked) throws(Violation) {
    guard let (place, content) = asked.request.change, let about = content.about else { return }
    changing.remove(about)
    if case .edit(_, let text) = content, let kept = world.ledger.places(of: text.string).last {
      throw Violation(.refusedIsUnseen, "\(content) was refused, and changed #\(kept.seq)")
    }
    guard let room = room(of: place), let entry = world.ledger.entry(about, in: room) else {
      return
    }
    switch code {
    case "no-such-message":
      if !entry.isGone, entry.step <= asked.step, case .text = entry.message.draft.content {
        throw Violation(.changesAreKept, "#\(about) of \(room.string) was called no message")
      }
    case "not-allowed":
      if entry.message.draft.person == person {
        throw Violation(.changesAreKept, "#\(about) of \(room.string) is \(name)'s, and refused")
      }
    case _: break
    }
  }
}

extension Request {
  /// The change of a message that it asks for.
  var change: (Place, Content)? {
    switch self {
    case .edit(let place, let seq, let text): (place, .edit(of: seq, text))
    case .delete(let place, let seq): (place, .deletion(of: seq))
    case _: nil
    }
  }
}
