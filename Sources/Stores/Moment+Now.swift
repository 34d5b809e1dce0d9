/// The clock on the wall. The only place in the stores that looks at it.

package import ChatModel
internal import Glibc

extension Moment {
  /// This moment.
  package static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
