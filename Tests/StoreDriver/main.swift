/// Keeps messages in the store of a directory, as lines on standard input tell it to: a process
/// that a test can kill, or have in a file system of its own. Tests nothing.

import ChatModel
import Glibc
import Stores

/// At once: this process may be killed at any moment.
func say(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

let directory = DataDirectory(CommandLine.arguments.dropFirst().first ?? ".")

func draft(_ words: [Substring]) -> Draft? {
  guard words.count > 2, let key = MessageKey(String(words[1])),
    let text = MessageText(words[2...].joined(separator: " ")), let from = try? UserName("driver")
  else { return nil }
  return Draft(
    room: .lobby, person: PersonID(rawValue: 1), from: from, text: text, key: key)
}

/// Keeps batches without end and tells of each once it is kept: `kept FIRST LAST`, as numbers of
/// keys, which are texts as well.
func flood(_ store: SQLiteStore, from first: Int, batch: Int) async {
  var next = first
  while true {
    let drafts = (next..<next + batch).compactMap { draft(["keep", "k\($0)", "text \($0)"]) }
    do {
      let kept = try await store.append(drafts)
      let numbers = kept.map { kept in
        switch kept {
        case .stored(let seq, _), .duplicate(let seq, _, _): "\(seq)"
        case .refused, .keyReused, .noSuchMessage, .notYours: "none"
        case .recorded: "recorded"
        }
      }
      say("kept \(next) \(numbers.joined(separator: ","))")
    } catch {
      say("failed \(error)")
    }
    next += batch
  }
}

/// Says one message and changes it without end, beside messages that stay, a few a batch; tells of
/// each batch once it is kept: `changed NUMBER`, which is in the text of its last edit.
func floodWithChanges(_ store: SQLiteStore, from first: Int, batch: Int) async {
  var next = first
  while true {
    var drafts = [draft(["keep", "m\(next)", "message"])].compactMap { $0 }
    for number in next..<next + batch {
      guard var change = draft(["keep", "c\(number)", "edit \(number)"]),
        case .text(let text) = change.content
      else { continue }
      change.key = nil
      change.content = .edit(of: 1, text)
      change.facts = [.mark(.lobby, change.person, Int64(number))]
      drafts.append(change)
    }
    next += batch
    do {
      _ = try await store.append(drafts)
      say("changed \(next - 1)")
    } catch {
      say("failed \(error)")
    }
  }
}

do {
  let store = try SQLiteStore(in: directory)
  say("open")
  var index: SearchIndex?
  while let line = readLine() {
    let words = line.split(separator: " ")
    switch words.first {
    case "keep":
      guard let draft = draft(words) else { continue }
      do {
        switch try await store.append([draft])[0] {
        case .stored(let seq, _): say("kept \(seq)")
        case .duplicate(let seq, _, _): say("again \(seq)")
        case .refused(let error): say("failed \(error)")
        case .keyReused: say("refused: the key is another message's")
        case .noSuchMessage, .notYours: say("refused: nothing is to be changed")
        case .recorded: break
        }
      } catch {
        say("failed \(error)")
      }
    case "flood":
      await flood(store, from: Int(words[1]) ?? 0, batch: Int(words[2]) ?? 1)
    case "search":
      let opened = try SearchIndex(behind: store)
      index = opened
      // Without a pause, so that a kill meets it at work.
      Task.detached { while true { try? await opened.catchUp() } }
      say("searching")
    case "change":
      await floodWithChanges(store, from: Int(words[1]) ?? 0, batch: Int(words[2]) ?? 1)
    case "verify":
      // SQLite follows links in paths to the end: from outside this is another file system.
      let result = try HistoryCheck.run(directory, found: { say("problem \($0)") })
      say("problems \(result.problems)")
    default: say("unknown")
    }
  }
  await index?.close()
  await store.close()
} catch {
  say("refused \(error)")
  exit(1)
}
