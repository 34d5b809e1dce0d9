/// A page of history that somebody needs. Does not say how it is read.

package import ChatModel
package import Stores
import ChatHub

/// To be answered by ``Exchange/received(_:for:at:)``.
package struct PageRequest {
  package let room: RoomName
  package let stretch: Stretch
  package let reading: Reading
  package let limit: Int
  let purpose: Purpose
  /// The newest message of the room that anybody had been shown as this was asked.
  let published: Int64

  enum Purpose {
    /// To answer a request for history.
    case answer(ConnectionID, RequestID?)
    /// For a reader that is behind, and has come so far.
    case catchUp(ConnectionID, Lags.Cursor)
  }
}
