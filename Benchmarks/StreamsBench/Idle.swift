/// What 500 open, scheduled, silent pairs cost: the process's clock ticks over five seconds.

import SocketStreams

private final class Counter: StreamDelegate {
  var opened = 0

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    if eventCode == .openCompleted { opened += 1 }
  }
}

func idleBenchmark() throws -> [Figure] {
  let (listener, port) = try listening()
  let counter = Counter()
  var streams: [Stream] = []
  var accepted: [Int32] = []
  for _ in 0..<500 {
    var input: InputStream?
    var output: OutputStream?
    Stream.getStreamsToHost(
      withName: "127.0.0.1", port: Int(port), inputStream: &input, outputStream: &output)
    for stream in [input, output].compactMap({ $0 as Stream? }) {
      stream.delegate = counter
      stream.schedule(in: .current, forMode: .default)
      stream.open()
      streams.append(stream)
    }
    accepted.append(accept(listener, nil, nil))
  }
  // A run with a finite limit makes Foundation start dispatch threads, whose end would be counted;
  // so the waits are timers in one endless run.
  while counter.opened < 1_000 { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
  runLoop(seconds: 1)
  var before = tms()
  times(&before)
  runLoop(seconds: 5)
  var after = tms()
  times(&after)
  let ticks = (after.tms_utime - before.tms_utime) + (after.tms_stime - before.tms_stime)
  print("idle: \(streams.count / 2) pairs over 5 s")
  let figure = Figure(name: "clock ticks", value: Double(ticks), bar: 0, atMost: true)
  for stream in streams { stream.close() }
  for descriptor in accepted { close(descriptor) }
  return [figure]
}

private func runLoop(seconds: Double) {
  let timer = Timer(timeInterval: seconds, repeats: false) { _ in
    CFRunLoopStop(CFRunLoopGetCurrent())
  }
  RunLoop.current.add(timer, forMode: .default)
  CFRunLoopRun()
}
