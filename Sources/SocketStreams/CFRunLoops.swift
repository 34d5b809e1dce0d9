/// Core Foundation's run-loop calls for code that spells them, on Foundation's `RunLoop`.
/// Offers what programs with streams use: to run, wake and stop a loop. No sources, no observers.

internal import CoreFoundation

/// Foundation's run loop: there is one for each thread, under either name.
public typealias CFRunLoop = RunLoop

/// Names a mode in Core Foundation's calls, as `RunLoop.Mode` does in Foundation's.
public struct CFRunLoopMode: RawRepresentable, Hashable {
  /// The mode's name.
  public var rawValue: CFString

  /// The mode of that name.
  public init(rawValue: CFString) { self.rawValue = rawValue }
  /// The same without a label.
  public init(_ rawValue: CFString) { self.rawValue = rawValue }

  /// The mode that a loop runs unless told otherwise; `RunLoop.Mode.default`.
  public static var defaultMode: Self { Self(NSString(string: RunLoop.Mode.default.rawValue)) }
  /// All common modes at once; `RunLoop.Mode.common`. A loop cannot be run in it.
  public static var commonModes: Self { Self(NSString(string: RunLoop.Mode.common.rawValue)) }

  var foundationMode: RunLoop.Mode { RunLoop.Mode(rawValue: String(describing: rawValue)) }
}

/// Why ``CFRunLoopRunInMode(_:_:_:)`` returned.
public enum CFRunLoopRunResult: Int32, Sendable {
  /// The mode has no source and no timer (any more).
  case finished = 1
  /// ``CFRunLoopStop(_:)`` was called.
  case stopped
  /// The time was over.
  case timedOut
  /// One source was handled, and that was asked for.
  case handledSource
}

extension RunLoop {
  /// The loop itself: both names mean one object here.
  public func getCFRunLoop() -> CFRunLoop { self }
}

/// The current thread's run loop.
public func CFRunLoopGetCurrent() -> CFRunLoop! { RunLoop.current }

/// The main thread's run loop.
public func CFRunLoopGetMain() -> CFRunLoop! { RunLoop.main }

/// Runs the current thread's loop in the default mode until it is stopped or has nothing to wait
/// for.
public func CFRunLoopRun() { CoreFoundation.CFRunLoopRun() }

/// Runs the current thread's loop in one mode.
///
/// - Parameters:
///   - mode: The mode; not ``CFRunLoopMode/commonModes``.
///   - seconds: How long at most. With 0 there is one pass, which does not wait.
///   - returnAfterSourceHandled: Whether to return once one source was handled.
@discardableResult
public func CFRunLoopRunInMode(
  _ mode: CFRunLoopMode, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
  let result = CoreFoundation.CFRunLoopRunInMode(
    mode.foundationMode.coreFoundationMode, seconds, returnAfterSourceHandled)
  return CFRunLoopRunResult(rawValue: result.rawValue) ?? .finished
}

/// Makes the innermost run of a loop return, from any thread.
public func CFRunLoopStop(_ rl: CFRunLoop!) {
  CoreFoundation.CFRunLoopStop(rl.coreFoundationLoop)
}

/// Wakes a loop that waits, from any thread.
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) {
  CoreFoundation.CFRunLoopWakeUp(rl.coreFoundationLoop)
}

/// Whether a loop waits for something to happen.
public func CFRunLoopIsWaiting(_ rl: CFRunLoop!) -> Bool {
  CoreFoundation.CFRunLoopIsWaiting(rl.coreFoundationLoop)
}

/// The mode that a loop is running; nil while it is not running.
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode? {
  rl.currentMode.map { CFRunLoopMode(NSString(string: $0.rawValue)) }
}

/// Makes a mode one of a loop's common modes: what is scheduled in those is heard in it as well.
public func CFRunLoopAddCommonMode(_ rl: CFRunLoop!, _ mode: CFRunLoopMode) {
  CoreFoundation.CFRunLoopAddCommonMode(
    rl.coreFoundationLoop, mode.foundationMode.coreFoundationMode)
}

/// Has a loop run a block once, on its own thread, on its next pass in that mode.
///
/// Does not wake the loop: ``CFRunLoopWakeUp(_:)`` does.
///
/// - Parameters:
///   - rl: The loop, of whatever thread.
///   - mode: A mode's raw value, or a list of such.
///   - block: What to run.
public func CFRunLoopPerformBlock(
  _ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: @escaping () -> Void
) {
  let names = (mode as? NSArray)?.compactMap { $0 as? String } ?? [mode as? String ?? ""]
  // nonisolated(unsafe) because Apple's call asks nothing of the block either: what it shares with
  // the loop's thread is the caller's to know.
  nonisolated(unsafe) let block = block
  rl.perform(inModes: names.map { RunLoop.Mode(rawValue: $0) }) { block() }
}
