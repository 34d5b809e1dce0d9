/// What the tests of stores need: a store of each kind, a place for it, drafts. Asserts nothing.

import ChatModel
import Foundation
import Loop
import TestSupport

@testable import Stores

/// Each way to keep messages.
enum Keeper: String, CaseIterable, Sendable {
  case memory, sqlite

  /// Opens one, lets `body` use it and closes it.
  @discardableResult func with<Result>(
    clock: HandClock = HandClock(), _ body: (any MessageStore) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .memory:
      return try await body(MemoryStore(now: clock.now))
    case .sqlite:
      return try await TemporaryDirectory().withStore(clock: clock) { try await body($0) }
    }
  }
}

/// A clock on the wall that the test sets.
final class HandClock: Sendable {
  private let moment: Guarded<Moment>

  init(_ milliseconds: Int64 = 1_800_000_000_000) {
    moment = Guarded(Moment(milliseconds: milliseconds))
  }

  var now: @Sendable () -> Moment { { [moment] in moment.withLock { $0 } } }

  func set(_ milliseconds: Int64) { moment.withLock { $0.milliseconds = milliseconds } }

  func advance(hours: Int64) { moment.withLock { $0.milliseconds += hours * 3_600_000 } }
}

/// A directory that is gone with this.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/beck-stores-\(String(repeating: "X", count: 6))".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure.system("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The data directory inside, which is not made yet.
  var data: DataDirectory { DataDirectory(path + "/data") }
}

extension TemporaryDirectory {
  /// Opens the store in the data directory, lets `body` use it and closes it.
  @discardableResult func withStore<Result>(
    clock: HandClock = HandClock(), _ body: (SQLiteStore) async throws -> Result
  ) async throws -> Result {
    let store = try SQLiteStore(in: data, now: clock.now)
    do {
      let result = try await body(store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  /// What is wrong with the history, as `beck verify` has it.
  func problems() throws -> [String] {
    let problems = Guarded<[String]>([])
    _ = try HistoryCheck.run(data, found: { problem in problems.withLock { $0.append(problem) } })
    return problems.withLock { $0 }
  }

  /// Runs SQL on the history's file, which no store has open.
  func alter(_ sql: String...) throws {
    for sql in sql { try Database(data.historyPath, .writing).run(sql) }
  }

  /// What lies in the data directory, by name; `history.db-shm` holds no data.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data.path)
    where name != "lock" && name != "history.db-shm" {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: data.path + "/" + name))
    }
    // An empty log is no log.
    if contents["history.db-wal"]?.isEmpty == true { contents["history.db-wal"] = nil }
    return contents
  }
}

let lobby = RoomName.lobby
let tea = room("tea")
let ann = PersonID(rawValue: 1)
let bob = PersonID(rawValue: 2)

func room(_ name: String) -> RoomName {
  guard let room = RoomName(name) else { preconditionFailure("'\(name)' is no room") }
  return room
}

func key(_ string: String) -> MessageKey {
  guard let key = MessageKey(string) else { preconditionFailure("'\(string)' is no key") }
  return key
}

func draft(
  _ text: String, in room: RoomName = lobby, by person: PersonID = ann, as name: String = "ann",
  key: String? = nil, replyTo: Int64? = nil
) -> Draft {
  guard let text = MessageText(text), let from = try? UserName(name) else {
    preconditionFailure("a test's own text and name are fine")
  }
  return Draft(
    room: room, person: person, from: from, text: text, key: key.map { StoresTests.key($0) },
    replyTo: replyTo)
}

func edit(
  _ seq: Int64, _ text: String, in room: RoomName = lobby, by person: PersonID = ann,
  key: String? = nil
) -> Draft {
  var draft = draft(text, in: room, by: person, key: key)
  if case .text(let text) = draft.content { draft.content = .edit(of: seq, text) }
  return draft
}

func deletion(
  _ seq: Int64, in room: RoomName = lobby, by person: PersonID = ann, key: String? = nil
) -> Draft {
  var draft = draft("x", in: room, by: person, key: key)
  draft.content = .deletion(of: seq)
  return draft
}

func topic(
  _ text: String?, in room: RoomName = lobby, by person: PersonID = ann, key: String? = nil
) -> Draft {
  var draft = draft("x", in: room, by: person, key: key)
  draft.content = .topic(text.flatMap { ShortText($0) })
  return draft
}

/// `1`, `2` and so on as texts.
func drafts(_ numbers: ClosedRange<Int>, in room: RoomName = lobby) -> [Draft] {
  numbers.map { draft("\($0)", in: room) }
}

/// What is asked for of a room that has 91...100 left, what comes and whether there is more.
let pagesOfTheNewestTen: [(Stretch, Int, ClosedRange<Int64>?, Bool, ClosedRange<Int64>?)] = [
  (.before(nil), 5, 96...100, true, nil), (.before(nil), 10, 91...100, false, 1...90),
  (.before(95), 10, 91...94, false, 1...90), (.before(91), 10, nil, false, 1...90),
  (.before(50), 10, nil, false, 1...49), (.before(2), 10, nil, false, 1...1),
  (.before(1), 10, nil, false, nil), (.after(0), 5, 91...95, true, 1...90),
  (.after(50), 50, 91...100, false, 51...90), (.after(89), 1, 91...91, true, 90...90),
  (.after(90), 1, 91...91, true, nil), (.after(100), 1, nil, false, nil),
]

extension HistoryPage {
  var seqs: [Int64] { messages.map(\.seq) }
  var texts: [String] { messages.map(\.draft.words) }
}

extension Kept {
  var seq: Int64 {
    switch self {
    case .stored(let seq, _): seq
    case .duplicate(let seq, _, _): seq
    case .refused, .keyReused, .noSuchMessage, .notYours, .recorded: 0
    }
  }
}

extension MessageStore {
  /// Walks the whole room as the protocol says, and gives the numbers in pages and in gaps.
  func everything(
    of room: RoomName, limit: Int
  ) async throws -> (messages: [Message], gaps: [ClosedRange<Int64>]) {
    var messages: [Message] = []
    var gaps: [ClosedRange<Int64>] = []
    var cursor: Int64 = 0
    while true {
      let page = try await page(of: room, .after(cursor), .everything, limit: limit)
      messages += page.messages
      if let gap = page.gap { gaps.append(gap) }
      let next = max(page.messages.last?.seq ?? cursor, page.gap?.upperBound ?? cursor)
      guard page.more, next > cursor else { return (messages, gaps) }
      cursor = next
    }
  }
}
