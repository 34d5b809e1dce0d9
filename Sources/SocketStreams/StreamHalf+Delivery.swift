/// Runs on the run loop: turns what the socket shows into events and hands them to the delegate.
/// The pair's lock is never held while a delegate runs.

internal import CEpoll
internal import Glibc

extension StreamHalf {
  /// The run-loop source's callback.
  func perform(through port: EventPort) {
    let (turn, first): (Stream.Event, StreamHalf?) = pair.locked {
      // Looked up under the lock, so that no read elsewhere makes the finding stale before it is
      // noted.
      let found = port.collect()
      guard delivery?.port === port else { return ([], nil) }
      if let events = found.socket { note(events) }
      return (pending, inputThatOpenedToo())
    }
    first?.deliver(.openCompleted)
    deliver(turn)
    for _ in 0..<Self.readingsPerPassMax {
      guard pair.locked({ hasMore(at: port) }) else { break }
      deliver(readiness)
    }
  }

  /// So many more times a pass tells of bytes that a read has left. A pass of the run loop costs
  /// more than such a read; the bound keeps other sources of the loop from waiting long.
  private static let readingsPerPassMax = 15

  /// Whether the client read and left bytes; noted as the socket would have shown it.
  private func hasMore(at port: EventPort) -> Bool {
    guard direction == .input, delivery?.port === port, status == .open, !isTold,
      pending.isEmpty, isArmed, pair.failure == nil, let socket = pair.socket,
      socket.bytesWaiting > 0
    else { return false }
    isArmed = false
    isBareEnd = false
    pending.insert(readiness)
    return true
  }

  /// Of two streams that opened at once on the same loop the input stream is told first.
  private func inputThatOpenedToo() -> StreamHalf? {
    guard direction == .output, pending.contains(.openCompleted), let input = pair.input,
      input.pending.contains(.openCompleted), input.delivery?.places == delivery?.places
    else { return nil }
    return input
  }

  /// Delivers `turn`'s events in the order of their bits. What is posted meanwhile waits for the
  /// next pass; what a close() or read() made stale is not delivered.
  private func deliver(_ turn: Stream.Event) {
    for event in order where turn.contains(event) {
      // Held beyond the lock: were one of these the last reference, its end would take the lock.
      let (stream, delegate, isDue) = pair.locked {
        (self.stream, self.delegate, take(event, hasListener: self.delegate != nil))
      }
      guard isDue, let stream, let delegate else { continue }
      delegate.stream(stream, handle: event)
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
