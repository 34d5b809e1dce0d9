/// Moves the bytes: read, write and the two polls, with what each result does to the status.
/// Blocks where Apple's streams block, on the calling thread and without running a run loop.

internal import Glibc

extension StreamHalf {
  /// 1...`length`; 0 at the peer's end (for an output half: never); -1 not open or failed.
  func transfer(_ length: Int, _ move: (any Channel) -> Moved) -> Int {
    guard beginTransfer() else {
      return pair.locked { status == .atEnd && direction == .input ? 0 : -1 }
    }
    // Apple's streams take an empty transfer for an end; here it changes nothing.
    guard length > 0 else { return endTransfer(nil) }
    // Looked up anew each time, because the pair may be secured while a call waits.
    while let channel = pair.locked({ status == .open ? pair.channel : nil }) {
      let moved = move(channel)
      guard case .mustWait = moved else {
        settleUnlessScheduled(channel)
        return endTransfer(moved, of: length)
      }
      guard waitForProgress(of: channel) else { return endTransfer(.failed(outOfDescriptors)) }
      if pair.locked({ isReleased }) { break }
    }
    return endTransfer(nil, result: pair.locked { status == .atEnd } ? 0 : -1)
  }

  /// What a write has taken and not sent goes on by itself where the half is scheduled. Elsewhere
  /// nobody would send it: the write waits.
  private func settleUnlessScheduled(_ channel: any Channel) {
    guard direction == .output else { return }
    while !channel.settle(), pair.locked({ delivery == nil && !isReleased }) {
      guard waitForProgress(of: channel) else { return }
    }
  }

  /// Whether a transfer would not block now, asked of the channel each time.
  func isReady() -> Bool {
    let channel: (any Channel)? = pair.locked {
      noteObserved()
      return status == .open ? pair.channel : nil
    }
    guard let channel else { return false }
    defer {
      pair.locked {
        fetched(by: channel)
        passNewsOn()
      }
    }
    return channel.isReady(direction)
  }

  /// Waits out the opening. False when the half is not open then.
  private func beginTransfer() -> Bool {
    pair.locked {
      while status == .opening { pair.lock.wait() }
      noteObserved()
      guard status == .open else { return false }
      callsUnderWay += 1
      return true
    }
  }

  /// Nil: nothing was tried, or close() came in between; `result` is then the call's.
  private func endTransfer(_ moved: Moved?, of length: Int = 0, result: Int = 0) -> Int {
    pair.locked {
      callsUnderWay -= 1
      defer { passNewsOn() }
      switch moved {
      case nil, .mustWait:
        return result
      case .bytes(let count):
        wasFilled = count == length
        if status == .open { noteTransfer() }
        return count
      case .end:
        isTold = false
        // After a failure the kernel shows an end; the failure is the truth.
        if pair.failure != nil { fail() } else { reachEnd() }
        return status == .atEnd ? 0 : -1
      case .failed(let error):
        isTold = false
        if status == .open { pair.fail(error) }
        return -1
      }
    }
  }

  /// Under the lock. What this half's call did may concern the other one, and itself.
  func passNewsOn() {
    guard let channel = pair.channel else { return }
    for half in [pair.input, pair.output] {
      if let half, channel.takeNews(for: half.direction) { half.lookAgain() }
    }
  }

  /// Under the lock, after the channel was asked in passing: what it fetched from the kernel to
  /// answer, the kernel does not tell again.
  func fetched(by channel: any Channel) {
    if isArmed, channel.hasHiddenNews(direction) { delivery?.port.ring() }
  }

  /// Under the lock. Something beside the kernel gave this half cause to look at the channel.
  func lookAgain() {
    waker?.signal()
    if isArmed { delivery?.port.ring() }
  }

  // MARK: Waiting

  private var outOfDescriptors: any Error { StreamErrors.posix(EMFILE) }

  /// Waits until a transfer should be tried again: the channel moved, or somebody woke the half.
  /// False when no descriptor was left to wait with.
  private func waitForProgress(of channel: any Channel) -> Bool {
    let (known, isNew) = pair.locked {
      passNewsOn()
      let isNew = waker == nil
      return (makeWaker(), isNew)
    }
    guard let waker = known else { return false }
    // Nobody could have woken this half before; so it tries once more first.
    if isNew { return true }
    if let descriptor = channel.descriptor {
      descriptor.wait(for: channel.interest(direction), unless: waker)
    } else {
      _ = waker.polled(POLLIN, seconds: .infinity)
    }
    // A close() leaves it signalled, for whoever else waits.
    pair.locked { if !isReleased { waker.clear() } }
    return true
  }

  private func makeWaker() -> Descriptor? {
    if waker == nil {
      waker = Descriptor.eventCounter(initially: 0)
      if isReleased { waker?.signal() }
    }
    return waker
  }
}
