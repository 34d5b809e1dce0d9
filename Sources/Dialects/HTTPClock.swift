/// What time it is for HTTP: when an answer is given, and the second that it bears (RFC 9110
/// 6.6.1). Reads no clock.

package import ChatModel
internal import Wire

/// One for all connections of a server, set by whoever has a clock.
package final class HTTPClock {
  /// Since the server began.
  private(set) var now = Duration.zero
  /// As RFC 9110 5.6.7 writes it.
  private(set) var date = "Thu, 01 Jan 1970 00:00:00 GMT"
  /// When the second is over.
  private var due = Duration.zero

  package init() {}

  /// It is `now`; what the clock on the wall shows then is asked for once a second.
  package func pass(to now: Duration, _ moment: () -> Moment) {
    self.now = now
    guard now >= due else { return }
    let milliseconds = moment().milliseconds
    due = now + .milliseconds(1_000 - milliseconds % 1_000)
    var date: [UInt8] = []
    date.append(httpDate: milliseconds)
    self.date = String(decoding: date, as: UTF8.self)
  }
}
