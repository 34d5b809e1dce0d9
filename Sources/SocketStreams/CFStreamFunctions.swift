/// Core Foundation's calls on streams, each a line of Foundation: they reach the members of the
/// stream object, so a stream of any class will do. A stream that is nil does nothing.

// MARK: Input

/// Opens a stream; false if it was opened before, or failed at once.
@discardableResult
public func CFReadStreamOpen(_ stream: CFReadStream?) -> Bool { stream?.opens() ?? false }

/// Closes a stream, for good.
public func CFReadStreamClose(_ stream: CFReadStream?) { stream?.close() }

/// How far a stream is.
public func CFReadStreamGetStatus(_ stream: CFReadStream?) -> CFStreamStatus {
  stream?.coreFoundationStatus ?? .notOpen
}

/// Why a stream failed; nil while it has not.
public func CFReadStreamCopyError(_ stream: CFReadStream?) -> CFError! {
  stream?.streamError.map { $0 as NSError }
}

/// Why a stream failed, as two numbers; both are 0 while it has not.
public func CFReadStreamGetError(_ stream: CFReadStream?) -> CFStreamError {
  stream?.errorNumbers ?? CFStreamError()
}

/// Reads between 1 and `bufferLength` bytes, waiting for the first one if need be; 0 at the end, -1
/// where nothing can be read.
@discardableResult
public func CFReadStreamRead(
  _ stream: CFReadStream?, _ buffer: UnsafeMutablePointer<UInt8>!, _ bufferLength: CFIndex
) -> CFIndex {
  stream?.read(buffer, maxLength: bufferLength) ?? -1
}

/// Whether a read would not block.
public func CFReadStreamHasBytesAvailable(_ stream: CFReadStream?) -> Bool {
  stream?.hasBytesAvailable ?? false
}

/// A property's value; nil for one that the stream does not have.
public func CFReadStreamCopyProperty(
  _ stream: CFReadStream?, _ propertyName: CFStreamPropertyKey
) -> CFTypeRef! {
  stream?.property(forKey: propertyName.foundationKey)
}

/// Sets a property; false if the stream does not take it.
@discardableResult
public func CFReadStreamSetProperty(
  _ stream: CFReadStream?, _ propertyName: CFStreamPropertyKey, _ propertyValue: CFTypeRef?
) -> Bool {
  stream?.setProperty(propertyValue, forKey: propertyName.foundationKey) ?? false
}

/// Has events delivered by a run loop while it runs that mode.
public func CFReadStreamScheduleWithRunLoop(
  _ stream: CFReadStream?, _ runLoop: CFRunLoop?, _ runLoopMode: CFRunLoopMode
) {
  if let runLoop { stream?.schedule(in: runLoop, forMode: runLoopMode.foundationMode) }
}

/// Ends what scheduling on that run loop and mode began.
public func CFReadStreamUnscheduleFromRunLoop(
  _ stream: CFReadStream?, _ runLoop: CFRunLoop?, _ runLoopMode: CFRunLoopMode
) {
  if let runLoop { stream?.remove(from: runLoop, forMode: runLoopMode.foundationMode) }
}

// MARK: Output

/// Opens a stream; false if it was opened before, or failed at once.
@discardableResult
public func CFWriteStreamOpen(_ stream: CFWriteStream?) -> Bool { stream?.opens() ?? false }

/// Closes a stream, for good.
public func CFWriteStreamClose(_ stream: CFWriteStream?) { stream?.close() }

/// How far a stream is.
public func CFWriteStreamGetStatus(_ stream: CFWriteStream?) -> CFStreamStatus {
  stream?.coreFoundationStatus ?? .notOpen
}

/// Why a stream failed; nil while it has not.
public func CFWriteStreamCopyError(_ stream: CFWriteStream?) -> CFError! {
  stream?.streamError.map { $0 as NSError }
}

/// Why a stream failed, as two numbers; both are 0 while it has not.
public func CFWriteStreamGetError(_ stream: CFWriteStream?) -> CFStreamError {
  stream?.errorNumbers ?? CFStreamError()
}

