/// One direction of a pair: its status, the events it has to tell, and the rules between them.
/// Scheduling, delivery and the bytes are in the files beside this one.

// @unchecked because every variable is used under the pair's lock only; `pair` is set once,
// before anybody else knows the half.
final class StreamHalf: @unchecked Sendable {
  enum Direction { case input, output }

  let direction: Direction
  // Unowned because the pair owns its halves, and whoever calls a half holds the pair.
  unowned(safe) var pair: SocketPair!
  /// The stream object; weak because it owns the pair, and its end is a close.
  weak var stream: Stream?
  weak var delegate: (any StreamDelegate)?

  var status = Stream.Status.notOpen
  var error: (any Error)?
  /// Closed by the client, or its stream object is gone.
  var isReleased = false
  /// Threads inside read() or write(); makes `reading` and `writing` visible.
  var callsUnderWay = 0
  /// Made by the first call that must block; readable when it should try again, and from close()
  /// on.
  var waker: Descriptor?

  /// Events to deliver, in the order of their bits.
  var pending: Stream.Event = []
  /// Readiness was told and the client has not read or written since: nothing more is told.
  var isTold = false
  /// The channel is being watched for readiness.
  var isArmed = false
  /// The last transfer filled its room, so that there may be more.
  var wasFilled = false
  /// The readiness in `pending` is nothing but the end of the peer's bytes.
  var isBareEnd = false

  var delivery: Delivery?

  /// The direction's data event.
  let readiness: Stream.Event
  /// The order in which events that are due together are told: Apple's, by their bits.
  let order: [Stream.Event]

  init(_ direction: Direction) {
    self.direction = direction
    readiness =
      switch direction {
      case .input: .hasBytesAvailable
      case .output: .hasSpaceAvailable
      }
    order = [.openCompleted, readiness, .errorOccurred, .endEncountered]
  }

  /// The status that a client sees.
  var visibleStatus: Stream.Status {
    guard status == .open, callsUnderWay > 0 else { return status }
    switch direction {
    case .input: return .reading
    case .output: return .writing
    }
  }

  // MARK: Transitions, under the lock

  func becomeOpen() {
    guard status == .opening, !isReleased else { return }
    status = .open
    post(.openCompleted)
  }

  /// Takes the pair's failure over. Bytes that came before it stay readable: an input stream that
  /// holds some fails when they are read.
  func fail() {
    guard !isReleased, let failure = pair.failure else { return }
    switch status {
    case .opening, .open, .atEnd: break
    case .notOpen, .reading, .writing, .closed, .error: return
    @unknown default: return
    }
    if direction == .input, status == .open, let channel = pair.channel, channel.hasBytes {
      return armAnew()
    }
    status = .error
    error = failure
    pending.formIntersection(.openCompleted)
    post(.errorOccurred)
  }

  func reachEnd() {
    guard status == .open else { return }
    status = .atEnd
    pending.remove(readiness)
    post(.endEncountered)
  }

  /// A client that polls an unscheduled stream has seen that it is open; that is not told again.
  func noteObserved() {
    if delivery == nil, status == .open { pending.remove(.openCompleted) }
  }

  /// close(), or the end of the stream object. An error stays an error.
  func release() {
    guard !isReleased else { return }
    isReleased = true
    if status != .error, status != .notOpen { status = .closed }
    pending = []
    waker?.signal()
    endDelivery()
    if direction == .output { pair.channel?.sendRest() }
    pair.wasReleased(self)
  }

  // MARK: Readiness, under the lock

  func post(_ event: Stream.Event) {
    pending.insert(event)
    delivery?.port.ring()
  }

  /// Watches the channel again, unless what it would tell is told or waiting already.
  func arm() {
    guard let delivery, let channel = pair.channel, status == .open, !isArmed, !isTold,
      pending.isDisjoint(with: [.openCompleted, readiness])
    else { return }
    isArmed = true
    if channel.hasHiddenNews(direction) {
      delivery.port.ring()
    } else if let descriptor = channel.descriptor {
      delivery.port.arm(descriptor, events: channel.interest(direction))
    }
  }

  /// The client read or wrote: what was to be told is stale, what comes is news.
  func noteTransfer() {
    isTold = false
    pending.remove(readiness)
    armAnew()
  }

  /// Where the client moved bytes or asked for them untold: the channel may be waiting for another
  /// thing than it is watched for, or have fetched what the kernel will not tell of again.
  func armAnew() {
    isArmed = false
    arm()
  }

  /// What was known of readiness concerned the channel before.
  func channelWasExchanged() {
    pending.remove(readiness)
    isTold = false
    isArmed = false
    isBareEnd = false
    waker?.signal()
    arm()
  }
}

// MARK: What the stream objects ask, under the lock

extension StreamHalf {
  func observedStatus() -> Stream.Status {
    noteObserved()
    return visibleStatus
  }

  /// A stream that was never opened is not closed by this and may still be opened.
  func close() {
    if status != .notOpen { release() }
  }

  func setDelegate(_ delegate: (any StreamDelegate)?) {
    self.delegate = delegate
    if !pending.isEmpty { delivery?.port.ring() }
  }
}
