/// Measures the SQLite store in a directory on the disk that is to be measured (the argument;
/// `.build/bench-store` without one). Prints each figure beside its bar; ends with 1 when one is
/// missed.

import Glibc

let directory = CommandLine.arguments.dropFirst().first ?? ".build/bench-store"
var areMet = true
for benchmark in [batchBenchmark, commitBenchmark, pageBenchmark, expiryBenchmark] {
  for figure in try await benchmark(directory) {
    print(figure.line)
    areMet = areMet && figure.isMet
  }
  fflush(nil)
}
exit(areMet ? 0 : 1)
