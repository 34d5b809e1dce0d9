/// Which run loops and modes a half is scheduled on, and the source that it keeps there.

internal import CoreFoundation

/// A half's source and where it hangs; exists while the half is scheduled anywhere.
struct Delivery {
  let port: EventPort
  let source: CFRunLoopSource
  /// The name by which the `thread` route's helper knows the port.
  let tag: UInt64?
  var places: [Place]

  struct Place: Equatable {
    let loop: CoreFoundation.CFRunLoop
    let mode: RunLoop.Mode

    static func == (one: Place, other: Place) -> Bool {
      one.loop === other.loop && one.mode == other.mode
    }
  }

  var loops: [CoreFoundation.CFRunLoop] {
    var distinct: [CoreFoundation.CFRunLoop] = []
    for place in places where !distinct.contains(where: { $0 === place.loop }) {
      distinct.append(place.loop)
    }
    return distinct
  }
}

extension StreamHalf {
  /// Under the lock. Data that waits already is told; an opening that a poll saw is not.
  func schedule(in loop: CoreFoundation.CFRunLoop, mode: RunLoop.Mode) {
    guard !isReleased else { return }
    if delivery == nil { delivery = makeDelivery() }
    let place = Delivery.Place(loop: loop, mode: mode)
    guard let delivery, !delivery.places.contains(place), let name = mode.coreFoundationMode else {
      return
    }
    self.delivery?.places.append(place)
    CFRunLoopAddSource(loop, delivery.source, name)
    isTold = false
    arm()
    if !pending.isEmpty { delivery.port.ring() }
    wake(loop)
  }

  /// Under the lock. Ends events there; the connection stays.
  func remove(from loop: CoreFoundation.CFRunLoop, mode: RunLoop.Mode) {
    let place = Delivery.Place(loop: loop, mode: mode)
    guard let delivery, delivery.places.contains(place) else { return }
    if delivery.places.count == 1 {
      pending.remove(readiness)
      return endDelivery()
    }
    self.delivery?.places.removeAll { $0 == place }
    if let name = mode.coreFoundationMode { CFRunLoopRemoveSource(loop, delivery.source, name) }
    // Taking a source out of a common mode takes it out although `.common` still stands.
    for rest in delivery.places where rest != place && rest.loop === loop {
      if let name = rest.mode.coreFoundationMode {
        CFRunLoopAddSource(loop, delivery.source, name)
      }
    }
    wake(loop)
  }

  /// Under the lock. Takes the source out of all loops, and wakes them so that they notice.
  func endDelivery() {
    guard let delivery else { return }
    self.delivery = nil
    isArmed = false
    if let tag = delivery.tag { WakingThread.shared.remove(delivery.port, tag: tag) }
    for place in delivery.places {
      if let name = place.mode.coreFoundationMode {
        CFRunLoopRemoveSource(place.loop, delivery.source, name)
      }
    }
    for loop in delivery.loops {
      keepUntilAwake(delivery.port, loop)
      wake(loop)
    }
  }

  /// The `thread` route's helper found the port ready.
  func signal(_ port: EventPort) {
    pair.locked {
      guard let delivery, delivery.port === port else { return }
      CFRunLoopSourceSignal(delivery.source)
      for loop in delivery.loops { CFRunLoopWakeUp(loop) }
    }
  }

  private func makeDelivery() -> Delivery? {
    guard let bell = pair.sharedBell(),
      let port = EventPort(pair: pair, half: self, bell: bell),
      let source = port.makeSource(order: direction == .input ? 0 : 1)
    else { return nil }
    let tag = pair.route == .thread ? WakingThread.shared.add(port) : nil
    return Delivery(port: port, source: source, tag: tag, places: [])
  }

  private func wake(_ loop: CoreFoundation.CFRunLoop) {
    if loop !== CoreFoundation.CFRunLoopGetCurrent() { CFRunLoopWakeUp(loop) }
  }

  /// A loop that waits on another thread may have got the port's descriptor from the kernel just
  /// now and be about to read from it; were the number free, it would read from whatever file got
  /// it next. So such a loop itself lets the descriptor go, on its next pass. A loop that does not
  /// wait cannot hold it: the source was taken out under the loop's own lock.
  private func keepUntilAwake(_ port: EventPort, _ loop: CoreFoundation.CFRunLoop) {
    guard port.route == .port, loop !== CoreFoundation.CFRunLoopGetCurrent(),
      CFRunLoopIsWaiting(loop),
      let mode = CFRunLoopCopyCurrentMode(loop)
    else { return }
    let descriptor = port.epoll
    CFRunLoopPerformBlock(loop, mode) { withExtendedLifetime(descriptor) {} }
  }
}
