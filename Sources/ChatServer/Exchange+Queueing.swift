/// From events and answers to bytes that wait: encoded once for all who speak alike, never waiting
/// for a reader.

import ChatHub
import ChatModel
import Dialects

extension Exchange {
  /// Tells one connection; also one that is behind.
  mutating func tell(
    _ connection: ClientConnection, _ event: Event, isOwn: Bool = false, of room: RoomName? = nil
  ) {
    scratch.removeAll(keepingCapacity: true)
    Encoder.encode(event, for: connection.dialect.form, isOwn: isOwn, into: &scratch)
    queueScratch(for: connection, of: room.flatMap { number(of: $0) })
  }

  /// Answers one connection; also one that is behind. One that is being ended has been told its
  /// last word, and perhaps the end of the stream.
  mutating func answer(_ connection: ClientConnection, _ asked: RequestID?, _ answer: Answer) {
    guard connection.isLive else { return }
    scratch.removeAll(keepingCapacity: true)
    connection.dialect.encode(answer, to: asked, into: &scratch)
    queueScratch(for: connection)
  }

  /// Answers one connection with a page of history, as much of it as fits.
  mutating func answer(
    _ connection: ClientConnection, _ asked: RequestID?, _ page: HistoryPage, of stretch: Stretch
  ) {
    let place = hub.place(of: page.room, for: connection.person)
    guard connection.isLive else { return }  // it comes too late
    scratch.removeAll(keepingCapacity: true)
    connection.dialect.encode(
      page, of: stretch, in: place, bytesMax: limits.pageBytesMax, to: asked, into: &scratch)
    queueScratch(for: connection, asked, wordsOf: [page.room])
  }

  /// Answers one connection with what was found.
  mutating func answer(
    _ connection: ClientConnection, _ asked: RequestID?, _ findings: Findings
  ) {
    guard connection.isLive else { return }
    scratch.removeAll(keepingCapacity: true)
    connection.dialect.encode(.found(findings), to: asked, into: &scratch)
    let rooms = Set(findings.messages.map(\.message.draft.room))
    queueScratch(for: connection, asked, wordsOf: rooms)
  }

  mutating func queueScratch(
    for connection: ClientConnection, of room: RoomNumbers.Number? = nil
  ) {
    guard let slice = scratchSlice(for: connection, of: room) else { return }
    queue(slice, for: connection)
  }

  /// An answer with words of rooms: until it is sent they can be taken back.
  private mutating func queueScratch(
    for connection: ClientConnection, _ asked: RequestID?, wordsOf rooms: Set<RoomName>
  ) {
    guard let slice = scratchSlice(for: connection, of: nil) else { return }
    let isWeb = connection.dialect.form == .silent
    slice.bytes.answer = RoomAnswer(
      isWeb ? .overHTTP(connection.visitor) : .inChat(asked, connection.person), of: rooms)
    queue(slice, for: connection)
  }

  private func scratchSlice(
    for connection: ClientConnection, of room: RoomNumbers.Number?
  ) -> Slice? {
    guard !scratch.isEmpty else { return nil }
    return Slice(SharedBytes(scratch), of: room, unit: Slice.Unit(connection.dialect.form))
  }

  /// Shows a message to everybody whom it is for and who is not behind there.
  mutating func publish(_ ids: [ConnectionID], _ message: Message, in place: Place) {
    let room = message.draft.room
    let number = self.number(of: room)
    var slices = FormSlices()
    for id in ids {
      guard let connection = connections[id] else { continue }
      let isOwn = connection.person == message.draft.person
      let slice = slices.get(connection.dialect.form, isOwn: isOwn) { form, isOwn in
        encode(.message(message, in: place), for: form, isOwn: isOwn, of: number)
      }
      guard let slice else { continue }
      if !connection.lags.isEmpty, connection.lags.contains(room) {
        connection.lags.note(
          slice, message.seq, in: room, weightMax: limits.outboxBytesMax / 2)
        continue
      }
      switch connection.dialect.form {
      case .raw: queueRaw(slice, for: connection)
      case .line, .json, .frame, .event, .silent:
        if connection.outbox.hasRoom(for: slice, weightMax: limits.outboxBytesMax) {
          connection.outbox.append(slice)
        } else {
          connection.lags.begin(room, .after(message.seq - 1))
        }
        markDirty(connection)
      }
    }
  }

