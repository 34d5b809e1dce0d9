/// The Core Foundation names that code written for Apple's systems spells, as Foundation types.
/// Declares names only; no behaviour. A file that also imports `CoreFoundation` finds them twice.

@_exported public import Foundation

/// `NSString`, so that `"host" as CFString`, a bare literal and an `NSString` value all fit.
public typealias CFString = NSString
/// The concrete stream itself: on Apple's systems the two are toll-free bridged.
public typealias CFReadStream = InputStream
/// The concrete stream itself: on Apple's systems the two are toll-free bridged.
public typealias CFWriteStream = OutputStream
/// The dictionaries that stream properties hold.
public typealias CFDictionary = NSDictionary
/// Any object.
public typealias CFTypeRef = AnyObject
/// Swift 3's spelling of `RunLoop.Mode`.
public typealias RunLoopMode = RunLoop.Mode
/// Linux has no autorelease pool; a plain pointer does the same service.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// Stands where Core Foundation takes an allocator. Memory always comes from Swift.
public final class CFAllocator: Sendable {
  init() {}
}

/// The default allocator; means nothing on Linux.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The system's allocator; means nothing on Linux.
public let kCFAllocatorSystemDefault: CFAllocator? = nil

extension RunLoop.Mode {
  /// The spelling of code older than `RunLoop.Mode.common`.
  public static var commonModes: RunLoop.Mode { .common }
  /// The spelling of code older than `RunLoop.Mode.default`.
  public static var defaultRunLoopMode: RunLoop.Mode { .default }
}
