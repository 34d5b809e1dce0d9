/// Fuzzes imports: any bytes are either taken whole, into a history that is in order, or refused in
/// a sentence that names a line, however they were cut.

import Foundation
import Stores

func fuzzImport(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let choice = input.byte()
  let piece = 1 + Int(input.byte())
  let header = choice & 1 == 0 ? Array("{\"beck\":\"history\",\"version\":1}\n".utf8) : []
  // The last line has its end, too: that is where the refusal of all comes from.
  let bytes = header + input.all() + [0x0A]

  let whole = outcome(bytes, piece: bytes.count + 1, isTaken: false)
  let cut = outcome(bytes, piece: piece, isTaken: false)
  precondition(whole == cut, "cutting the bytes changed \(whole) to \(cut)")
  // Without a header the end itself is refused.
  guard choice & 0x1F == 0, whole == "the end" else { return 0 }

  for name in ["history.db", "history.db-wal", "history.db-shm"] { unlink(place.path + "/" + name) }
  // Its last line says how many messages there were, and a wrong one how many there should be.
  let ended = { (count: Substring) in bytes + Array("{\"end\":{\"messages\":\(count)}}\n".utf8) }
  var taken = outcome(ended("0"), piece: bytes.count + 1, isTaken: true)
  if taken.contains("behind the end of the export") { return 0 }
  if let wrong = taken.firstMatch(of: /had 0 messages, and here are (\d+)/) {
    taken = outcome(ended(wrong.1), piece: bytes.count + 1, isTaken: true)
  }
  precondition(taken == "taken", "refused at the end: \(taken)")
  precondition(problems.allSatisfy { $0.hasSuffix("missing") }, "\(problems)")
  let lines = exported
  precondition(outcome(lines, piece: 4_096, isTaken: true) == "taken", "its own export is refused")
  // The moment of the export is in its header.
  let tail = { (lines: [UInt8]) in lines.drop { $0 != 0x0A } }
  precondition(tail(exported) == tail(lines), "an export that was imported is another one")
  return 0
}

private let place: DataDirectory = {
  atexit { try? FileManager.default.removeItem(atPath: place.path) }
  return DataDirectory("/dev/shm/beck-fuzz-import-\(getpid())")
}()

/// The refusal, `taken`, or `the end` where that alone kept it from being taken.
private func outcome(_ bytes: [UInt8], piece: Int, isTaken: Bool) -> String {
  var rest = bytes[...]
  do throws(StoreError) {
    _ = try HistoryImport.run(
      into: place,
      read: { () throws(StoreError) in
        guard rest.isEmpty else {
          defer { rest = rest.dropFirst(piece) }
          return Array(rest.prefix(piece))
        }
        guard isTaken else { throw .failed("the end") }
        return nil
      })
    return "taken"
  } catch {
    let sentence = error.sentence
    precondition(sentence == "the end" || sentence.hasPrefix("line "), sentence)
    return sentence
  }
}

private var problems: [String] {
  var problems: [String] = []
  do throws(StoreError) {
    _ = try HistoryCheck.run(place, found: { problems.append($0) })
  } catch {
    return [error.sentence]
  }
  return problems
}

private var exported: [UInt8] {
  var lines: [UInt8] = []
  do throws(StoreError) {
    let export = try HistoryExport(place)
    while let some = try export.next() { lines += some }
    precondition(export.losses.isEmpty, "what was imported cannot be read")
  } catch {
    preconditionFailure(error.sentence)
  }
  return lines
}
