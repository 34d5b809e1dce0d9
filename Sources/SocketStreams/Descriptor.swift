/// A file descriptor with one owner's count: closed when the last reference goes, exactly once.
/// Whoever uses the number holds the object meanwhile, so no call meets a number used anew.

internal import CEpoll
internal import Glibc
internal import Synchronization

package final class Descriptor: Sendable {
  package let number: Int32
  private let borrowed: Atomic<Bool>

  init(_ number: Int32, isBorrowed: Bool = false) {
    self.number = number
    borrowed = Atomic(isBorrowed)
  }

  /// Somebody else's, who will close it.
  var isBorrowed: Bool {
    get { borrowed.load(ordering: .acquiring) }
    set { borrowed.store(newValue, ordering: .releasing) }
  }

  /// An event counter; `initially` above zero makes it readable from the start.
  static func eventCounter(initially: UInt32) -> Descriptor? {
    let number = eventfd(initially, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    return number < 0 ? nil : Descriptor(number)
  }

  static func epoll() -> Descriptor? {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    return number < 0 ? nil : Descriptor(number)
  }

  /// The same open file under a number of our own; nil when there is none left.
  func duplicate() -> Descriptor? {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : Descriptor(copy)
  }

  deinit {
    if !isBorrowed { _ = close(number) }
  }

  /// Makes an event counter readable, until `clear`.
  func signal() {
    _ = eventfd_write(number, 1)
  }

  func clear() {
    var count: eventfd_t = 0
    _ = eventfd_read(number, &count)
  }

  /// What of `events` holds (poll's bits; errors and hang-ups are always told): now, or else
  /// within `seconds`.
  func polled(_ events: Int32, seconds: Double = 0) -> Int32 {
    var entry = pollfd(fd: number, events: Int16(events), revents: 0)
    let limit = seconds.isFinite ? Int32(seconds * 1000) : -1
    while poll(&entry, 1, limit) < 0 && errno == EINTR {}
    return Int32(entry.revents)
  }

  /// Waits until something of `events` holds, or `interrupter` is readable.
  func wait(for events: Int32, unless interrupter: Descriptor) {
    var entries = [
      pollfd(fd: number, events: Int16(events), revents: 0),
      pollfd(fd: interrupter.number, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&entries, 2, -1) < 0 && errno == EINTR {}
  }

  /// False, with errno, for a number that is no socket.
  var isSocket: Bool {
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &size) == 0
  }

  /// How many received bytes wait in a socket.
  var bytesWaiting: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// How many bytes a TCP socket has taken and never sent yet; 0 for others.
  var bytesUnsent: Int {
    var count: Int32 = 0
    // SIOCOUTQNSD of linux/sockios.h, which Glibc lacks.
    return ioctl(number, 0x894B, &count) == 0 ? Int(count) : 0
  }

  /// A socket's pending error, which asking clears; nil when there is none.
  func takeSocketError() -> Int32? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code != 0 else {
      return nil
    }
    return code
  }
}

// MARK: Bytes

extension Descriptor {
  /// `recv` that never waits; its result, with errno where that is negative.
  func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(number, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// `send` that never waits and never raises SIGPIPE; its result, with errno where negative.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    while true {
      let count = Glibc.send(number, bytes.baseAddress, bytes.count, flags)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
