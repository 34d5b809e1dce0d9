/// A connected socket whose bytes go through a TLS conversation. Moves ciphertext whenever it is
/// asked anything, and never waits.

#if TLS
  internal import Glibc
  internal import TLS

  // @unchecked because every variable, and the engine, is used under `lock` only.
  final class SecureChannel: Channel, @unchecked Sendable {
    private let lock = NSLock()
    private var socket: Descriptor
    private let engine: TLSEngine?
    /// The conversation cannot go on; told after the plaintext that came before.
    private var failure: (any Error)?
    /// The socket takes nothing any more; what it has received may still be read.
    private var sendFailure: (any Error)?
    private var isTransportEnded = false
    private var isEstablished = false
    private var isClosed = false
    /// A thread sends what writes have left behind.
    private var isSendingRest = false
    /// From close() on: when to give that up, unless the peer takes something until then.
    private var farewellLimit: ContinuousClock.Instant?
    /// How few bytes have been seen waiting, in the engine and in the kernel, since close().
    private var leastUnsent = Int.max
    private var news = News()

    init(_ socket: Descriptor, _ terms: TLSTerms) {
      self.socket = socket
      do {
        engine = try TLSEngine(terms.context, peerName: terms.peerName)
      } catch {
        engine = nil
        failure = StreamErrors.tls(error)
      }
      lock.withLock { advance() }
    }

    var descriptor: Descriptor? { lock.withLock { socket } }

    // MARK: Plaintext

    func receive(into room: UnsafeMutableRawBufferPointer) -> Moved {
      lock.withLock {
        guard let engine else { return failed }
        advance()
        var moved = 0
        do throws(TLSError) {
          // As much as has come already; more is fetched only for a read that has nothing yet.
          while moved < room.count {
            switch try engine.read(into: UnsafeMutableRawBufferPointer(rebasing: room[moved...])) {
            case .bytes(let count): moved += count
            case .ended: return moved > 0 ? .bytes(moved) : .end
            case .needsMore:
              if moved > 0 { return .bytes(moved) }
              guard pull() else { return failure == nil ? .mustWait : failed }
            }
          }
        } catch {
          fail(StreamErrors.tls(error))
          if moved == 0 { return failed }
        }
        return .bytes(moved)
      }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Moved {
      lock.withLock {
        // A write may meet a close() of another thread; after the last word nothing can be said.
        guard let engine, !isClosed else { return failed }
        advance()
        while !isEstablished, failure == nil { guard pull() else { return .mustWait } }
        guard failure == nil, sendFailure == nil else { return failed }
        guard push() else { return sendFailure == nil ? .mustWait : failed }
        var moved = 0
        do throws(TLSError) {
          while moved < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[moved...])
            moved += try engine.write(rest)
            guard push() else { break }
          }
        } catch {
          fail(StreamErrors.tls(error))
        }
        if moved == 0, failure != nil { return failed }
        return .bytes(moved)
      }
    }

    private var failed: Moved { .failed(failure ?? sendFailure ?? StreamErrors.posix(EPIPE)) }

    // MARK: Readiness

    func interest(_ direction: StreamHalf.Direction) -> Int32 {
      lock.withLock {
        let sends = engine.map { $0.bytesToSend > 0 && sendFailure == nil } ?? false
        switch direction {
        case .output where isEstablished: return POLLOUT
        case .input, .output: return sends ? POLLIN | POLLOUT : POLLIN
        }
      }
    }

    func look(_ direction: StreamHalf.Direction, events: Int32) -> Showing {
      lock.withLock {
        advance()
        switch direction {
        case .input: return lookForBytes()
        case .output:
          while !isEstablished, failure == nil, pull() {}
          if let failure = failure ?? sendFailure { return .failure(failure) }
          let hasSpace = isEstablished && push() && socket.polled(POLLOUT) != 0
          return hasSpace ? .readiness : .nothing
        }
      }
    }

    func isReady(_ direction: StreamHalf.Direction) -> Bool {
      switch look(direction, events: 0) {
      case .nothing: false
      case .readiness, .end, .failure: true
      }
    }

    var hasBytes: Bool {
      lock.withLock {
        advance()
        return if case .readiness = lookForBytes() { true } else { false }
      }
    }

    func hasHiddenNews(_ direction: StreamHalf.Direction) -> Bool {
      lock.withLock {
        switch direction {
        case .input: failure != nil || engine?.isReadable ?? true
        case .output: failure != nil || sendFailure != nil
        }
      }
    }

    func takeNews(for direction: StreamHalf.Direction) -> Bool {
      lock.withLock { news.take(direction) }
    }

    /// Under the lock. Fetches until there is something to show or nothing more to fetch.
    private func lookForBytes() -> Showing {
      guard let engine else { return .failure(failure ?? StreamErrors.posix(EPIPE)) }
      while true {
        do throws(TLSError) {
          switch try engine.peek() {
          case .bytes: return .readiness
          case .ended: return .end
          case .needsMore: break
          }
        } catch {
          fail(StreamErrors.tls(error))
        }
        if let failure { return .failure(failure) }
        guard pull() else { return failure.map { .failure($0) } ?? .nothing }
      }
    }

    // MARK: Ends

    func settle() -> Bool {
      lock.withLock { push() || sendFailure != nil }
    }

    func sendRest() {
      lock.withLock { startSendingRest() }
    }

    /// Tells the peer that this was all. What does not leave at once is sent by a thread of its
    /// own, for as long as the peer goes on taking it.
    func close() {
      lock.withLock {
        farewellLimit = .now + Self.farewellMax
        guard let engine, !isClosed, failure == nil, sendFailure == nil else { return }
        isClosed = true
        engine.finish()
        guard isEstablished else { return }
        discardReceived()
        // Somebody else's socket may be closed from here on, and its number be used anew.
        if socket.isBorrowed, !push() || socket.bytesUnsent > 0 {
          guard let own = socket.duplicate() else {
            sendFailure = StreamErrors.posix(errno)
            return
          }
          socket = own
        }
        startSendingRest()
      }
    }

    private func discardReceived() {
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { room in
        for _ in 0..<Self.discardedPiecesMax where socket.receive(into: room) > 0 { continue }
      }
    }

    private static let discardedPiecesMax = 64
    /// How long a peer may take nothing of the rest.
    private static let farewellMax = Duration.seconds(10)

    /// Under the lock.
    private func startSendingRest() {
      guard !isSendingRest, let first = wishForRest(after: 0) else { return }
      isSendingRest = DetachedThread.start("send the rest") {
        var wish: Wish? = first
        while let now = wish {
          let told = now.socket.polled(now.events, seconds: now.seconds)
          wish = self.lock.withLock { self.wishForRest(after: told) }
        }
      }
    }

    private typealias Wish = (socket: Descriptor, events: Int32, seconds: Double)

    /// Under the lock. What the sending thread waits for next, not for ever, because a close() may
    /// set it a limit meanwhile; nil when it is done. `told` is what its last wait brought.
    private func wishForRest(after told: Int32) -> Wish? {
      let isSent = push()
      // A socket that goes while it holds bytes that were not read, or that gets some afterwards,
      // resets the connection and forgets what it has not sent: a peer's session tickets would do.
      if isClosed { discardReceived() }
      let isOver = sendFailure != nil || isSent && (!isClosed || socket.bytesUnsent == 0)
      guard !isOver, told & (POLLERR | POLLHUP) == 0, hasPatience() else {
        isSendingRest = false
        return nil
      }
      // No event tells that the kernel has sent.
      return isSent ? (socket, 0, 0.05) : (socket, POLLOUT, 1)
    }

    private func hasPatience() -> Bool {
      guard let limit = farewellLimit else { return true }
      let unsent = (engine?.bytesToSend ?? 0) + socket.bytesUnsent
      if unsent >= leastUnsent { return limit > .now }
      leastUnsent = unsent
      farewellLimit = .now + Self.farewellMax
      return true
    }

    /// The negotiated version and the peer's certificates in DER; nil before the handshake is done.
    var outcome: (version: String, certificates: [Data])? {
      lock.withLock {
        guard let engine, let version = engine.version else { return nil }
        return (version, engine.peerCertificates.map { Data($0) })
      }
    }

    // MARK: Ciphertext, under the lock

    /// Does what can be done without waiting: the handshake, and what is to be sent.
    private func advance() {
      guard let engine, failure == nil else { return }
      if !isEstablished {
        do throws(TLSError) {
          isEstablished = try engine.handshake()
          if isEstablished { news = .forBoth }
        } catch {
          fail(StreamErrors.tls(error))
        }
      }
      _ = push()
    }

    /// Fetches ciphertext once; false when none has come, or none can.
    private func pull() -> Bool {
      guard let engine, failure == nil, !isTransportEnded else { return false }
      var code: Int32 = 0
      let count = engine.receive { room in
        let count = socket.receive(into: room)
        if count < 0 { code = errno }
        return count
      }
      if count < 0 {
        if code != EAGAIN { fail(StreamErrors.posix(code)) }
        return false
      }
      if count == 0 {
        isTransportEnded = true
        engine.receiveEnd()
      }
      advance()
      return true
    }

    /// Sends ciphertext; true when none is left.
    private func push() -> Bool {
      guard let engine else { return true }
      while engine.bytesToSend > 0 {
        var code: Int32 = 0
        let count = engine.send { bytes in
          let count = socket.send(bytes)
          if count < 0 { code = errno }
          return count
        }
        if count > 0 { continue }
        // A peer that is gone may have sent its reason first: reading tells.
        if code != EAGAIN, sendFailure == nil {
          sendFailure = StreamErrors.posix(code)
          news.forOutput = true
        }
        return false
      }
      return true
    }

    private func fail(_ error: any Error) {
      guard failure == nil else { return }
      failure = error
      news = .forBoth
      // The alert that tells the peer why.
      _ = push()
    }
  }
#endif
