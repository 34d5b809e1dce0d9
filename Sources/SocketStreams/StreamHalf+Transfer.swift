/// Moves the bytes: read, write and the two polls, with what each result does to the status.
/// Blocks where Apple's streams block, on the calling thread and without running a run loop.

internal import Glibc

extension StreamHalf {
  /// 1...`length`; 0 at the peer's end (for an output half: never); -1 not open or failed.
  func transfer(_ length: Int, _ move: (Int32) -> Int) -> Int {
    guard let socket = beginTransfer() else {
      return pair.locked { status == .atEnd && direction == .input ? 0 : -1 }
    }
    // Apple's streams take an empty transfer for an end; here it changes nothing.
    guard length > 0 else { return endTransfer(nil) }
    while true {
      let count = move(socket.number)
      if count >= 0 { return endTransfer(.success(count)) }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        guard let interrupter = pair.locked({ makeInterrupter() }) else {
          return endTransfer(.failure(EMFILE))
        }
        guard socket.wait(for: pollEvents, unless: interrupter) else { return endTransfer(nil, -1) }
      case let code: return endTransfer(.failure(code))
      }
    }
  }

  /// Whether a transfer would not block now, asked of the kernel each time.
  func isReady() -> Bool {
    let socket: Descriptor? = pair.locked {
      noteObserved()
      return status == .open ? pair.socket : nil
    }
    guard let socket else { return false }
    return socket.polled(pollEvents) != 0
  }

  /// Waits out the opening. Nil when the half is not open then.
  private func beginTransfer() -> Descriptor? {
    pair.locked {
      while status == .opening { pair.lock.wait() }
      noteObserved()
      guard status == .open, let socket = pair.socket else { return nil }
      callsUnderWay += 1
      return socket
    }
  }

  private enum Moved {
    case success(Int)
    case failure(Int32)
  }

  /// Nil: nothing was tried, or close() came in between; `result` is then the call's.
  private func endTransfer(_ moved: Moved?, _ result: Int = 0) -> Int {
    pair.locked {
      callsUnderWay -= 1
      switch moved {
      case nil:
        return result
      case .success(let count) where count > 0 || direction == .output:
        if status == .open { noteTransfer() }
        return count
      case .success:
        isTold = false
        // After a failure the kernel shows an end; the failure is the truth.
        if pair.failure != nil { fail() } else { reachEnd() }
        return status == .atEnd ? 0 : -1
      case .failure(let code):
        isTold = false
        if status == .open { pair.fail(StreamErrors.posix(code)) }
        return -1
      }
    }
  }

  private func makeInterrupter() -> Descriptor? {
    if interrupter == nil {
      interrupter = Descriptor.eventCounter(initially: 0)
      if isReleased { interrupter?.signal() }
    }
    return interrupter
  }
}
