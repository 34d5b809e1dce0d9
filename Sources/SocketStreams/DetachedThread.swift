/// Starts a thread that ends by itself, and says when none can be had (Foundation's `Thread`
/// does not, and its body would never run).

internal import Glibc

enum DetachedThread {
  private final class Body {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Enough for getaddrinfo, which is the hungriest that runs here.
  private static let stackBytes = 256 * 1024

  /// False when the system gives no thread; `body` then never runs.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    // The program's signals go to the program's own threads.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(name, body))
    let problem = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        Thread.current.name = body.name
        body.run()
        return nil
      }, context.toOpaque())
    guard problem == 0 else {
      context.release()
      return false
    }
    return true
  }
}
