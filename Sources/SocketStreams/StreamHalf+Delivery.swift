/// Runs on the run loop or the queue: turns what the channel shows into events and hands them to
/// the delegate. The pair's lock is never held while a delegate runs.

extension StreamHalf {
  /// The callback of the half's source.
  func perform(through port: EventPort) {
    let (turn, first): (Stream.Event, (half: StreamHalf, port: EventPort)?) = pair.locked {
      // Looked up under the lock, so that no read elsewhere makes the finding stale before it is
      // noted.
      let found = port.collect()
      guard delivery?.port === port else { return ([], nil) }
      note(found)
      return (pending, inputThatOpenedToo())
    }
    if let first { first.half.deliver(.openCompleted, by: first.port) }
    deliver(turn, by: port)
    for _ in 0..<Self.moreTurnsPerPassMax {
      guard pair.locked({ hasMore(at: port) }) else { break }
      deliver(readiness, by: port)
    }
    tellOutputOfSpace(with: port)
  }

  /// So many more times a pass tells of bytes that a read has left, or of space that a write has.
  /// A pass of the run loop costs more than such a transfer; the bound keeps other sources of the
  /// loop from waiting long.
  private static let moreTurnsPerPassMax = 15

  /// Whether the client read and left bytes; noted as the channel would have shown it.
  private func hasMore(at port: EventPort) -> Bool {
    guard direction == .input, delivery?.port === port, status == .open, !isTold, wasFilled,
      pending.isEmpty, isArmed, pair.failure == nil, let channel = pair.channel
    else { return false }
    guard channel.hasBytes else {
      fetched(by: channel)
      return false
    }
    isArmed = false
    isBareEnd = false
    pending.insert(readiness)
    return true
  }

  /// Where the delegate has written, the output stream is told of its space at the end of this
  /// pass, if it is scheduled in the same places: a pass less for each answer.
  private func tellOutputOfSpace(with port: EventPort) {
    guard let output = pair.output else { return }
    for _ in 0..<Self.moreTurnsPerPassMax {
      let (turn, otherPort): (Stream.Event, EventPort?) = pair.locked {
        guard let delivery, delivery.port === port, output.isArmed,
          let other = output.delivery, other.places == delivery.places
        else { return ([], nil) }
        output.note(other.port.collect())
        return (output.pending, other.port)
      }
      guard let otherPort, !turn.isEmpty else { return }
      output.deliver(turn, by: otherPort)
    }
  }

  /// Of two streams that opened at once in the same places the input stream is told first.
  private func inputThatOpenedToo() -> (half: StreamHalf, port: EventPort)? {
    guard direction == .output, pending.contains(.openCompleted), let input = pair.input,
      input.pending.contains(.openCompleted), let other = input.delivery,
      other.places == delivery?.places
    else { return nil }
    return (input, other.port)
  }

  /// Delivers `turn`'s events in the order of their bits. What is posted meanwhile waits for the
  /// next pass; what a close() or read() made stale is not delivered, nor anything once the client
  /// has taken the half away from `port`'s places.
  private func deliver(_ turn: Stream.Event, by port: EventPort) {
    for event in order where turn.contains(event) {
      // Held beyond the lock: were one of these the last reference, its end would take the lock.
      let (stream, delegate, isDue) = pair.locked {
        let isDue = delivery?.port === port && take(event, hasListener: self.delegate != nil)
        return (self.stream, self.delegate, isDue)
      }
      guard isDue, let stream, let delegate else { continue }
      delegate.stream(stream, handle: event)
      if event == readiness { pair.locked { readinessWasTold() } }
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

  /// After a delegate heard of bytes or space. One that did not read a bare end is told the end by
  /// itself; one that made no use of it hears of nothing but a failure until it does.
  private func readinessWasTold() {
    guard isTold, status == .open, let channel = pair.channel else { return }
    if isBareEnd {
      reachEnd()
    } else if let descriptor = channel.descriptor {
      delivery?.port.arm(descriptor, events: 0)
    }
  }

  // MARK: What the channel shows, under the lock

  private func note(_ found: EventPort.Found) {
    guard let channel = pair.channel else { return }
    if let events = found.socket {
      isArmed = false
      show(channel.look(direction, events: events))
    } else if found.bell, isArmed {
      isArmed = false
      if channel.hasHiddenNews(direction) {
        show(channel.look(direction, events: 0))
      } else {
        arm()
      }
    }
    passNewsOn()
  }

  private func show(_ showing: Showing) {
    if case .failure(let error) = showing { pair.fail(error) }
    guard status == .open, !isTold else { return }
    switch showing {
    case .nothing, .failure: arm()
    case .end where pair.failure != nil: fail()
    case .readiness, .end:
      isBareEnd = if case .end = showing { true } else { false }
      pending.insert(readiness)
    }
  }
}