/// Writes between 1 and `bufferLength` bytes, waiting for room if need be; -1 where nothing can be
/// written.
@discardableResult
public func CFWriteStreamWrite(
  _ stream: CFWriteStream?, _ buffer: UnsafePointer<UInt8>!, _ bufferLength: CFIndex
) -> CFIndex {
  stream?.write(buffer, maxLength: bufferLength) ?? -1
}

/// Whether a write would not block.
public func CFWriteStreamCanAcceptBytes(_ stream: CFWriteStream?) -> Bool {
  stream?.hasSpaceAvailable ?? false
}

/// A property's value; nil for one that the stream does not have.
public func CFWriteStreamCopyProperty(
  _ stream: CFWriteStream?, _ propertyName: CFStreamPropertyKey
) -> CFTypeRef! {
  stream?.property(forKey: propertyName.foundationKey)
}

/// Sets a property; false if the stream does not take it.
@discardableResult
public func CFWriteStreamSetProperty(
  _ stream: CFWriteStream?, _ propertyName: CFStreamPropertyKey, _ propertyValue: CFTypeRef?
) -> Bool {
  stream?.setProperty(propertyValue, forKey: propertyName.foundationKey) ?? false
}

/// Has events delivered by a run loop while it runs that mode.
public func CFWriteStreamScheduleWithRunLoop(
  _ stream: CFWriteStream?, _ runLoop: CFRunLoop?, _ runLoopMode: CFRunLoopMode
) {
  if let runLoop { stream?.schedule(in: runLoop, forMode: runLoopMode.foundationMode) }
}

/// Ends what scheduling on that run loop and mode began.
public func CFWriteStreamUnscheduleFromRunLoop(
  _ stream: CFWriteStream?, _ runLoop: CFRunLoop?, _ runLoopMode: CFRunLoopMode
) {
  if let runLoop { stream?.remove(from: runLoop, forMode: runLoopMode.foundationMode) }
}

// MARK: Errors

/// An error's number within its domain.
public func CFErrorGetCode(_ err: CFError) -> CFIndex { err.code }

/// An error's domain.
public func CFErrorGetDomain(_ err: CFError) -> CFString! { NSString(string: err.domain) }

/// An error as a sentence.
public func CFErrorCopyDescription(_ err: CFError) -> CFString! {
  NSString(string: err.localizedDescription)
}

/// Seconds since the beginning of 2001, UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

// MARK: From one spelling to the other

extension CFStreamPropertyKey {
  fileprivate var foundationKey: Stream.PropertyKey {
    Stream.PropertyKey(rawValue: String(describing: rawValue))
  }
}

extension Stream {
  fileprivate func opens() -> Bool {
    guard streamStatus == .notOpen else { return false }
    open()
    return streamStatus != .error
  }

  fileprivate var coreFoundationStatus: CFStreamStatus {
    CFStreamStatus(rawValue: Int(streamStatus.rawValue)) ?? .notOpen
  }

  /// Foundation's error may hold the two numbers; otherwise its domain says whose its code is.
  fileprivate var errorNumbers: CFStreamError {
    guard let error = streamError.map({ $0 as NSError }) else { return CFStreamError() }
    let noted = ["_kCFStreamErrorDomainKey", "_kCFStreamErrorCodeKey"].map {
      (error.userInfo[$0] as? NSNumber)?.intValue
    }
    let domain =
      switch error.domain {
      case NSPOSIXErrorDomain: CFStreamErrorDomain.POSIX.rawValue
      case NSStreamSocketSSLErrorDomain: Int(kCFStreamErrorDomainSSL)
      case NSStreamSOCKSErrorDomain: Int(kCFStreamErrorDomainSOCKS)
      default: CFStreamErrorDomain.custom.rawValue
      }
    return CFStreamError(
      domain: noted[0] ?? domain, error: Int32(truncatingIfNeeded: noted[1] ?? error.code))
  }
}
