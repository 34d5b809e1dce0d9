/// A fact as a line of an exported history, and back.

internal import ChatModel
internal import Wire

extension ArchiveLine {
  /// `{"fact":"epoch","key":"7301","value":…}`; nothing for a fact that removes.
  static func append(_ fact: Fact, to bytes: inout [UInt8]) {
    guard let value = FactRow.value(of: fact) else { return }
    let key = FactRow.key(of: fact.key)
    bytes.append(ascii: #"{"fact":"#)
    bytes.append(quoted: key.kind.name)
    bytes.append(ascii: #","key":"#)
    bytes.append(quoted: key.text)
    bytes.append(ascii: #","value":"#)
    bytes += value.utf8
    bytes.append(ascii: "}\n")
  }

  static func fact(_ name: String, _ document: JSONDocument) throws(Problem) -> Fact {
    guard let kind = FactRow.Kind(name: name) else {
      throw Problem("there is no kind of fact '\(name)'")
    }
    guard let key = try string("key", document, document.root) else {
      throw Problem("'key' is missing")
    }
    guard let value = document.member("value", of: document.root) else {
      throw Problem("'value' is missing")
    }
    do throws(RowDamage) {
      return try FactRow.fact(kind, key, value, in: document)
    } catch {
      throw Problem(error.words)
    }
  }
}
