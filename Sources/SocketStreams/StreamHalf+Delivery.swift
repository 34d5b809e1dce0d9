/// Runs on the run loop: turns what the socket shows into events and hands them to the delegate.
/// The pair's lock is never held while a delegate runs.

internal import CEpoll
internal import Glibc

extension StreamHalf {
  /// The run-loop source's callback.
  func perform(through port: EventPort) {
    if direction == .output { deliverInputsOpeningFirst(port) }
    let turn: Stream.Event = pair.locked {
      // Looked up under the lock, so that no read elsewhere makes the finding stale before it is
      // noted.
      let found = port.collect()
      guard delivery?.port === port else { return [] }
      if let events = found.socket { note(events) }
      return pending
    }
    deliver(turn)
  }

  /// Of two streams that opened at once on the same loop the input stream is told first.
  private func deliverInputsOpeningFirst(_ port: EventPort) {
    guard let input = pair.input else { return }
    let isDue = pair.locked {
      guard let own = delivery, own.port === port, let other = input.delivery else { return false }
      return pending.contains(.openCompleted) && input.pending.contains(.openCompleted)
        && own.places == other.places
    }
    if isDue { input.deliver(.openCompleted) }
  }

  /// Delivers `turn`'s events in the order of their bits. What is posted meanwhile waits for the
  /// next pass; what a close() or read() made stale is not delivered.
  private func deliver(_ turn: Stream.Event) {
    for event in [Stream.Event.openCompleted, readiness, .errorOccurred, .endEncountered]
    where turn.contains(event) {
      // Held beyond the lock: were one of these the last reference, its end would take the lock.
      let (stream, delegate) = pair.locked { (self.stream, self.delegate) }
      guard let stream, pair.locked({ take(event, hasListener: delegate != nil) }) else { continue }
      delegate?.stream(stream, handle: event)
      if event == .hasBytesAvailable { pair.locked { bytesWereTold() } }
    }
  }

  /// Whether the event is still due. Without a listener readiness waits for a delegate that comes
  /// late; the rest is gone.
  private func take(_ event: Stream.Event, hasListener: Bool) -> Bool {
    guard pending.contains(event), hasListener || event != readiness else { return false }
    consume(event)
    return true
  }

  private func consume(_ event: Stream.Event) {
    pending.remove(event)
    if event == readiness { isTold = true }
    // Before the delegate runs, because it may itself run the loop and wait for data there.
    if event == .openCompleted { arm() }
  }

  /// After a delegate heard of bytes. One that did not read a bare end is told the end by itself;
  /// one that left bytes unread hears of nothing but a failure until it reads.
  private func bytesWereTold() {
    guard isTold, status == .open, let socket = pair.socket else { return }
    if isBareEnd {
      reachEnd()
    } else {
      delivery?.port.arm(socket, events: 0)
    }
  }

  // MARK: What the socket shows, under the lock

  private func note(_ events: UInt32) {
    isArmed = false
    guard let socket = pair.socket else { return }
    if events & EPOLLERR.rawValue != 0, let code = socket.takeSocketError() {
      pair.fail(StreamErrors.posix(code))
    }
    guard status == .open, !isTold else { return }
    let isEnding = events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
    isBareEnd = direction == .input && isEnding && socket.bytesWaiting == 0
    if isBareEnd, pair.failure != nil {
      fail()
    } else {
      pending.insert(readiness)
    }
  }
}
