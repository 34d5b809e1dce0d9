/// What carries the bytes of an open pair, in both directions. A socket, a secured socket and the
/// memory between bound streams each are one; statuses and events are the halves' business.

internal import CEpoll
internal import Glibc

/// poll(2)'s and epoll's bit for a peer that sends no more; Glibc hides poll's name for it.
let pollReadHangUp = Int32(bitPattern: EPOLLRDHUP.rawValue)

/// What became of one try to move bytes.
enum Moved {
  /// So many bytes; for an empty try none.
  case bytes(Int)
  /// There will never be bytes again.
  case end
  /// Nothing moves now; `Channel.wait` says when to try again.
  case mustWait
  case failed(any Error)
}

/// What a look at one direction showed.
enum Showing {
  case nothing
  /// A transfer would not wait.
  case readiness
  /// The peer's end, and no byte before it.
  case end
  case failure(any Error)
}

/// Thread-safe in itself, and never calls a half or a pair: both call it, with or without the
/// pair's lock.
protocol Channel: AnyObject, Sendable {
  /// Whose readiness the kernel watches; nil where there is no kernel in between.
  var descriptor: Descriptor? { get }

  func receive(into room: UnsafeMutableRawBufferPointer) -> Moved
  func send(_ bytes: UnsafeRawBufferPointer) -> Moved

  /// The poll events of `descriptor` after which a direction may have something to show.
  func interest(_ direction: StreamHalf.Direction) -> Int32
  /// What a direction shows, given the poll events that the kernel told (0: it told none).
  func look(_ direction: StreamHalf.Direction, events: Int32) -> Showing
  /// Whether a transfer would not wait now; asks the kernel.
  func isReady(_ direction: StreamHalf.Direction) -> Bool
  /// Whether bytes that have arrived wait to be read.
  var hasBytes: Bool { get }
  /// Whether a direction has something to show of which the kernel will tell nothing.
  func hasHiddenNews(_ direction: StreamHalf.Direction) -> Bool
  /// Whether a direction has cause to look again, given by the other one, since last asked.
  func takeNews(for direction: StreamHalf.Direction) -> Bool

  /// Tries to send what a write has taken and not sent; true when nothing of it is left.
  func settle() -> Bool
  /// Nobody will ask for space any more: what a write has taken and not sent goes on by itself.
  func sendRest()
  /// Both halves are closed or gone; what is left to say to the peer is said.
  func close()
}

/// Which directions have cause to look again; each takes its own.
struct News {
  var forInput = false
  var forOutput = false

  static let forBoth = News(forInput: true, forOutput: true)

  mutating func take(_ direction: StreamHalf.Direction) -> Bool {
    switch direction {
    case .input:
      defer { forInput = false }
      return forInput
    case .output:
      defer { forOutput = false }
      return forOutput
    }
  }
}

/// A connected socket as it is.
final class PlainChannel: Channel {
  private let socket: Descriptor

  init(_ socket: Descriptor) {
    self.socket = socket
  }

  var descriptor: Descriptor? { socket }

  func receive(into room: UnsafeMutableRawBufferPointer) -> Moved {
    let count = socket.receive(into: room)
    return count == 0 ? .end : moved(count)
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Moved {
    moved(socket.send(bytes))
  }

  private func moved(_ count: Int) -> Moved {
    if count >= 0 { return .bytes(count) }
    return errno == EAGAIN ? .mustWait : .failed(StreamErrors.posix(errno))
  }

  func interest(_ direction: StreamHalf.Direction) -> Int32 {
    switch direction {
    case .input: POLLIN | pollReadHangUp
    case .output: POLLOUT
    }
  }

  func look(_ direction: StreamHalf.Direction, events: Int32) -> Showing {
    if events == 0 { return .nothing }
    if events & POLLERR != 0, let code = socket.takeSocketError() {
      return .failure(StreamErrors.posix(code))
    }
    let isEnding = events & (pollReadHangUp | POLLHUP) != 0
    return direction == .input && isEnding && !hasBytes ? .end : .readiness
  }

  func isReady(_ direction: StreamHalf.Direction) -> Bool {
    switch direction {
    case .input: socket.polled(POLLIN) != 0
    case .output: socket.polled(POLLOUT) != 0
    }
  }

  var hasBytes: Bool { socket.bytesWaiting > 0 }

  func hasHiddenNews(_ direction: StreamHalf.Direction) -> Bool { false }
  func takeNews(for direction: StreamHalf.Direction) -> Bool { false }
  func settle() -> Bool { true }
  func sendRest() {}
  func close() {}
}
