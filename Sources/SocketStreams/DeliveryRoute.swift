/// How a half's readiness reaches its run loops, and the one look at start that chooses.

internal import CEpoll
internal import CoreFoundation
internal import Dispatch
internal import Glibc

package enum DeliveryRoute: CaseIterable, Sendable {
  /// The run loop waits for the half's epoll descriptor itself (a version-1 source).
  case port
  /// A helper thread waits for it, signals a version-0 source and wakes the run loop.
  case thread

  /// `port` where a trial shows that this toolchain's run loop takes an epoll descriptor.
  package static let preferred: DeliveryRoute = PortTrial.passes() ? .port : .thread
}

/// Tries the port route out once, in a private mode of a thread that ends afterwards.
///
/// The run loop acknowledges a port by reading eight bytes from it. An epoll descriptor refuses
/// that, which the released Foundation takes as acknowledged; a later one need not.
private final class PortTrial {
  private let epoll: Descriptor
  private let bell: Descriptor
  private var performed = 0

  private init?() {
    guard let epoll = Descriptor.epoll(), let bell = Descriptor.eventCounter(initially: 1) else {
      return nil
    }
    self.epoll = epoll
    self.bell = bell
  }

  static func passes() -> Bool {
    let done = DispatchSemaphore(value: 0)
    // nonisolated(unsafe) because the semaphore orders the one write before the one read.
    nonisolated(unsafe) var passed = false
    let isStarted = DetachedThread.start("port trial") {
      passed = PortTrial()?.run() ?? false
      done.signal()
    }
    if isStarted { done.wait() }
    return passed
  }

  /// A ready port must be performed once, then be silent, then be performed once when armed anew.
  private func run() -> Bool {
    guard arm(EPOLL_CTL_ADD) else { return false }
    let source = EventPort.makePortSource(
      info: Unmanaged.passUnretained(self).toOpaque(), order: 0,
      port: { Unmanaged<PortTrial>.fromOpaque($0!).takeUnretainedValue().epoll.number },
      perform: { Unmanaged<PortTrial>.fromOpaque($0!).takeUnretainedValue().collect() })
    guard let source, let mode = RunLoop.Mode("SocketStreams.trial").coreFoundationMode else {
      return false
    }
    let loop = CoreFoundation.CFRunLoopGetCurrent()
    CFRunLoopAddSource(loop, source, mode)
    defer { CFRunLoopRemoveSource(loop, source, mode) }
    let first = CFRunLoopRunInMode(mode, 1, true)
    let silent = CFRunLoopRunInMode(mode, 0, true)
    guard first == .handledSource, silent == .timedOut, performed == 1 else { return false }
    return arm(EPOLL_CTL_MOD) && CFRunLoopRunInMode(mode, 1, true) == .handledSource
      && performed == 2
  }

  private func arm(_ operation: Int32) -> Bool {
    var entry = epoll_event()
    entry.events = EPOLLIN.rawValue | EPOLLONESHOT.rawValue
    return epoll_ctl(epoll.number, operation, bell.number, &entry) == 0
  }

  private func collect() {
    var entry = epoll_event()
    if epoll_wait(epoll.number, &entry, 1, 0) == 1 { performed += 1 }
  }
}
