/// Tokens: what makes another connection the same person. Signed, not kept.

import ChatModel
import Foundation
import TLS

/// Makes tokens and looks into them. A token holds a person, its epoch, a name and when it ends,
/// and a code (HMAC with SHA-256) that only who has the key can make.
struct Tokens: Sendable {
  /// A login's token is good for so long after it was made.
  static let loginSeconds: Int64 = 30 * 24 * 3_600

  private static let version: UInt8 = 2
  private static let codeBytes = 32
  private let key: [UInt8]

  struct Holder: Equatable {
    let person: PersonID
    let name: UserName
    /// The person's when it was made: `Fact.epoch` says which are void.
    let epoch: Int64
  }

  init(key: [UInt8]) { self.key = key }

  /// The last moment of a token that is made now: a whole second.
  static func end(of seconds: Int64, from now: Moment) -> Moment {
    Moment(milliseconds: (now.milliseconds / 1_000 + seconds) * 1_000)
  }

  func token(
    for holder: Holder, at now: Moment, seconds: Int64 = Self.loginSeconds
  ) -> String {
    let end = Self.end(of: seconds, from: now).milliseconds / 1_000
    var bytes = [Self.version]
    withUnsafeBytes(of: holder.person.rawValue.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: holder.epoch.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: end.bigEndian) { bytes += $0 }
    bytes += holder.name.shown.utf8
    bytes += MessageCode.sha256(of: bytes, key: key)
    return Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Nil for what this key did not make, or whose time is over.
  func holder(of token: String, at now: Moment) -> Holder? {
    var base64 = token.replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard token.utf8.count <= 256, let data = Data(base64Encoded: base64),
      data.count > 25 + Self.codeBytes, data.first == Self.version
    else { return nil }
    let bytes = [UInt8](data)
    let signed = Array(bytes.dropLast(Self.codeBytes))
    let code = MessageCode.sha256(of: signed, key: key)
    guard MessageCode.areEqual(code, Array(bytes.suffix(Self.codeBytes))) else { return nil }
    let person = Self.number(signed[1..<9])
    let end = Self.number(signed[17..<25])
    guard now.milliseconds / 1_000 <= end,
      let name = try? UserName(String(decoding: signed[25...], as: UTF8.self))
    else { return nil }
    return Holder(
      person: PersonID(rawValue: person), name: name, epoch: Self.number(signed[9..<17]))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
