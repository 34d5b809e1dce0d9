/// Accepts connections while there are descriptors for them. Reads nothing.

internal import CUV
import Glibc

/// A listening TCP or Unix socket on a loop.
///
/// Accepts itself instead of through libuv, which closes what it cannot keep and tells nobody. At
/// the loop's capacity, or when the system has no descriptor left, it stops accepting: peers wait
/// in the kernel's queue and none is dropped.
package final class Listener: LoopResource {
  /// At most so many are accepted a turn, so that those already here are served in between.
  private static let acceptsPerTurnMax = 64
  private static let backlog: Int32 = 4_096

  /// Where it listens; a port is the real one, also if 0 was asked for.
  package let place: ListenPlace

  private let loop: EventLoop
  private let reserve: Int
  private let descriptor: Int32
  private let file: UnixSocketFile?
  private let poll: UnsafeMutablePointer<uv_poll_t>
  private let onAccept: (StreamSocket, SocketAddress?) -> Void
  private let onShortage: () -> Void
  private var isWaiting = false
  private var isClosed = false

  /// Listens at once. `onAccept` gets each connection and its peer's address, nil for one that came
  /// by a path; `onShortage` is called whenever it is found that the system has no descriptor for
  /// one, up to some ten times a second. `mode` is who may connect to a path, as its file's
  /// permissions; nil leaves that to the umask. `reserve` are sockets beyond the loop's capacity
  /// that only this listener may take.
  package init(
    loop: EventLoop, place: ListenPlace, mode: UInt32? = nil, reserve: Int = 0,
    onAccept: @escaping (StreamSocket, SocketAddress?) -> Void,
    onShortage: @escaping () -> Void = {}
  ) throws(LoopError) {
    self.loop = loop
    self.reserve = reserve
    self.onAccept = onAccept
    self.onShortage = onShortage
    switch place {
    case .tcp(let address):
      let (descriptor, real) = try Self.listen(address)
      (self.descriptor, self.place, file) = (descriptor, .tcp(real), nil)
    case .unix(let path):
      (descriptor, file) = try Self.listen(at: path, mode)
      self.place = place
    }
    poll = .allocate(capacity: 1)
    uv_poll_init_socket(loop.handle, poll, descriptor)
    poll.pointee.data = Unmanaged.passRetained(self).toOpaque()
    resume()
  }

  deinit { poll.deallocate() }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.waitingListeners.removeAll { $0 === self }
    file?.remove()
    uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      let listener = Unmanaged<Listener>.fromOpaque(handle!.pointee.data).takeRetainedValue()
      Glibc.close(listener.descriptor)
    }
  }

  /// Called when a socket was closed: there may be room again.
  static func resumeWaiting(on loop: EventLoop) {
    guard !loop.waitingListeners.isEmpty, loop.socketsOpen < loop.socketsMax else { return }
    let listeners = loop.waitingListeners
    loop.waitingListeners = []
    for listener in listeners { listener.resume() }
  }

  private func resume() {
    isWaiting = false
    uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { poll, _, _ in
      Unmanaged<Listener>.fromOpaque(poll!.pointee.data).takeUnretainedValue().acceptSome()
    }
  }

  private func wait() {
    isWaiting = true
    uv_poll_stop(poll)
    loop.waitingListeners.append(self)
  }

  private func acceptSome() {
    for _ in 0..<Self.acceptsPerTurnMax {
      guard loop.socketsOpen < loop.socketsMax + reserve else { return wait() }
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let accepted = withUnsafeMutableBytes(of: &storage) { bytes in
        accept4(
          descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size,
          Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      }
      guard accepted >= 0 else {
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
          onShortage()
          retrySoon()
          return
        }
        // EAGAIN: all are here. A connection that broke while it waited is passed over.
        if errno == EAGAIN { return }
        continue
      }
      let socket = StreamSocket(loop: loop, descriptor: accepted)
      socket.setNoDelay()
      loop.countCallback()
      onAccept(socket, SocketAddress(storage) ?? place.address)
      if isClosed { return }
    }
  }

  /// Descriptors that others in the process give back cause no event here: look again by the clock.
  private func retrySoon() {
    wait()
    let timer = LoopTimer(loop: loop)
    timer.start(after: .milliseconds(100)) { [weak self] in
      timer.close()
      guard let self, self.isWaiting, !self.isClosed else { return }
      self.loop.waitingListeners.removeAll { $0 === self }
      self.resume()
    }
  }

  private static func listen(
    at path: String, _ mode: UInt32?
  ) throws(LoopError) -> (Int32, UnixSocketFile) {
    let attempt = "listen on \(ListenPlace.unix(path: path))"
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw LoopError(attempt, errno: errno) }
    // unix(7): the file is made with the mode of the socket, so there is no moment without it.
    if let mode { fchmod(descriptor, mode_t(mode)) }
    do throws(SystemError) {
      let file = try UnixSocketFile(binding: descriptor, at: path)
      guard Glibc.listen(descriptor, backlog) == 0 else {
        let error = SystemError(errno)
        file.remove()
        throw error
      }
      return (descriptor, file)
    } catch {
      Glibc.close(descriptor)
      throw LoopError(attempt, errno: error.errno)
    }
  }

  private static func listen(
    _ address: SocketAddress
  ) throws(LoopError) -> (Int32, SocketAddress) {
    let attempt = "listen on \(address)"
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, type, 0)
    guard descriptor >= 0 else { throw LoopError(attempt, errno: errno) }
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    // So that [::] and 0.0.0.0 can be listened on side by side.
    if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
    guard address.withSockAddr({ bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, backlog) == 0
    else {
      let error = LoopError(attempt, errno: errno)
      Glibc.close(descriptor)
      throw error
    }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutableBytes(of: &storage) { bytes in
      _ = getsockname(
        descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return (descriptor, SocketAddress(storage) ?? address)
  }
}
