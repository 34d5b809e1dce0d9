/// The facts of a database, one row after the other. Trusts nothing that it reads.

internal import ChatModel
internal import Wire

/// The facts of a database, one row after the other.
struct FactRows {
  private let rows: Statement
  private var names: Set<UserName> = []

  init(_ database: Database) throws(StoreError) {
    rows = try database.prepare("SELECT kind, key, value FROM facts ORDER BY kind, key")
  }

  /// Nil behind the last one. What is wrong with a row names it.
  mutating func next() throws(StoreError) -> Result<Fact, RowDamage>? {
    guard try rows.step() else { return nil }
    let number = rows.number(0)
    let kind = FactRow.Kind(rawValue: number)
    let key = rows.strictText(1) ?? "?"
    do throws(RowDamage) {
      guard let kind else { throw RowDamage("there is no such kind") }
      guard let value = rows.strictText(2) else { throw RowDamage("its value is no text") }
      let fact = try fact(kind, key, value)
      if case .account(_, let account?) = fact, !names.insert(account.name).inserted {
        throw RowDamage("another account has its name, '\(account.name.shown)'")
      }
      return .success(fact)
    } catch {
      let what = "\(kind?.name ?? "fact of kind \(number)") '\(key)'"
      return .failure(RowDamage("\(what) cannot be read: \(error.words)"))
    }
  }

  private func fact(
    _ kind: FactRow.Kind, _ key: String, _ value: String
  ) throws(RowDamage) -> Fact {
    let document: JSONDocument
    do {
      document = try JSONDocument(Array(value.utf8)[...])
    } catch {
      throw RowDamage("its value is no JSON")
    }
    return try FactRow.fact(kind, key, document.root, in: document)
  }
}
