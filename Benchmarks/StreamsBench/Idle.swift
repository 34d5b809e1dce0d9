/// What open, scheduled, silent pairs cost: the process's clock ticks over five seconds for 500 of
/// them, and the memory that each further pair takes.

import SocketStreams

private final class Counter: StreamDelegate {
  var opened = 0

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    if eventCode == .openCompleted { opened += 1 }
  }
}

/// Pairs and the far ends of their connections, in this process too.
private struct Crowd {
  let counter = Counter()
  var streams: [Stream] = []
  var accepted: [Int32] = []
  let listener: Int32
  let port: UInt16

  init() throws {
    (listener, port) = try listening()
  }

  /// Opens so many pairs and waits until all are open. A run with a finite limit makes Foundation
  /// start dispatch threads, whose end would be counted; so the loop runs without one.
  mutating func grow(by count: Int) {
    for _ in 0..<count {
      let made = makeSocketStreams(host: "127.0.0.1", port: port, route: .preferred)
      for stream in [made.input, made.output].compactMap({ $0 as Stream? }) {
        stream.delegate = counter
        stream.schedule(in: .current, forMode: .default)
        stream.open()
        streams.append(stream)
      }
      accepted.append(accept(listener, nil, nil))
    }
    while counter.opened < streams.count {
      _ = RunLoop.current.run(mode: .default, before: .distantFuture)
    }
    runLoop(seconds: 1)
  }

  func close() {
    for stream in streams { stream.close() }
    for descriptor in accepted + [listener] { _ = Glibc.close(descriptor) }
  }
}

func idleBenchmark() throws -> [Figure] {
  var crowd = try Crowd()
  crowd.grow(by: 500)
  var before = tms()
  times(&before)
  runLoop(seconds: 5)
  var after = tms()
  times(&after)
  let ticks = (after.tms_utime - before.tms_utime) + (after.tms_stime - before.tms_stime)
  let small = try residentBytes()
  crowd.grow(by: 500)
  let perPair = Double(try residentBytes() - small) / 500 / 1024
  crowd.close()
  print("idle: 500 pairs over 5 s; memory of the next 500")
  return [
    Figure(name: "clock ticks", value: Double(ticks), bar: 0, atMost: true),
    Figure(name: "KiB resident a pair", value: perPair, bar: 8, atMost: true),
  ]
}

/// From /proc/self/statm: the second number, in pages.
private func residentBytes() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
    throw BenchError(what: "no resident size in /proc/self/statm")
  }
  return pages * Int(getpagesize())
}

private func runLoop(seconds: Double) {
  let timer = Timer(timeInterval: seconds, repeats: false) { _ in
    CFRunLoopStop(CFRunLoopGetCurrent())
  }
  RunLoop.current.add(timer, forMode: .default)
  CFRunLoopRun()
}
