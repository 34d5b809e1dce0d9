/// What an import asks of the writer besides writing: is the message there already?

internal import ChatModel

extension HistoryWriter {
  enum Presence { case absent, same, other }

  /// What is in a message's place.
  func look(for message: Message, at row: RowNumber) throws(StoreError) -> Presence {
    let found = presence
    found.bind(1, row.value)
    defer { found.reset() }
    guard try found.step() else { return .absent }
    var reading = MessageRow()
    guard let there = try? reading.message(found, in: message.draft.room) else { return .other }
    return isSame(there, message) ? .same : .other
  }

  /// By bytes: texts that look alike are equal as strings.
  private func isSame(_ one: Message, _ other: Message) -> Bool {
    let strings = { (message: Message) in
      [message.draft.text.string, message.draft.from.shown, message.draft.key?.string ?? ""]
        .map { Array($0.utf8) }
    }
    return one.at == other.at && one.draft.person == other.draft.person
      && one.draft.replyTo == other.draft.replyTo && strings(one) == strings(other)
  }
}
