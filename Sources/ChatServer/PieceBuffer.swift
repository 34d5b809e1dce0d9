/// Room for the pieces of one gathered write, used again for each.

import Loop

/// As many pieces as one write may have.
final class PieceBuffer {
  private let pieces = UnsafeMutableBufferPointer<Piece>.allocate(capacity: StreamSocket.piecesMax)

  deinit { pieces.deallocate() }

  func set(_ index: Int, to piece: Piece) { pieces[index] = piece }

  func first(_ count: Int) -> UnsafeBufferPointer<Piece> {
    UnsafeBufferPointer(rebasing: pieces[..<count])
  }
}
