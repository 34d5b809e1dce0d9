/// Measures the streams against bare sockets in the same run: echo, bulk, TLS bulk, idle pairs.
/// Prints medians over alternating rounds, and each figure's bar. Arguments: `echo`, `bulk`, `tls`,
/// `idle`; all of them without any. Ends with 1 when a bar is missed.

import SocketStreams

let wanted = CommandLine.arguments.dropFirst()
var areMet = true
for (name, benchmark) in [
  ("echo", echoBenchmark), ("bulk", bulkBenchmark), ("tls", secureBulkBenchmark),
  ("idle", idleBenchmark),
] where wanted.isEmpty || wanted.contains(name) {
  for figure in try benchmark() {
    print(figure.line)
    areMet = areMet && figure.isMet
  }
}
exit(areMet ? 0 : 1)
