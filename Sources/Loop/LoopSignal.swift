/// A signal of the process, delivered on a loop's thread.

internal import CUV

/// Calls its body each time the process gets the signal, until it is closed.
package final class LoopSignal: LoopResource {
  private let signal: UnsafeMutablePointer<uv_signal_t>
  private let body: () -> Void
  private var isClosed = false

  package init(loop: EventLoop, number: Int32, _ body: @escaping () -> Void) {
    self.body = body
    signal = .allocate(capacity: 1)
    uv_signal_init(loop.handle, signal)
    signal.pointee.data = Unmanaged.passRetained(self).toOpaque()
    uv_signal_start(
      signal,
      { signal, _ in
        Unmanaged<LoopSignal>.fromOpaque(signal!.pointee.data).takeUnretainedValue().body()
      }, number)
  }

  deinit { signal.deallocate() }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    uv_close(UnsafeMutableRawPointer(signal).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      Unmanaged<LoopSignal>.fromOpaque(handle!.pointee.data).release()
    }
  }
}
