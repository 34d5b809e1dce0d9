/// Fuzzes searches: any bytes as a query are refused or answered, and never by an error of the
/// index; a text is found by every piece of itself.

import ChatModel
import Foundation
import Stores

func fuzzSearch(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let choice = input.byte()
  let cut = Int(input.byte())
  let bytes = input.all()
  let query = String(decoding: bytes, as: UTF8.self)
  let scope: SearchScope =
    choice & 1 == 0 ? .all(except: choice & 2 == 0 ? [] : [.lobby]) : .only([.lobby])
  let person = choice & 4 == 0 ? nil : PersonID(rawValue: Int64(choice))
  if let search = try? SearchQuery(query, seeing: scope, person: person) { _ = find(search) }
  if let search = try? SearchQuery("a", seeing: .all(except: []), cursor: query) {
    _ = find(search)
  }

  // The whole text in quotes finds it, and so do its words and their pieces, if it has any.
  guard let text = MessageText(String(decoding: bytes.prefix(200), as: UTF8.self)) else { return 0 }
  let found = index.keep(text)
  let scalars = text.string.unicodeScalars.filter { !"\"“”„*".unicodeScalars.contains($0) }
  let plain = String(String.UnicodeScalarView(scalars))
  // Quotes are blanks in a text, but no part of what is in them in a query.
  guard plain.unicodeScalars.count == text.string.unicodeScalars.count else { return 0 }
  for query in [plain, "\"\(plain)\"", String(plain.split(separator: " ").first ?? "") + "*"] {
    guard let search = try? SearchQuery(query, seeing: .all(except: [])) else { continue }
    precondition(found(search), "a text is not found by itself: \(query.debugDescription)")
  }
  _ = cut
  return 0
}

private let folder = "/dev/shm/beck-fuzz-search-\(getpid())"
private let index = SearchedHistory()

private func find(_ query: SearchQuery) -> [Message] {
  do throws(StoreError) {
    return try index.find(query).messages
  } catch {
    precondition(error.sentence.contains("made anew"), "a query is refused: \(error)")
    return []
  }
}
