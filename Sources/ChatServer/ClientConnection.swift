/// One client: its socket, its dialect, what waits for it. Decides nothing about the chat.

package import ChatHub
import ChatModel
import Dialects

/// What the exchange knows of one connection.
package final class ClientConnection {
  /// Where a connection is in its life.
  enum Stage {
    /// Requests are taken and events are told.
    case open
    /// The peer has finished: what it sent is still carried out, and a follower is given what it is
    /// to catch up with; then it is ended.
    case finished
    /// The hub has forgotten it; what waits for it goes out, then it is closed.
    case ending
    case closed
  }

  package let id: ConnectionID
  let socket: any PeerSocket
  var origin: Origin

  var stage = Stage.open
  var dialect: Dialect
  package internal(set) var outbox = Outbox()
  /// Who it belongs to; nil before its login.
  var person: PersonID?
  /// Whom the token of its last request over HTTP was of; nil for none.
  var visitor: PersonID?
  /// When the kernel took something for it last.
  var wroteAt = Duration.zero
  /// It was told the welcome, or need not be.
  var isWelcomed = false
  /// The peer sent its end of stream.
  var isPeerFinished = false
  /// We sent ours.
  var isEndSent = false

  /// The hub, or the store, is deciding about its last request.
  var isWaiting = false
  /// So many of its requests are with the keeper.
  var answersUnderWay = 0
  /// The last of them changes facts, by which what it asks next is judged.
  var isRecording = false
  /// What it asked while messages were with the keeper: answers come in the order of requests.
  var held: Heard?
  /// Rooms whose history it is given before it hears what comes.
  var lags = Lags()
  /// A page of a room that it is behind in is on its way.
  var isFetching = false
  /// The store could not give it a page: it is asked again then.
  var catchUpLater: Duration?
  /// Nothing is taken from it before it has read what waits for it.
  var isHeldBack = false
  /// Listed to have its requests taken.
  var isReady = false
  /// It speaks too fast: nothing is taken from it before then.
  var readLater: Duration?
  /// It is closed then, whatever waits for it.
  var lingerUntil: Duration?
  /// The earliest time at which ``Deadlines`` will name this connection.
  var deadlineSet: Duration?

  /// Listed to be written to at the end of the turn.
  var isDirty = false
  /// A raw client was sent a line less than a tick ago.
  var pacing = Pacing.free
  /// Since when it is listed as having bytes that the peer's kernel may not have acknowledged.
  var unacknowledgedSince: Duration?

  enum Pacing {
    case free
    /// Written to since the last tick: the next tick comes too early.
    case fresh
    /// The next tick may write.
    case due
  }

  init(id: ConnectionID, socket: any PeerSocket, origin: Origin, dialect: Dialect) {
    self.id = id
    self.socket = socket
    self.origin = origin
    self.dialect = origin == .operator ? .control : dialect
  }

  /// Whether it is whoever runs the server: it has no name, and needs none.
  var isOperator: Bool { origin == .operator }

  /// Whether the hub knows it.
  var isLive: Bool {
    switch stage {
    case .open, .finished: true
    case .ending, .closed: false
    }
  }

  /// The peer's address where it counts against the limit for one address.
  var countedHost: String? { origin.countedHost }

  /// Whether the peer is on this machine.
  var isOnThisMachine: Bool { countedHost == nil }

  /// Whether it is sent one line a tick.
  var isPaced: Bool { dialect.form == .raw }

  /// Whether it bears a name.
  var isNamed: Bool { person != nil }

  /// Whether a request of it may be carried out now. Who asks and does not read what is answered is
  /// not read either.
  func takesRequests(_ limits: Limits) -> Bool {
    isLive && !isWaiting && readLater == nil && held == nil
      && answersUnderWay < limits.draftsOfConnectionMax && !isFull(limits)
  }

  /// More waits for it than may.
  func isFull(_ limits: Limits) -> Bool { outbox.weight > limits.outboxBytesMax }

  /// When it wants to be looked at next.
  func nextDeadline(_ limits: Limits) -> Duration? {
    // A dialect's timer waits while its requests do.
    var next = takesRequests(limits) ? dialect.deadline : nil
    if let readLater { next = min(next ?? readLater, readLater) }
    if let catchUpLater { next = min(next ?? catchUpLater, catchUpLater) }
    // Who listens to events is told now and then that there are none.
    if isLive, dialect.form == .event {
      let due = wroteAt + limits.eventSilence
      next = min(next ?? due, due)
    }
    if let lingerUntil { next = min(next ?? lingerUntil, lingerUntil) }
    return next
  }
}
