/// What others tell a connection attempt while its thread waits: look-ups' answers, and that
/// nobody wants the connection any more. Holds the attempt's bell, and drops it at the end, so
/// that a look-up that answers late, or never, keeps no descriptor.

// @unchecked because every variable is used under `lock` only.
final class AttemptMailbox: @unchecked Sendable {
  struct Post {
    let answers: [(IPAddress.Family, AddressRace.Answer)]
    let isAbandoned: Bool
  }

  private let lock = NSLock()
  /// Readable while there is post; nil once the attempt is over.
  private var bell: Descriptor?
  private var answers: [(IPAddress.Family, AddressRace.Answer)] = []
  private var isAbandoned = false

  init?() {
    guard let bell = Descriptor.eventCounter(initially: 0) else { return nil }
    self.bell = bell
  }

  func put(_ family: IPAddress.Family, _ answer: AddressRace.Answer) {
    lock.withLock {
      guard let bell else { return }
      answers.append((family, answer))
      bell.signal()
    }
  }

  func abandon() {
    lock.withLock {
      isAbandoned = true
      bell?.signal()
    }
  }

  /// All post so far; that the attempt is abandoned is told every time.
  func take() -> Post {
    lock.withLock {
      // An abandoned attempt's bell goes on ringing: whatever waits next ends at once.
      if !isAbandoned { bell?.clear() }
      defer { answers = [] }
      return Post(answers: answers, isAbandoned: isAbandoned)
    }
  }

  /// What to wait on, held by the attempt's thread while it waits.
  var waitingBell: Descriptor? { lock.withLock { bell } }

  /// Nothing is received any more. Whether the attempt was not abandoned: it may have had its
  /// result just before it could hear of that.
  func close() -> Bool {
    lock.withLock {
      bell = nil
      answers = []
      return !isAbandoned
    }
  }
}
