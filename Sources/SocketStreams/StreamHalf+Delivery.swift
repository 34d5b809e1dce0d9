/// Runs on the run loop: turns what the socket shows into events and hands them to the delegate.
/// The pair's lock is never held while a delegate runs.

internal import CEpoll
internal import Glibc

extension StreamHalf {
  /// The run-loop source's callback.
  func perform(through port: EventPort) {
    let found = port.collect()
    if direction == .output { deliverInputsOpeningFirst(port) }
    let turn: Stream.Event = pair.locked {
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
    var turn = turn
    while let (event, stream, delegate) = pair.locked({ take(from: &turn) }) {
      delegate.stream(stream, handle: event)
      pair.locked { if event == .hasBytesAvailable { bytesWereTold() } }
    }
  }

  private func take(
    from turn: inout Stream.Event
  ) -> (Stream.Event, Stream, any StreamDelegate)? {
    for event in [
      Stream.Event.openCompleted, readiness, .errorOccurred, .endEncountered,
    ] where turn.contains(event) {
      turn.remove(event)
      guard let stream, pending.contains(event) else { continue }
      guard let delegate else {
        // Nobody listens: readiness waits for a delegate that comes late, the rest is gone.
        if event != readiness { consume(event) }
        continue
      }
      consume(event)
      return (event, stream, delegate)
    }
    return nil
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
