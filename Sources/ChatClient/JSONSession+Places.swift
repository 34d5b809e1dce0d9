/// Where a JSON session hears: its rooms and conversations, each resumed where its reading stands.

import ChatModel

extension JSONSession {
  var hereRoom: RoomName {
    guard case .room(let room) = here.place else {
      preconditionFailure("one is in a room, and has conversations besides")
    }
    return room
  }

  /// Rooms and conversations as they are read now.
  subscript(_ place: Place) -> PlaceReading? {
    get {
      if place == here.place { return isOutside ? nil : here }
      switch place {
      case .room: return others.first { $0.place == place }
      case .with(let name): return conversations[name]
      }
    }
    set {
      if place == here.place, let newValue {
        here = newValue
      } else if case .with(let name) = place {
        conversations[name] = newValue
      } else if let index = others.firstIndex(where: { $0.place == place }) {
        if let newValue { others[index] = newValue } else { others.remove(at: index) }
      } else if let newValue {
        others.append(newValue)
      }
    }
  }

  // MARK: Coming in

  mutating func logIn() -> [SessionAction] {
    let login =
      password.map { Request.logInWithPassword(name, $0, orAsGuest: false, .manyRooms) }
      ?? .logIn(name, .manyRooms)
    return request(login, for: .logIn)
  }

  /// A guest that the server makes has talked to nobody yet.
  mutating func loggedIn(isNobody: Bool, at now: Duration) -> [SessionAction] {
    var actions: [SessionAction] = []
    if isOutside { actions += opened(byEntering: nil, at: now) } else { actions += enterRoom() }
    for other in others {
      actions += resume(other.place, other.beginning(replay: replay))
    }
    if isNobody {
      conversations = [:]
    } else {
      early = [:]
      actions += aside(.rooms, for: .list(isFirst: !hasBeenOpen))
    }
    if let awayText { actions += aside(.away(awayText), for: .aside) }
    return actions
  }

  mutating func enterRoom() -> [SessionAction] {
    let beginning = here.beginning(replay: replay)
    return request(.join(here.place, beginning, code: nil), for: .enter(beginning))
  }

  private mutating func resume(_ place: Place, _ beginning: Beginning) -> [SessionAction] {
    self[place]?.wait()
    return aside(.join(place, beginning, code: nil), for: .resumePlace(place, beginning))
  }

  /// The server has told how far each conversation is: what is missing is asked for.
  mutating func tookList(_ rooms: [RoomState], isFirst: Bool) -> [SessionAction] {
    var heard = early ?? [:]
    early = nil
    var actions: [SessionAction] = []
    for state in rooms {
      guard case .with(let name) = state.place else { continue }
      let first = heard.removeValue(forKey: name)
      actions += catchUp(state, with: name, heard: first, isFirst: isFirst)
    }
    // A list has its limits.
    let listed = Set(rooms.map(\.place))
    let unlisted = Set(heard.keys).union(conversations.keys).filter {
      !listed.contains(.with($0))
    }
    for name in unlisted.sorted(by: { $0.folded < $1.folded }) {
      let reading =
        conversations[name] ?? PlaceReading(.with(name), seen: (heard[name] ?? 1) - 1)
      conversations[name] = reading
      actions += resume(.with(name), reading.beginning(replay: 0))
    }
    return actions
  }

  /// `heard` is the first number that came before its time.
  private mutating func catchUp(
    _ state: RoomState, with name: UserName, heard: Int64?, isFirst: Bool
  ) -> [SessionAction] {
    if let reading = conversations[name], let seen = reading.seen {
      if state.seq < seen { conversations[name]?.doubt() }
      guard state.seq != seen || heard != nil else { return [] }
      return resume(state.place, conversations[name]?.beginning(replay: 0) ?? .after(seen))
    }
    // The first time it depends on who asks whether what was said before is to be shown.
    let isShown = !isFirst || replay > 0
    let seen = min(isShown ? state.mark ?? 0 : state.seq, heard.map { $0 - 1 } ?? .max)
    conversations[name] = PlaceReading(state.place, seen: seen)
    guard seen < state.seq || heard != nil else { return [] }
    let isLong = isFirst && heard == nil && state.seq - seen > ClientLimits.missedMessagesMax
    return resume(
      state.place, isLong ? .last(Int(ClientLimits.missedMessagesMax)) : .after(seen))
  }

  /// A place that was heard is heard on.
  mutating func resumed(
    _ place: Place, _ beginning: Beginning, seq: Int64
  ) -> [SessionAction] {
    guard var reading = self[place] else { return [] }
    // An older history was put in its place, or a new one was begun.
    if case .after(let seen) = beginning, seq < seen {
      reading.doubt()
      self[place] = reading
      return resume(place, reading.beginning(replay: 0))
    }
    reading.entered(beginning, seq: seq)
    self[place] = reading
    return []
  }

  // MARK: Going elsewhere

  /// A terminal shows one room: the one before is left once the new one is entered.
  mutating func moved(
    to room: RoomName, _ beginning: Beginning, seq: Int64, stays: Bool
  ) -> [SessionAction] {
    guard room != hereRoom || isOutside else { return [] }
    var reading = self[.room(room)] ?? PlaceReading(.room(room))
    reading.entered(beginning, seq: seq)
    guard !stays else {
      self[.room(room)] = reading
      return []
    }
    let former: RoomName? = isOutside || room == hereRoom ? nil : hereRoom
    others.removeAll { $0.place == .room(room) }
    here = reading
    isOutside = false
    return former.map { request(.leave($0), for: .aside) } ?? []
  }

  /// It is in the room no more.
  mutating func left(_ room: RoomName) {
    if room == hereRoom { isOutside = true } else { self[.room(room)] = nil }
  }

  // MARK: Hearing

  /// Takes a message or change of a place; nothing comes of one that is known, or not heard here.
  mutating func took(_ message: Message, in place: Place) -> [SessionAction] {
    if case .with(let name) = place {
      if let first = early.map({ $0[name] ?? .max }) {
        early?[name] = min(message.seq, first)
        return []
      }
      // The first that is said between two people.
      if conversations[name] == nil {
        conversations[name] = PlaceReading(place, seen: message.seq - 1)
      }
    }
    guard var reading = self[place] else { return [] }
    let novelty = reading.take(message)
    self[place] = reading
    let line: ServerLine
    switch novelty {
    case .known: return []
    case .replayed: line = .replayed(message, in: place)
    case .live: line = .said(message, in: place)
    }
    let told = SessionAction.tell(.message(message, in: place))
    return isShown(place) ? [told, .show(line)] : [told]
  }

  /// A person sees one room, and what is said to it alone.
  func isShown(_ place: Place) -> Bool {
    switch place {
    case .room: place == here.place && !isOutside
    case .with: true
    }
  }
}
