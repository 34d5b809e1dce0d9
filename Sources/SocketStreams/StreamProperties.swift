/// The streams' properties and the spellings of their keys. Holds no TLS and no proxies: asking
/// for either is refused, so that nobody sends in clear what was meant to be secret.

internal import Glibc

// nonisolated(unsafe) because NSString is not marked Sendable while these never change.
/// `Data` that holds the socket's descriptor as an `Int32`; nil before the connection.
public nonisolated(unsafe) let kCFStreamPropertySocketNativeHandle: CFString =
  "kCFStreamPropertySocketNativeHandle"
/// The host as it was named to the maker of the pair.
public nonisolated(unsafe) let kCFStreamPropertySocketRemoteHostName: CFString =
  "kCFStreamPropertySocketRemoteHostName"
// because: as above.
/// The port as it was named to the maker of the pair.
public nonisolated(unsafe) let kCFStreamPropertySocketRemotePortNumber: CFString =
  "kCFStreamPropertySocketRemotePortNumber"

extension Stream {
  /// Sets a property from any value that Swift can hold: a `String`, a struct, an object. False
  /// when the stream does not take it.
  @discardableResult @_disfavoredOverload
  public func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool {
    let object: AnyObject? = property.map { $0 as AnyObject }
    return setProperty(object, forKey: key)
  }
}

extension SocketPair {
  func property(forKey key: Stream.PropertyKey) -> AnyObject? {
    switch key.rawValue {
    case "kCFStreamPropertySocketNativeHandle":
      guard let socket = locked({ socket }) else { return nil }
      return withUnsafeBytes(of: socket.number) { NSData(data: Data($0)) }
    case "kCFStreamPropertySocketRemoteHostName": return NSString(string: host)
    case "kCFStreamPropertySocketRemotePortNumber": return NSNumber(value: Int(port))
    case Stream.PropertyKey.socketSecurityLevelKey.rawValue:
      return NSString(string: StreamSocketSecurityLevel.none.rawValue)
    default: return nil
    }
  }

  /// True only for what the stream does: no security at all is the one level it has.
  func setProperty(_ value: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    guard key == .socketSecurityLevelKey else { return false }
    let level =
      (value as? StreamSocketSecurityLevel)?.rawValue ?? value.map(String.init(describing:))
    return level == StreamSocketSecurityLevel.none.rawValue
      || level == "kCFStreamSocketSecurityLevelNone"
  }
}
