/// What is taken back of what waits to be sent: of a room from who was put out of it, of everything
/// from who was put off the server. What has begun to go out is not torn.

import ChatHub
import ChatModel
import Dialects

extension Exchange {
  /// Nothing more of the room reaches the connection.
  mutating func withdraw(_ room: RoomName, from id: ConnectionID) {
    guard let connection = connections[id] else { return }
    connection.lags.end(room)
    let number = roomNumbers.number(of: room)
    connection.outbox.replaceWaiting { $0.room == number ? nil : $0 }
    refuseAnswers(of: connection) { $0.tells(of: room) }
  }

  /// Of what the person has asked, whoever the connection is by now.
  mutating func withdrawAnswers(of person: PersonID, in room: RoomName?, inChat: Bool) {
    for connection in connections.all {
      if let room, connection.person == person { withdraw(room, from: connection.id) }
      guard !connection.outbox.isEmpty else { continue }
      let isVoid = { (answer: RoomAnswer) in answer.person == person && answer.tells(of: room) }
      if inChat { refuseAnswers(of: connection, where: isVoid) }
      if cutPages(of: connection, where: isVoid) { end(connection, nil, saysNothing: true) }
    }
  }

  /// In the place of each such answer in chat stands that it is refused.
  private func refuseAnswers(
    of connection: ClientConnection, where isVoid: (RoomAnswer) -> Bool
  ) {
    let form = connection.dialect.form
    var refused: Set<ObjectIdentifier> = []
    connection.outbox.replaceWaiting { slice in
      guard let answer = slice.bytes.answer, case .inChat(let request, _) = answer.asked,
        isVoid(answer), let room = answer.rooms.first
      else { return slice }
      // An answer to a raw client is a slice a line.
      guard refused.insert(ObjectIdentifier(answer)).inserted else { return nil }
      var line: [UInt8] = []
      Encoder.encode(.refused(.notMember(room)), to: request, for: form, into: &line)
      return line.isEmpty ? nil : Slice(SharedBytes(line), unit: Slice.Unit(form))
    }
  }

  /// Over HTTP an answer cannot be another one: from the first such page on all is dropped, since
  /// what is behind it would be taken for it. True where there was one.
  private func cutPages(
    of connection: ClientConnection, where isVoid: (RoomAnswer) -> Bool
  ) -> Bool {
    var isCut = false
    connection.outbox.replaceWaiting { slice in
      if let answer = slice.bytes.answer, answer.isPage, isVoid(answer) { isCut = true }
      return isCut ? nil : slice
    }
    return isCut
  }

  /// Who was put off the server gets nothing more of it. True where nothing may be said any more,
  /// since it would be taken for an answer that is left out.
  func skipWords(of connection: ClientConnection) -> Bool {
    if cutPages(of: connection, where: { _ in true }) { return true }
    switch connection.dialect.form {
    case .silent: break
    case _ where connection.dialect.isFollowing:
      // What a follower is told stands behind a head, without which it would mean nothing.
      connection.outbox.replaceWaiting { $0.room == nil ? $0 : nil }
    case .frame:
      // And frames behind the answer that the connection speaks in frames from now on.
      connection.outbox.replaceWaiting { $0.isWhole ? $0 : nil }
    case .line, .raw, .json, .event:
      connection.outbox.skip()
      connection.outbox.skipped = 0
    }
    return false
  }

  mutating func closeAll(of network: Network, _ reason: ClosingReason) {
    for connection in connections.all {
      if let host = connection.countedHost, network.contains(host) { end(connection, reason) }
    }
  }
}
