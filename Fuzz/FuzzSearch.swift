/// Fuzzes searches: any bytes as a query are refused or answered, never failed; and a text is found
/// by itself, as words and as a phrase, and by the beginning of its last word.

import ChatModel
import Foundation
import Stores

func fuzzSearch(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let choice = input.byte()
  let bytes = input.all()
  let string = String(decoding: bytes, as: UTF8.self)
  let sight = Sight(
    hidden: choice & 1 == 0 ? [] : [.lobby], made: choice & 2 == 0 ? [] : [.audit])
  var search = Search(string)
  if choice & 4 != 0 { search.from = try? UserName(string) }
  if let query = try? SearchQuery(search, in: nil, seeing: sight) {
    let page = searched.find(query)
    precondition(sight.includes(.lobby) || page.messages.isEmpty, "a room is shown that is hidden")
  }
  search = Search("a", cursor: string)
  if let query = try? SearchQuery(search, in: nil, seeing: sight) { _ = searched.find(query) }

  guard let text = MessageText(String(decoding: bytes.prefix(200), as: UTF8.self)) else { return 0 }
  // In a query quotes are no part of what stands between them.
  let quotes = "\"“”„".unicodeScalars
  guard !text.string.unicodeScalars.contains(where: { quotes.contains($0) }) else { return 0 }
  let seq = searched.keep(text)
  for string in [text.string, "\"\(text.string)\"", text.string + "*"] {
    let everywhere = Sight(hidden: [], made: [])
    let search = Search(string, limit: 1)
    guard let query = try? SearchQuery(search, in: nil, seeing: everywhere) else { continue }
    let found = searched.find(query).messages.first?.seq
    precondition(found == seq, "a text is not found by \(string.debugDescription)")
  }
  return 0
}

// nonisolated(unsafe) because the fuzzer calls from one thread.
nonisolated(unsafe) private let searched = SearchedHistory()

/// A history in memory's file system, with its index.
private final class SearchedHistory {
  private let store: SQLiteStore
  private let index: SearchIndex
  private let folder = "/dev/shm/beck-fuzz-search-\(getpid())"
  private var kept = 0

  init() {
    atexit {
      try? FileManager.default.removeItem(atPath: "/dev/shm/beck-fuzz-search-\(getpid())")
    }
    do throws(StoreError) {
      store = try SQLiteStore(in: DataDirectory(folder))
      index = try SearchIndex(behind: store)
    } catch {
      preconditionFailure("no history to search: \(error)")
    }
  }

  /// Gives the message's number when it can be found.
  func keep(_ text: MessageText) -> Int64 {
    guard let from = try? UserName("ann") else { preconditionFailure("ann is a name") }
    let draft = Draft(room: .lobby, person: PersonID(rawValue: 7), from: from, text: text)
    kept += 1
    let isFull = kept.isMultiple(of: 4_096)
    return wait { [store, index] in
      if isFull { _ = try await store.expire(Retention(messagesPerRoomMax: 100)) }
      let kept = try await store.append([draft])
      try await index.catchUp()
      guard case .stored(let seq, _) = kept[0] else { return 0 }
      return seq
    }
  }

  func find(_ query: SearchQuery) -> SearchPage {
    wait { [index] in
      do {
        return try await index.find(query)
      } catch  where "\(error)".contains("made anew meanwhile") {
        return SearchPage(messages: [], cursor: nil)
      }
    }
  }

  private func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) -> Result {
    let done = DispatchSemaphore(value: 0)
    // nonisolated(unsafe) because the semaphore stands between the two.
    nonisolated(unsafe) var result: Result?
    Task.detached {
      do {
        result = try await body()
      } catch {
        preconditionFailure("a search fails: \(error)")
      }
      done.signal()
    }
    done.wait()
    guard let result else { preconditionFailure("there is a result") }
    return result
  }
}
