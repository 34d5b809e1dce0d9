/// The input stream of a pair: Foundation's class on the outside, a half on the inside.

internal import Dispatch

final class SocketInputStream: InputStream {
  private let pair: SocketPair
  private let half: StreamHalf

  init(pair: SocketPair, half: StreamHalf) {
    self.pair = pair
    self.half = half
    super.init(data: Data())
    half.stream = self
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

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    half.transfer(len) {
      $0.receive(into: UnsafeMutableRawBufferPointer(start: buffer, count: len))
    }
  }

  /// Never has a buffer of its own to lend.
  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  override var hasBytesAvailable: Bool { half.isReady() }

  func deliver(on queue: DispatchQueue?) { pair.locked { half.deliver(on: queue) } }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? {
    pair.property(forKey: key)
  }

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    pair.setProperty(property, forKey: key)
  }
}

/// A stream without another delegate is its own and takes its events in silence.
extension SocketInputStream: StreamDelegate {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {}
}
