/// A connected stream socket on a loop: reads come as they are, writes are gathered. No framing.

internal import CUV
import Glibc

/// Told what happens on a socket, on the loop's thread. Held by the socket until it is closed.
package protocol SocketHandler: AnyObject {
  /// One read. The bytes are gone when this returns.
  func received(_ bytes: UnsafeRawBufferPointer)
  /// The peer sent its end of stream, or the connection broke. Nothing is received after this.
  func ended(_ reason: SocketEnd)
  /// What ``StreamSocket/startWrite(_:)`` was given has gone to the kernel, or never will.
  func wrote(_ failure: SocketEnd?)
}

/// How a connection's incoming half ended.
package enum SocketEnd: Equatable, Sendable {
  /// The peer will send no more; it may still read.
  case finished
  /// The connection is broken: the operating system's error number.
  case broken(errno: Int32)
}

/// What became of a write that does not wait.
package enum WriteResult: Equatable {
  /// So many bytes were taken; fewer than given means the kernel is full. Also zero.
  case took(Int)
  case broken(errno: Int32)
}

/// Some bytes to write: two words, laid out as the kernel's `iovec`.
package struct Piece {
  package var base: UnsafeRawPointer
  package var count: Int

  package init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }
}

/// One TCP or Unix-domain connection. Closed once, by ``close()``.
package final class StreamSocket: LoopResource {
  /// How many pieces one gathered write may have.
  package static let piecesMax = 1_024

  package unowned let loop: EventLoop
  /// For what libuv does not have; -1 once it is closed.
  private(set) var descriptor: Int32
  private let tcp: UnsafeMutablePointer<uv_tcp_t>
  private var handler: (any SocketHandler)?
  private var write: UnsafeMutablePointer<uv_write_t>?
  private var isClosing = false
  private var isReading = false

  /// Takes over a connected, non-blocking descriptor.
  init(loop: EventLoop, descriptor: Int32) {
    self.loop = loop
    self.descriptor = descriptor
    tcp = .allocate(capacity: 1)
    uv_tcp_init(loop.handle, tcp)
    let result = uv_tcp_open(tcp, descriptor)
    precondition(result == 0, "libuv refused a fresh descriptor")
    loop.socketsOpen += 1
    // Retained by libuv until the close callback.
    tcp.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit { tcp.deallocate() }

  /// From now on `handler` is told; it is let go when the socket is closed.
  package func start(_ handler: any SocketHandler) {
    self.handler = handler
    resumeReading()
  }

  /// Reads nothing until ``resumeReading()``: the peer's bytes wait in the kernel.
  package func pauseReading() {
    guard isReading else { return }
    isReading = false
    stream { _ = uv_read_stop($0) }
  }

  package func resumeReading() {
    guard !isReading, !isClosing else { return }
    isReading = true
    stream { stream in
      _ = uv_read_start(
        stream,
        { handle, _, buffer in
          let loop = EventLoop.of(handle!.pointee.loop)
          let bytes = loop.readBuffer
          buffer!.pointee = uv_buf_init(
            bytes.baseAddress!.assumingMemoryBound(to: CChar.self), UInt32(bytes.count))
        },
        { stream, count, _ in StreamSocket.of(stream!).readReturned(count) })
    }
  }

  private func readReturned(_ count: Int) {
    guard count != 0, !isClosing else { return }
    loop.countCallback()
    if count > 0 {
      handler?.received(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    } else {
      pauseReading()
      handler?.ended(
        count == Int(UV_EOF.rawValue) ? .finished : .broken(errno: Int32(-count)))
    }
  }

  /// Gives the kernel what it takes at once. Not while a ``startWrite(_:)`` is under way.
  ///
  /// Goes past libuv, whose `write(2)` costs a socket about a tenth more than `send(2)` and can
  /// raise SIGPIPE; nothing of libuv's is pending when this is called.
  package func tryWrite(_ pieces: UnsafeBufferPointer<Piece>) -> WriteResult {
    precondition(write == nil, "two writes at once would mix their bytes")
    precondition((1...Self.piecesMax).contains(pieces.count), "a write has 1 to 1,024 pieces")
    guard !isClosing else { return .took(0) }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    while true {
      let count: Int
      if pieces.count == 1 {
        count = send(descriptor, pieces[0].base, pieces[0].count, flags)
      } else {
        var message = msghdr()
        // A piece and an `iovec` are the same two words; the kernel only reads them.
        message.msg_iov = UnsafeMutableRawPointer(mutating: pieces.baseAddress!)
          .assumingMemoryBound(to: iovec.self)
        message.msg_iovlen = pieces.count
        count = sendmsg(descriptor, &message, flags)
      }
      if count >= 0 { return .took(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, ENOBUFS: return .took(0)
      default: return .broken(errno: errno)
      }
    }
  }

  /// Hands over pieces that go out when the kernel has room; then `wrote` is called. The memory
  /// must stay until then.
  package func startWrite(_ pieces: UnsafeBufferPointer<Piece>) {
    precondition(write == nil, "two writes at once would mix their bytes")
    guard !isClosing else { return }
    let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    write = request
    let result = buffers(pieces) { buffers, count in
      stream { stream in
        uv_write(request, stream, buffers, count) { request, status in
          StreamSocket.of(request!.pointee.handle).writeReturned(status)
        }
      }
    }
    precondition(result == 0, "libuv refused a write on an open socket")
  }

  private func writeReturned(_ status: Int32) {
    write?.deallocate()
    write = nil
    guard !isClosing else { return }
    loop.countCallback()
    handler?.wrote(status == 0 ? nil : .broken(errno: -status))
  }

  /// Sends the end of stream after all that was written. Reading goes on.
  package func finishWriting() {
    guard !isClosing else { return }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes; the handler hears no more. Carried out in bounded batches at the end of the turn.
  package func close() {
    guard !isClosing else { return }
    pauseReading()
    isClosing = true
    loop.closing.add(self)
  }

  /// The close itself, from the queue.
  func closeNow() {
    descriptor = -1
    let handle = UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_handle_t.self)
    uv_close(handle) { handle in
      let socket = Unmanaged<StreamSocket>.fromOpaque(handle!.pointee.data).takeRetainedValue()
      socket.handler = nil
      socket.write?.deallocate()
      socket.write = nil
    }
    loop.socketsOpen -= 1
    Listener.resumeWaiting(on: loop)
  }

  // MARK: libuv's shapes

  private func stream<Result>(
    _ body: (UnsafeMutablePointer<uv_stream_t>) -> Result
  ) -> Result {
    body(UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self))
  }

  /// A piece and a `uv_buf_t` are the same two words.
  private func buffers(
    _ pieces: UnsafeBufferPointer<Piece>, _ body: (UnsafePointer<uv_buf_t>, UInt32) -> Int32
  ) -> Int32 {
    precondition((1...Self.piecesMax).contains(pieces.count), "a write has 1 to 1,024 pieces")
    let raw = UnsafeRawPointer(pieces.baseAddress!)
    return body(raw.assumingMemoryBound(to: uv_buf_t.self), UInt32(pieces.count))
  }

  private static func of(_ stream: UnsafeMutablePointer<uv_stream_t>) -> StreamSocket {
    Unmanaged<StreamSocket>.fromOpaque(stream.pointee.data).takeUnretainedValue()
  }
}

/// Sockets that are to be closed: thousands may come in one turn, so they are closed by and by.
struct CloseQueue {
  private var sockets: [StreamSocket] = []
  private var next = 0

  var isEmpty: Bool { next == sockets.count }

  mutating func add(_ socket: StreamSocket) { sockets.append(socket) }

  mutating func closeSome(_ most: Int) {
    let end = min(sockets.count, most == .max ? .max : next + most)
    while next < end {
      sockets[next].closeNow()
      next += 1
    }
    guard isEmpty, next > 0 else { return }
    sockets = []
    next = 0
  }
}
