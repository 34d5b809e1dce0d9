/// Fuzzes the detector: the verdict hangs on the first bytes alone, never on how they were cut.

import Dialects

func fuzzDetector(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  var sizes = [input.byte(), input.byte(), input.byte(), input.byte()].map { Int($0 % 8) }
  let bytes = input.all()

  var whole = Detector()
  let verdict = bytes.withUnsafeBytes { whole.received($0) }

  var cut = Detector()
  var cutVerdict = Detector.Verdict.unknown
  var kept: [[UInt8]] = []
  var rest = bytes[...]
  while cutVerdict == .unknown, !rest.isEmpty {
    let read = Array(rest.prefix(1 + sizes[0]))
    rest = rest.dropFirst(read.count)
    sizes.append(sizes.removeFirst())
    cutVerdict = read.withUnsafeBytes { cut.received($0) }
    if cutVerdict == .unknown { kept.append(read) }
  }

  precondition(cutVerdict == verdict, "cutting the bytes changed the verdict")
  precondition(cut.reads == kept, "the reads are not kept as they came")
  let held = kept.reduce(0) { sum, read in sum + read.count }
  precondition(held < 12, "more is kept than the longest beginning has")
  return 0
}
