/// Lets other threads end the main thread's wait in its run loop. Carries nothing.

import CoreFoundation
import Foundation

/// A bell on the run loop of the thread that made it: after ``ring()``,
/// `run(mode:before:)` returns.
///
/// Not `RunLoop.perform`, which from another thread neither wakes the loop nor ends the wait.
///
/// Unchecked because `CFRunLoopSourceSignal` and `CFRunLoopWakeUp` may be called from any thread
/// and nothing here changes after the initialiser.
final class RunLoopBell: @unchecked Sendable {
  private let source: CFRunLoopSource?
  private let loop = CFRunLoopGetCurrent()

  init() {
    var context = CFRunLoopSourceContext()
    context.perform = { _ in }
    source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
    CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode)
  }

  func ring() {
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
  }
}
