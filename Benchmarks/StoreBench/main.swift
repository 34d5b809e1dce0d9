/// Measures the SQLite store in a directory on the disk that is to be measured (the first argument;
/// `.build/bench-store` without one), all or what the other arguments name. Prints each figure
/// beside its bar; ends with 1 when one is missed.

import Glibc

let directory = CommandLine.arguments.dropFirst().first ?? ".build/bench-store"
let wanted = CommandLine.arguments.dropFirst(2)
let benchmarks: [(String, (String) async throws -> [Figure])] = [
  ("batch", batchBenchmark), ("commit", commitBenchmark), ("page", pageBenchmark),
  ("expiry", expiryBenchmark), ("search", searchBenchmark), ("lag", lagBenchmark),
  ("cost", costBenchmark), ("memory", memoryBenchmark),
]
var areMet = true
for (name, benchmark) in benchmarks where wanted.isEmpty || wanted.contains(name) {
  for figure in try await benchmark(directory) {
    print(figure.line)
    areMet = areMet && figure.isMet
  }
  fflush(nil)
}
exit(areMet ? 0 : 1)
