/// From Foundation's run loops and modes to Core Foundation's, which take sources.

internal import CoreFoundation

/// Core Foundation's own loop; `CFRunLoop` is the name that clients of the module spell.
typealias CoreFoundationLoop = CoreFoundation.CFRunLoop

extension CoreFoundationLoop {
  static var current: CoreFoundationLoop { CoreFoundation.CFRunLoopGetCurrent() }
}

extension RunLoop {
  /// The Core Foundation loop inside. Foundation keeps it internal; for the loops that are neither
  /// the current nor the main one it is found by reflection, which one test watches over.
  var coreFoundationLoop: CoreFoundationLoop {
    if self === RunLoop.current { return .current }
    if self === RunLoop.main { return CoreFoundation.CFRunLoopGetMain() }
    for child in Mirror(reflecting: self).children where child.label == "_cfRunLoopStorage" {
      // Bit cast because the storage's static type is AnyObject and casts to Core Foundation
      // types abort on Linux; the class of the object is CFRunLoop.
      return unsafeBitCast(child.value as AnyObject, to: CoreFoundationLoop.self)
    }
    preconditionFailure("This Foundation's RunLoop no longer holds its CFRunLoop where it did.")
  }
}

extension RunLoop.Mode {
  var coreFoundationMode: CoreFoundation.CFRunLoopMode? {
    if self == .common { return kCFRunLoopCommonModes }
    if self == .default { return kCFRunLoopDefaultMode }
    // Bit cast because NSString and CFString share one layout while Swift on Linux bridges
    // neither way.
    return unsafeBitCast(NSString(string: rawValue), to: CoreFoundation.CFRunLoopMode.self)
  }
}
