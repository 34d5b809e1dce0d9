/// Where one half's readiness meets the run loops it is scheduled on: an epoll descriptor that
/// holds the half's socket and a bell, and the run-loop source made from it.
/// Decides nothing about events; all but `init` is called under the pair's lock.

internal import CEpoll
internal import CoreFoundation
internal import Glibc

// @unchecked because the variables are used under the pair's lock only.
final class EventPort: @unchecked Sendable {
  // Held for the half, which does not own its pair: a source may outlive both stream objects.
  private let pair: SocketPair
  let half: StreamHalf
  let route: DeliveryRoute
  let epoll: Descriptor
  /// Always readable. The bell rings when its (one-shot) watch is armed: no write, no read.
  private let bell: Descriptor
  private var watched: Descriptor?
  /// What the socket is watched for and has not shown yet.
  private var armedEvents: Int32?

  /// What one look at the epoll descriptor found.
  struct Found {
    /// The socket's poll bits (epoll's are the same); nil when it showed nothing.
    var socket: Int32?
    var bell = false
  }

  private static let bellTag: UInt64 = 0
  private static let socketTag: UInt64 = 1

  /// Nil when descriptors have run out.
  init?(pair: SocketPair, half: StreamHalf, bell: Descriptor) {
    guard let epoll = Descriptor.epoll() else { return nil }
    self.pair = pair
    self.half = half
    self.route = pair.route
    self.epoll = epoll
    self.bell = bell
    // Armed for nothing yet: one-shot without events stays silent until `ring`.
    guard control(EPOLL_CTL_ADD, bell, events: 0, tag: Self.bellTag) else { return nil }
  }

  /// Makes `StreamHalf.perform` run on a loop soon.
  func ring() {
    _ = control(EPOLL_CTL_MOD, bell, events: EPOLLIN.rawValue, tag: Self.bellTag)
  }

  /// Watches the socket once for `events`; errors and hang-ups are always watched for.
  func arm(_ socket: Descriptor, events: Int32) {
    if armedEvents == events { return }
    let operation = watched == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    watched = socket
    armedEvents = events
    _ = control(operation, socket, events: UInt32(events), tag: Self.socketTag)
  }

  /// What is ready now; each finding is told once and must be armed again.
  func collect() -> Found {
    var found = Found()
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 2) { events in
      let count = epoll_wait(epoll.number, events.baseAddress, 2, 0)
      for event in events.prefix(max(0, Int(count))) {
        if event.data.u64 == Self.socketTag {
          found.socket = Int32(bitPattern: event.events)
          armedEvents = nil
        } else {
          found.bell = true
        }
      }
    }
    return found
  }

  private func control(
    _ operation: Int32, _ descriptor: Descriptor, events: UInt32, tag: UInt64
  ) -> Bool {
    var entry = epoll_event()
    entry.events = events | EPOLLONESHOT.rawValue
    entry.data.u64 = tag
    return epoll_ctl(epoll.number, operation, descriptor.number, &entry) == 0
  }

  /// The source for run loops. It holds this port, and must be dropped to let both go.
  func makeSource(order: Int) -> CFRunLoopSource? {
    switch route {
    case .port:
      Self.makePortSource(
        info: Unmanaged.passUnretained(self).toOpaque(), order: order,
        port: { Unmanaged<EventPort>.fromOpaque($0!).takeUnretainedValue().epoll.number },
        perform: { Unmanaged<EventPort>.fromOpaque($0!).takeUnretainedValue().perform() },
        retain: retainPort, release: releasePort)
    case .thread:
      makeSignalledSource(order: order)
    }
  }

  private func makeSignalledSource(order: Int) -> CFRunLoopSource? {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passUnretained(self).toOpaque()
    context.retain = retainPort
    context.release = releasePort
    context.perform = { Unmanaged<EventPort>.fromOpaque($0!).takeUnretainedValue().perform() }
    return CFRunLoopSourceCreate(nil, order, &context)
  }

  private func perform() {
    half.perform(through: self)
  }

  /// A version-1 source, whose port the run loop itself waits for.
  static func makePortSource(
    info: UnsafeMutableRawPointer, order: Int,
    port: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32,
    perform: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
    retain: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)? = nil,
    release: (@convention(c) (UnsafeRawPointer?) -> Void)? = nil
  ) -> CFRunLoopSource? {
    var context = CFRunLoopSourceContext1()
    context.version = 1
    context.info = info
    context.retain = retain
    context.release = release
    context.getPort = port
    context.perform = perform
    return withUnsafeMutableBytes(of: &context) {
      CFRunLoopSourceCreate(
        nil, order, $0.baseAddress!.assumingMemoryBound(to: CFRunLoopSourceContext.self))
    }
  }
}

private func retainPort(_ info: UnsafeRawPointer?) -> UnsafeRawPointer? {
  _ = Unmanaged<EventPort>.fromOpaque(info!).retain()
  return info
}

private func releasePort(_ info: UnsafeRawPointer?) {
  Unmanaged<EventPort>.fromOpaque(info!).release()
}
