/// What the fuzzer calls: one program for all targets, so that they are built and linked once.

import Glibc

private typealias Target = @Sendable (UnsafePointer<UInt8>, Int) -> CInt

/// By the name of its folder in corpus/.
private let targets: [String: Target] = [
  "Detector": fuzzDetector,
  "Dialect": fuzzDialect,
  "HTTP": fuzzHTTP,
  "Import": fuzzImport,
  "JSON": fuzzJSON,
  "PlainReader": fuzzPlainReader,
  "Search": fuzzSearch,
  "StoredRow": fuzzStoredRow,
  "WebSocket": fuzzWebSocket,
]

/// BECK_FUZZ_TARGET names the target.
private let target: Target = {
  let name = getenv("BECK_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    fatalError("BECK_FUZZ_TARGET names one of \(targets.keys.sorted().joined(separator: ", "))")
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt { target(start, count) }
