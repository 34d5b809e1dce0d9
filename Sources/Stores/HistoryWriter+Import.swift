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

  /// Leads from a message that was changed to its newest change.
  func link(_ message: RowNumber, to change: RowNumber) throws(StoreError) {
    lead.bind(1, message.value)
    lead.bind(2, change.seq)
    try lead.run()
  }

  /// A fact's value as it is written; nil where there is none.
  func value(of key: FactRow.Key) throws(StoreError) -> String? {
    fact.bind(1, key.kind.rawValue)
    return try fact.bind(2, key.text) { () throws(StoreError) in
      defer { fact.reset() }
      return try fact.step() ? fact.strictText(0) ?? "" : nil
    }
  }

  func accountNames() throws(StoreError) -> [UserName: PersonID] {
    var rows = try FactRows(database)
    var names: [UserName: PersonID] = [:]
    while let row = try rows.next() {
      if case .success(.account(let person, let account?)) = row { names[account.name] = person }
    }
    return names
  }

  /// By bytes: texts that look alike are equal as strings.
  private func isSame(_ one: Message, _ other: Message) -> Bool {
    let strings = { (message: Message) in
      [message.draft.words, message.draft.from.shown, message.draft.key?.string ?? ""]
        .map { Array($0.utf8) }
    }
    let (content, otherContent) = (one.draft.content, other.draft.content)
    return one.at == other.at && one.edited == other.edited
      && one.draft.person == other.draft.person && one.draft.replyTo == other.draft.replyTo
      && RowKind(content) == RowKind(otherContent) && content.about == otherContent.about
      && strings(one) == strings(other)
  }
}
