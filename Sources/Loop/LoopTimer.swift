/// A timer on a loop. Called on the loop's thread.

internal import CUV

/// One timer, started and stopped as often as one likes, closed once.
package final class LoopTimer: LoopResource {
  private let timer: UnsafeMutablePointer<uv_timer_t>
  private var body: (() -> Void)?
  private var isClosed = false

  package init(loop: EventLoop) {
    timer = .allocate(capacity: 1)
    uv_timer_init(loop.handle, timer)
    timer.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit { timer.deallocate() }

  /// Fires once, `delay` from this turn's start (rounded up to a millisecond), in place of any time
  /// set before.
  package func start(after delay: Duration, _ body: @escaping () -> Void) {
    guard !isClosed else { return }
    self.body = body
    let (seconds, attoseconds) = max(delay, .zero).components
    let milliseconds =
      UInt64(seconds) * 1_000 + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    uv_timer_start(
      timer,
      { timer in
        Unmanaged<LoopTimer>.fromOpaque(timer!.pointee.data).takeUnretainedValue().fire()
      }, milliseconds, 0)
  }

  package func stop() {
    uv_timer_stop(timer)
    body = nil
  }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    stop()
    uv_close(UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      Unmanaged<LoopTimer>.fromOpaque(handle!.pointee.data).release()
    }
  }

  private func fire() {
    let body = self.body
    self.body = nil
    body?()
  }
}
