/// Where a half's events are delivered: run loops and their modes, or a dispatch queue.

internal import CoreFoundation
internal import Dispatch

/// A half's source and where it hangs; exists while the half is scheduled anywhere.
struct Delivery {
  let port: EventPort
  let source: Source
  var places: [Place]

  enum Source {
    /// `tag` is the name by which the `thread` route's helper knows the port.
    case runLoop(CFRunLoopSource, tag: UInt64?)
    case queue(any DispatchSourceRead)
  }

  enum Place: Equatable {
    case mode(RunLoop.Mode, of: CoreFoundationLoop)
    case queue(DispatchQueue)

    static func == (one: Place, other: Place) -> Bool {
      switch (one, other) {
      case (.mode(let mode, let loop), .mode(let otherMode, let otherLoop)):
        loop === otherLoop && mode == otherMode
      case (.queue(let queue), .queue(let otherQueue)): queue === otherQueue
      case (.mode, .queue), (.queue, .mode): false
      }
    }
  }

  var loops: [CoreFoundationLoop] {
    var distinct: [CoreFoundationLoop] = []
    for case .mode(_, let loop) in places where !distinct.contains(where: { $0 === loop }) {
      distinct.append(loop)
    }
    return distinct
  }
}

// MARK: Run loops, under the lock

extension StreamHalf {
  /// Data that waits already is told; an opening that a poll saw is not. Ends delivery on a queue.
  func schedule(in loop: CoreFoundationLoop, mode: RunLoop.Mode) {
    guard !isReleased, let name = mode.coreFoundationMode else { return }
    if case .queue = delivery?.source { endDelivery() }
    if delivery == nil { delivery = makeRunLoopDelivery() }
    let place = Delivery.Place.mode(mode, of: loop)
    guard let delivery, !delivery.places.contains(place),
      case .runLoop(let source, _) = delivery.source
    else { return }
    self.delivery?.places.append(place)
    CFRunLoopAddSource(loop, source, name)
    beginTelling()
    wake(loop)
  }

  /// Ends events there; the connection stays.
  func remove(from loop: CoreFoundationLoop, mode: RunLoop.Mode) {
    let place = Delivery.Place.mode(mode, of: loop)
    guard let delivery, delivery.places.contains(place),
      case .runLoop(let source, _) = delivery.source
    else { return }
    if delivery.places.count == 1 {
      pending.remove(readiness)
      return endDelivery()
    }
    self.delivery?.places.removeAll { $0 == place }
    if let name = mode.coreFoundationMode { CFRunLoopRemoveSource(loop, source, name) }
    // Taking a source out of a common mode takes it out although `.common` still stands.
    for case .mode(let rest, let other) in delivery.places where rest != mode && other === loop {
      if let name = rest.coreFoundationMode { CFRunLoopAddSource(loop, source, name) }
    }
    wake(loop)
  }

  private func makeRunLoopDelivery() -> Delivery? {
    guard let port = makePort(),
      let source = port.makeSource(order: direction == .input ? 0 : 1)
    else { return nil }
    let tag = pair.route == .thread ? WakingThread.shared.add(port) : nil
    return Delivery(port: port, source: .runLoop(source, tag: tag), places: [])
  }

  /// The `thread` route's helper found the port ready.
  func signal(_ port: EventPort) {
    pair.locked {
      guard let delivery, delivery.port === port, case .runLoop(let source, _) = delivery.source
      else { return }
      CFRunLoopSourceSignal(source)
      for loop in delivery.loops { CFRunLoopWakeUp(loop) }
    }
  }

  private func wake(_ loop: CoreFoundationLoop) {
    if loop !== CoreFoundationLoop.current { CFRunLoopWakeUp(loop) }
  }

  /// A loop that waits on another thread may have got the port's descriptor from the kernel just
  /// now and be about to read from it; were the number free, it would read from whatever file got
  /// it next. So such a loop itself lets the descriptor go, on its next pass. A loop that does not
  /// wait cannot hold it: the source was taken out under the loop's own lock.
  private func keepUntilAwake(_ port: EventPort, _ loop: CoreFoundationLoop) {
    guard port.route == .port, loop !== CoreFoundationLoop.current, CFRunLoopIsWaiting(loop),
      let mode = CFRunLoopCopyCurrentMode(loop)
    else { return }
    let descriptor = port.epoll
    CFRunLoopPerformBlock(loop, mode) { withExtendedLifetime(descriptor) {} }
  }
}

// MARK: Queues, under the lock

extension StreamHalf {
  /// Delivers on `queue` from now on, and on no run loop; nil ends delivery.
  func deliver(on queue: DispatchQueue?) {
    if let queue, delivery?.places == [.queue(queue)] { return }
    if delivery != nil {
      pending.remove(readiness)
      endDelivery()
    }
    guard let queue, !isReleased, let port = makePort() else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: port.epoll.number, queue: queue)
    source.setEventHandler { port.half.perform(through: port) }
    // The descriptor must outlive the source's last look at it.
    source.setCancelHandler { withExtendedLifetime(port) {} }
    delivery = Delivery(port: port, source: .queue(source), places: [.queue(queue)])
    beginTelling()
    source.resume()
  }
}

// MARK: Both, under the lock

extension StreamHalf {
  private func makePort() -> EventPort? {
    guard let bell = pair.sharedBell() else { return nil }
    return EventPort(pair: pair, half: self, bell: bell)
  }

  private func beginTelling() {
    isTold = false
    arm()
    if !pending.isEmpty { delivery?.port.ring() }
  }

  /// Takes the source out of all loops, and wakes them so that they notice.
  func endDelivery() {
    guard let delivery else { return }
    self.delivery = nil
    isArmed = false
    if direction == .output { pair.channel?.sendRest() }
    switch delivery.source {
    case .queue(let source): source.cancel()
    case .runLoop(let source, let tag):
      if let tag { WakingThread.shared.remove(delivery.port, tag: tag) }
      for case .mode(let mode, let loop) in delivery.places {
        if let name = mode.coreFoundationMode { CFRunLoopRemoveSource(loop, source, name) }
      }
      for loop in delivery.loops {
        keepUntilAwake(delivery.port, loop)
        wake(loop)
      }
    }
  }
}
