/// The Core Foundation types that code written for Apple's systems spells, as Foundation's types.
/// Declares names only; no behaviour. A file that also imports `CoreFoundation` finds them twice.

@_exported public import Foundation

// MARK: Streams

/// The concrete stream itself: on Apple's systems the two are toll-free bridged.
public typealias CFReadStream = InputStream
/// The concrete stream itself: on Apple's systems the two are toll-free bridged.
public typealias CFWriteStream = OutputStream
/// A socket's descriptor.
public typealias CFSocketNativeHandle = Int32

/// Names a stream's property in Core Foundation's calls, as `Stream.PropertyKey` does in
/// Foundation's. The two have the same spellings.
public struct CFStreamPropertyKey: RawRepresentable, Hashable {
  /// The key's spelling; for example ``kCFStreamPropertySSLSettings``.
  public var rawValue: CFString

  /// Any spelling is a key; a stream answers nil and false to one that it does not know.
  public init(rawValue: CFString) { self.rawValue = rawValue }
  /// The same without a label.
  public init(_ rawValue: CFString) { self.rawValue = rawValue }

  /// What a memory stream has taken so far: `Data`.
  public static var dataWritten: Self { Self("kCFStreamPropertyDataWritten") }
  /// Where a file stream is: a number of bytes.
  public static var fileCurrentOffset: Self { Self("kCFStreamPropertyFileCurrentOffset") }
  /// ``kCFStreamPropertySocketNativeHandle`` as a key.
  public static var socketNativeHandle: Self { Self(kCFStreamPropertySocketNativeHandle) }
  /// ``kCFStreamPropertySocketRemoteHostName`` as a key.
  public static var socketRemoteHostName: Self { Self(kCFStreamPropertySocketRemoteHostName) }
  /// ``kCFStreamPropertySocketRemotePortNumber`` as a key.
  public static var socketRemotePortNumber: Self { Self(kCFStreamPropertySocketRemotePortNumber) }
}

/// `Stream.Status` under Core Foundation's name; the numbers are the same.
public enum CFStreamStatus: Int, Sendable {
  /// Not opened yet.
  case notOpen
  /// Being opened.
  case opening
  /// Open, and no call under way.
  case open
  /// Open, and being read on another thread.
  case reading
  /// Open, and being written to on another thread.
  case writing
  /// Open, and the peer's end was read.
  case atEnd
  /// Closed, for good.
  case closed
  /// Failed, for good.
  case error
}

/// `Stream.Event` under Core Foundation's name; the numbers are the same.
public struct CFStreamEventType: OptionSet, Sendable {
  /// The events as bits.
  public let rawValue: CFOptionFlags
  /// Any bits; those without a name mean nothing.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// The stream is open.
  public static let openCompleted = Self(rawValue: 1)
  /// An input stream can be read without blocking.
  public static let hasBytesAvailable = Self(rawValue: 2)
  /// An output stream can be written to without blocking.
  public static let canAcceptBytes = Self(rawValue: 4)
  /// The stream failed.
  public static let errorOccurred = Self(rawValue: 8)
  /// The end of the peer's bytes was read.
  public static let endEncountered = Self(rawValue: 16)
}

/// A stream's failure as two numbers: whose the code is, and the code.
public struct CFStreamError: Hashable, Sendable {
  /// One of the `kCFStreamErrorDomain` numbers, or ``CFStreamErrorDomain``'s; 0 without a failure.
  public var domain: CFIndex
  /// The domain's code. For POSIX it is errno, in Linux's numbers.
  public var error: Int32

  /// No failure.
  public init() { self.init(domain: 0, error: 0) }
  /// A failure of that domain.
  public init(domain: CFIndex, error: Int32) {
    self.domain = domain
    self.error = error
  }
}

/// The domains that Core Foundation itself defines; the others are numbers of their own, such as
/// ``kCFStreamErrorDomainNetDB``.
public enum CFStreamErrorDomain: Int, Sendable {
  /// Of the kind of stream at hand.
  case custom = -1
  /// The code is errno.
  case POSIX = 1
  /// The code is an OSStatus; not seen on Linux.
  case macOSStatus = 2
}

/// The codes of ``kCFErrorDomainCFNetwork`` that look-ups have on Apple's systems.
public enum CFNetworkErrors: Int32, Sendable {
  /// Not seen on Linux: ``cfHostErrorUnknown`` tells this, too.
  case cfHostErrorHostNotFound = 1
  /// A look-up failed; the resolver's code is under ``kCFGetAddrInfoFailureKey``.
  case cfHostErrorUnknown = 2
}

// MARK: Values

/// `NSString`, so that `"host" as CFString`, a bare literal and an `NSString` value all fit.
public typealias CFString = NSString
/// The dictionaries that stream properties hold.
public typealias CFDictionary = NSDictionary
/// A dictionary that can still be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// Lists, such as a certificate chain.
public typealias CFArray = NSArray
/// Bytes, such as the native handle's four.
public typealias CFData = NSData
/// Numbers, such as ports.
public typealias CFNumber = NSNumber
/// True and false are numbers on Linux.
public typealias CFBoolean = NSNumber
/// The value that says "none" inside a dictionary.
public typealias CFNull = NSNull
/// What ``CFReadStreamCopyError(_:)`` gives.
public typealias CFError = NSError
/// Any object.
public typealias CFTypeRef = AnyObject

/// A count or a position.
public typealias CFIndex = Int
/// Bits.
public typealias CFOptionFlags = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since the beginning of 2001, UTC.
public typealias CFAbsoluteTime = Double

/// Stands where Core Foundation takes an allocator. Memory always comes from Swift.
public final class CFAllocator: Sendable {
  init() {}
}

// MARK: Older and other spellings

/// Swift 3's spelling of `RunLoop.Mode`.
public typealias RunLoopMode = RunLoop.Mode
/// Linux has no autorelease pool; a plain pointer does the same service.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

extension RunLoop.Mode {
  /// The spelling of code older than `RunLoop.Mode.common`.
  public static var commonModes: RunLoop.Mode { .common }
  /// The spelling of code older than `RunLoop.Mode.default`.
  public static var defaultRunLoopMode: RunLoop.Mode { .default }
}

/// Runs `body`. Linux has no autorelease pool: objects go when their last reference does.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}

/// Lets `kCFStreamPropertySSLSettings as Stream.PropertyKey` compile, as on Apple's systems.
extension Stream.PropertyKey: @retroactive _ObjectiveCBridgeable {
  /// The key's spelling as an object.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// Any spelling is a key.
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout Self?) {
    result = Self(rawValue: String(describing: source))
  }

  /// Any spelling is a key.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout Self?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  /// Any spelling is a key; nil gives the empty one.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> Self {
    Self(rawValue: source.map { String(describing: $0) } ?? "")
  }
}
