/// The output stream of a pair: Foundation's class on the outside, a half on the inside.

internal import Dispatch

final class SocketOutputStream: OutputStream {
  private let pair: SocketPair
  private let half: StreamHalf

  init(pair: SocketPair, half: StreamHalf) {
    self.pair = pair
    self.half = half
    super.init(toMemory: ())
    half.stream = self
  }

  /// Foundation requires it; a socket's stream is never made this way.
  required init(toMemory: ()) {
    preconditionFailure("A socket's stream is made by Stream.getStreamsToHost.")
  }

  deinit {
    pair.locked { half.release() }
  }

  override func open() { pair.locked { pair.open(half) } }

  override func close() { pair.locked { half.close() } }

  override var streamStatus: Stream.Status { pair.locked { half.observedStatus() } }

  override var streamError: (any Error)? { pair.locked { half.error } }

  override var delegate: (any StreamDelegate)? {
    get { pair.locked { half.delegate ?? self } }
    set { pair.locked { half.setDelegate(newValue === self ? nil : newValue) } }
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    let loop = aRunLoop.coreFoundationLoop
    pair.locked { half.schedule(in: loop, mode: mode) }
  }

  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    let loop = aRunLoop.coreFoundationLoop
    pair.locked { half.remove(from: loop, mode: mode) }
  }

  /// Never raises SIGPIPE: a lost peer is an error of this call.
  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    half.transfer(len) { $0.send(UnsafeRawBufferPointer(start: buffer, count: len)) }
  }

  override var hasSpaceAvailable: Bool { half.isReady() }

  func deliver(on queue: DispatchQueue?) { pair.locked { half.deliver(on: queue) } }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? {
    pair.property(forKey: key)
  }

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    pair.setProperty(property, forKey: key)
  }
}

/// A stream without another delegate is its own and takes its events in silence.
extension SocketOutputStream: StreamDelegate {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {}
}
