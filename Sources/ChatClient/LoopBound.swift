/// Lets a run loop's closures, which must be sendable, reach what lives on that loop.

/// A weak reference to an object that is used on one run loop.
///
/// @unchecked because the closures that hold it are given to the run loop of the object and to
/// nothing else, so that they run on the one thread that the object is used on.
final class LoopBound<Object: AnyObject>: @unchecked Sendable {
  weak var object: Object?

  init(_ object: Object) {
    self.object = object
  }
}