  /// Tells many what nobody misses for long: a reader that is far behind is not told.
  mutating func tellAll(_ ids: [ConnectionID], _ event: Event) {
    let number = event.room.flatMap { self.number(of: $0) }
    var slices = FormSlices()
    for id in ids {
      guard let connection = connections[id] else { continue }
      let slice = slices.get(connection.dialect.form, isOwn: false) { form, _ in
        encode(event, for: form, isOwn: false, of: number)
      }
      guard let slice else { continue }
      switch connection.dialect.form {
      case .raw: queueRaw(slice, for: connection)
      case .line, .json, .frame, .event, .silent:
        guard connection.outbox.hasRoom(for: slice, weightMax: limits.outboxBytesMax) else {
          continue
        }
        connection.outbox.append(slice)
        markDirty(connection)
      }
    }
  }

  /// Nil when the form does not show the event.
  mutating func encode(
    _ event: Event, for form: Form, isOwn: Bool, of room: RoomNumbers.Number?
  ) -> Slice? {
    scratch.removeAll(keepingCapacity: true)
    Encoder.encode(event, for: form, isOwn: isOwn, into: &scratch)
    return scratch.isEmpty
      ? nil : turnBytes.add(scratch, of: room, unit: Slice.Unit(form))
  }

  /// Nil for a conversation: nobody is put out of one.
  private mutating func number(of room: RoomName) -> RoomNumbers.Number? {
    guard room.people == nil else { return nil }
    return roomNumbers.number(of: room)
  }

  /// Queues what only this connection is sent. It has a bound, since who does not read what was
  /// answered is not read.
  mutating func queue(_ slice: Slice, for connection: ClientConnection) {
    switch connection.dialect.form {
    case .line, .json, .frame, .event, .silent:
      connection.outbox.append(slice)
      markDirty(connection)
    case .raw: queueRaw(slice, for: connection)
    }
  }

  /// Raw clients are sent one line a write, so each line is a slice of its own.
  mutating func queueRaw(_ slice: Slice, for connection: ClientConnection) {
    for line in slice.eachUnit() { connection.outbox.append(line, apart: true) }
    if connection.outbox.units > limits.rawLinesMax {
      connection.outbox.skip(keepingNewest: limits.rawLinesKept)
    }
    markDirty(connection)
  }

  mutating func markDirty(_ connection: ClientConnection) {
    guard !connection.isDirty, connection.stage != .closed else { return }
    connection.isDirty = true
    dirty.append(connection)
  }
}

extension Slice.Unit {
  /// What bytes of this form are made of.
  init(_ form: Form) {
    self =
      switch form {
      case .line, .raw, .json: .line
      case .frame: .frame
      case .event: .event
      case .silent: .whole
      }
  }
}

/// A message in each form that was asked for, encoded once.
struct FormSlices {
  private var slices = [Slice??](repeating: nil, count: 2 * Form.allCases.count)

  mutating func get(
    _ form: Form, isOwn: Bool, _ encode: (Form, Bool) -> Slice?
  ) -> Slice? {
    let index = 2 * form.rawValue + (isOwn ? 1 : 0)
    if let known = slices[index] { return known }
    let slice = encode(form, isOwn)
    slices[index] = .some(slice)
    return slice
  }
}

extension Event {
  /// The room that it tells of, where it is for nobody but those who are there.
  fileprivate var room: RoomName? {
    switch self {
    case .joined(let room, _, members: _), .left(let room, _, members: _): room
    case .membersChanged(let room, joined: _, left: _, members: _): room
    case .typing(.room(let room), _, _): room
    case _: nil
    }
  }
}
