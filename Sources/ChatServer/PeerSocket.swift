/// What the exchange needs of a client's socket. None of it calls back before it returns.

package import Loop

/// ``Loop/StreamSocket`` as the exchange uses it; a simulation has sockets of its own.
package protocol PeerSocket: AnyObject {
  func resumeReading()
  /// Reads nothing until ``resumeReading()``.
  func pauseReading()
  /// Takes what goes at once. Not while a ``startWrite(_:)`` is under way.
  func tryWrite(_ pieces: UnsafeBufferPointer<Piece>) -> WriteResult
  /// Takes pieces whose memory stays; ``Exchange/wrote(_:_:at:)`` is called when they have gone.
  func startWrite(_ pieces: UnsafeBufferPointer<Piece>)
  /// Sends the end of stream after all that was written.
  func finishWriting()
  /// Closes; nothing of it is heard again.
  func close()
  func setKeepAlive(_ keepAlive: KeepAlive)
  func limitUnsent(toBytes most: Int)
  /// Nil where nobody says.
  var peerSigns: PeerSigns? { get }
}

extension StreamSocket: PeerSocket {}
