/// The helper of the `thread` route: waits for the ports' epoll descriptors on one thread for the
/// whole process and has each ready one's source signalled. Started by the first port; never ends.

internal import CEpoll
internal import Glibc

// @unchecked because every variable is used under `lock` only.
final class WakingThread: @unchecked Sendable {
  static let shared = WakingThread()

  private let epoll = Descriptor.epoll()
  private let lock = NSLock()
  private var ports: [UInt64: EventPort] = [:]
  private var nextTag: UInt64 = 0
  private var isStarted = false

  private init() {}

  /// Watches a port until `remove`; the result names it there. Nil when the system has no thread or
  /// no descriptor to give: nobody then watches the port.
  func add(_ port: EventPort) -> UInt64? {
    guard let epoll else { return nil }
    let tag: UInt64? = lock.withLock {
      if !isStarted { isStarted = DetachedThread.start("wake streams") { self.run() } }
      guard isStarted else { return nil }
      nextTag += 1
      ports[nextTag] = port
      return nextTag
    }
    guard let tag else { return nil }
    var entry = epoll_event()
    // Edge-triggered: the port stays readable until its loop has looked.
    entry.events = EPOLLIN.rawValue | EPOLLET.rawValue
    entry.data.u64 = tag
    _ = epoll_ctl(epoll.number, EPOLL_CTL_ADD, port.epoll.number, &entry)
    return tag
  }

  func remove(_ port: EventPort, tag: UInt64) {
    guard let epoll else { return }
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, port.epoll.number, nil)
    _ = lock.withLock { ports.removeValue(forKey: tag) }
  }

  private func run() {
    guard let epoll else { return }
    let room = 64
    let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: room)
    while true {
      let count = epoll_wait(epoll.number, events, Int32(room), -1)
      for index in 0..<max(0, Int(count)) {
        let tag = events[index].data.u64
        guard let port = lock.withLock({ ports[tag] }) else { continue }
        port.half.signal(port)
      }
    }
  }
}
