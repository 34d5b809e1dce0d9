/// Facts as rows of a table and as lines of an export, and back. Trusts nothing that it reads.

internal import ChatModel
internal import Wire

/// How a fact is written: which kind it is of, a text for what it is about, and its value in JSON.
enum FactRow {
  struct Key: Hashable {
    let kind: Kind
    let text: String
  }

  /// The number stands in the table, the name in exports. Neither is ever changed.
  enum Kind: Int64, CaseIterable {
    case account = 1
    case epoch = 2

    var name: String {
      switch self {
      case .account: "account"
      case .epoch: "epoch"
      }
    }

    init?(name: String) {
      guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = kind
    }
  }

  static func key(of key: Fact.Key) -> Key {
    switch key {
    case .account(let person): Key(kind: .account, text: String(person.rawValue))
    case .epoch(let person): Key(kind: .epoch, text: String(person.rawValue))
    }
  }

  /// Nil for a fact that removes.
  static func value(of fact: Fact) -> String? {
    var json: [UInt8] = []
    switch fact {
    case .account(_, nil), .epoch(_, nil): return nil
    case .account(_, let account?): append(account, to: &json)
    case .epoch(_, let epoch?): json.append(decimal: epoch)
    }
    return String(decoding: json, as: UTF8.self)
  }

  private static func append(_ account: Account, to json: inout [UInt8]) {
    json.append(ascii: #"{"name":"#)
    json.append(quoted: account.name.shown)
    json.append(ascii: #","password":"#)
    json.append(quoted: account.password.string)
    json.append(ascii: #","role":"#)
    json.append(quoted: account.role.rawValue)
    json.append(ascii: "}")
  }
}

// Reading.
extension FactRow {
  static func fact(
    _ kind: Kind, _ key: String, _ value: JSONDocument.Value, in document: JSONDocument
  ) throws(RowDamage) -> Fact {
    switch kind {
    case .account: .account(try person(key), try account(value, document))
    case .epoch: .epoch(try person(key), try epoch(value, document))
    }
  }

  /// Written as the key of a fact is, and no other way: two rows never have one key.
  private static func person(_ key: String) throws(RowDamage) -> PersonID {
    guard let number = Int64(key), number != 0, String(number) == key else {
      throw RowDamage("its person is no number above or below 0")
    }
    return PersonID(rawValue: number)
  }

  private static func account(
    _ value: JSONDocument.Value, _ document: JSONDocument
  ) throws(RowDamage) -> Account {
    let member = { (key: String) -> String? in
      document.member(key, of: value).flatMap { document.string($0) }
    }
    guard let shown = member("name") else { throw RowDamage("it has no name") }
    let name: UserName
    do {
      name = try UserName(shown)
    } catch {
      throw RowDamage("its name cannot be one (\(error))")
    }
    guard name.shown.utf8.elementsEqual(shown.utf8) else {
      throw RowDamage("its name has blanks around it")
    }
    guard let password = member("password").flatMap({ PasswordHash($0) }) else {
      throw RowDamage("its password's hash is none")
    }
    guard let role = member("role").flatMap({ Role(rawValue: $0) }) else {
      throw RowDamage("its role is none")
    }
    return Account(name: name, password: password, role: role)
  }

  private static func epoch(
    _ value: JSONDocument.Value, _ document: JSONDocument
  ) throws(RowDamage) -> Int64 {
    guard let epoch = document.integer(value), epoch > 0, epoch < .max else {
      throw RowDamage("it is no number above 0")
    }
    return epoch
  }
}

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
