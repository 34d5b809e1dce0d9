/// Fuzzes the reading of damaged rows: values of any type and any bytes in a row of a history. The
/// others are read whatever that one holds, and nothing is lost without a word.

import CSQLite
import Foundation
import Stores

func fuzzStoredRow(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  row.set(&input)

  var lines: [UInt8] = []
  var problems: [String] = []
  do throws(StoreError) {
    let export = try HistoryExport(place)
    while let some = try export.next() { lines += some }
    _ = try HistoryCheck.run(place, found: { problems.append($0) })
    let isUnreadable = problems.contains {
      $0.contains("cannot be read: ") || $0.contains("is not what became of its message")
    }
    precondition(export.given + export.losses.count == 3, "a message is lost without a word")
    precondition(export.losses.isEmpty != isUnreadable, "the check and the pages disagree")
  } catch {
    preconditionFailure("one row keeps all from being read: \(error)")
  }

  // What was exported can be imported: its end alone keeps it from being taken.
  var parts: [[UInt8]] = [lines]
  do throws(StoreError) {
    _ = try HistoryImport.run(
      into: other,
      read: { () throws(StoreError) in
        guard let part = parts.popLast() else { throw .failed("the end") }
        return part
      })
  } catch {
    precondition(error == .failed("the end"), "an export is refused: \(error)")
  }
  return 0
}

private let folder = "/dev/shm/beck-fuzz-row-\(getpid())"
private let place = DataDirectory(folder + "/damaged")
private let other = DataDirectory(folder + "/other")
// nonisolated(unsafe) because the fuzzer calls from one thread.
nonisolated(unsafe) private let row = Row()

/// The second of three messages, through a connection that believes its columns to take anything.
private struct Row {
  private let update: OpaquePointer?

  init() {
    mkdir(folder, 0o700)
    atexit { try? FileManager.default.removeItem(atPath: folder) }
    let line = #""room":"tea","from":"ann","person":"7","text":"hi","at":"2026-11-30T02:10:00Z"}"#
    let lines =
      [#"{"beck":"history","version":1}"#] + (1...3).map { #"{"seq":\#($0),\#(line)"# }
      + [#"{"end":{"messages":3}}"#]
    var parts = [Array(lines.joined(separator: "\n").utf8)]
    do throws(StoreError) {
      _ = try HistoryImport.run(into: place, read: { parts.popLast() })
    } catch {
      preconditionFailure("no history to damage: \(error)")
    }
    let made = "(SELECT sql FROM made)"
    Self.runOnce(
      """
      CREATE TABLE made AS SELECT sql FROM sqlite_schema WHERE name = 'messages';
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE messages (id INTEGER PRIMARY KEY,
        at, person, name, text, key, reply_to, kind, about, edited)' WHERE name = 'messages'
      """)
    let loose = Self.open()
    var update: OpaquePointer?
    sqlite3_prepare_v2(
      loose,
      """
      UPDATE messages SET at = ?, person = ?, name = ?, text = ?, key = ?, reply_to = ?,
        kind = ?, about = ?, edited = ?
      WHERE id = (1 << 40) + 2
      """, -1, &update, nil)
    self.update = update
    // Nobody tells that connection of it.
    Self.runOnce(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = \(made) WHERE name = 'messages'
      """)
  }

  func set(_ input: inout FuzzInput) {
    let kept = input.byte()
    for column in Int32(1)...6 where kept >> UInt8(column) & 1 == 0 { bind(column, &input) }
    // Mostly a message as it was: inputs of before mean what they meant.
    sqlite3_bind_int64(update, 7, 0)
    sqlite3_bind_null(update, 8)
    sqlite3_bind_null(update, 9)
    guard kept & 0x80 != 0 else { return finish() }
    for column in Int32(7)...9 where kept & 1 == 0 || column == 7 { bind(column, &input) }
    finish()
  }

  private func finish() {
    precondition(sqlite3_step(update) == SQLITE_DONE, "the row cannot be set")
    sqlite3_reset(update)
  }

  private func bind(_ column: Int32, _ input: inout FuzzInput) {
    let kind = input.byte()
    let count = Int(input.byte()) * (kind & 0x80 == 0 ? 1 : 40)
    switch kind % 6 {
    case 0: sqlite3_bind_null(update, column)
    case 1: sqlite3_bind_int64(update, column, Int64(Int8(truncatingIfNeeded: count)))
    case 2:
      let number = input.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      sqlite3_bind_int64(update, column, Int64(bitPattern: number))
    case 3: sqlite3_bind_double(update, column, Double(count) / 2)
    case 4: bindBytes(column, input.bytes(count), asText: true)
    default: bindBytes(column, input.bytes(count), asText: false)
    }
  }

  private func bindBytes(_ column: Int32, _ bytes: [UInt8], asText: Bool) {
    // SQLITE_TRANSIENT: it makes a copy.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      if asText {
        sqlite3_bind_text(update, column, start, Int32(bytes.count), copying)
      } else {
        sqlite3_bind_blob(update, column, start, Int32(bytes.count), copying)
      }
    }
  }

  private static func open() -> OpaquePointer? {
    var handle: OpaquePointer?
    sqlite3_open_v2(place.historyPath, &handle, SQLITE_OPEN_READWRITE, nil)
    run(handle, "SELECT count(*) FROM messages")
    return handle
  }

  private static func runOnce(_ sql: String) {
    let handle = open()
    run(handle, sql)
    sqlite3_close(handle)
  }

  private static func run(_ handle: OpaquePointer?, _ sql: String) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    precondition(result == SQLITE_OK, String(cString: sqlite3_errmsg(handle)))
  }
}
