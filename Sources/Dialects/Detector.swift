/// Picks the dialect from a connection's first bytes. Reads nothing beyond them, waits for no time.

/// Gives a verdict on each read until there is one; keeps the reads it could not judge.
package struct Detector {
  /// What is recognised beside plain.
  package enum Spoken: Hashable { case tls, proxy, http, json, irc }

  package enum Verdict: Hashable {
    /// More bytes are needed; the read is kept.
    case unknown
    /// Nothing else it could be; the last read is not kept.
    case plain
    case other(Spoken)
  }

  /// The reads so far, as they came: together shorter than the longest beginning.
  package private(set) var reads: [[UInt8]] = []

  package init() {}

  /// An empty read changes nothing.
  package mutating func received(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard bytes.count > 0 else { return .unknown }
    var first: [UInt8] = []
    for read in reads { first += read }
    unsafe first += bytes.prefix(Beginning.bytesMax)
    let verdict = Beginning.verdict(first)
    if verdict == .unknown { unsafe reads.append([UInt8](bytes)) }
    return verdict
  }
}

/// One row of the table: how a dialect begins.
private struct Beginning {
  let spoken: Detector.Spoken
  /// Nil stands for any byte.
  let bytes: [UInt8?]
  var isAnyCase = false

  private enum Match { case no, maybe, yes }

  private func match(_ first: [UInt8]) -> Match {
    for (byte, wanted) in zip(first, bytes) {
      guard let wanted else { continue }
      // Only letters and the blank are compared in any case; a blank has the bit already.
      guard byte == wanted || isAnyCase && byte | 0x20 == wanted | 0x20 && wanted != 0x20 else {
        return .no
      }
    }
    return first.count < bytes.count ? .maybe : .yes
  }

  static func verdict(_ first: [UInt8]) -> Detector.Verdict {
    var verdict = Detector.Verdict.plain
    for beginning in table {
      switch beginning.match(first) {
      case .yes: return .other(beginning.spoken)
      case .maybe: verdict = .unknown
      case .no: break
      }
    }
    return verdict
  }

  static let table: [Beginning] =
    [
      // RFC 8446 4 and 5.1: a handshake record of TLS 1.x whose message is a ClientHello.
      Beginning(spoken: .tls, bytes: [0x16, 0x03, nil, nil, nil, 0x01]),
      // The PROXY protocol 2.1 and 2.2.
      Beginning(spoken: .proxy, bytes: Array("PROXY ".utf8)),
      Beginning(spoken: .proxy, bytes: Array("\r\n\r\n\0\r\nQUIT\n".utf8)),
      Beginning(spoken: .json, bytes: Array("{".utf8)),
    ]
    + ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"].map {
      Beginning(spoken: .http, bytes: Array("\($0) ".utf8))
    }
    + ["CAP", "NICK", "USER", "PASS"].map {
      Beginning(spoken: .irc, bytes: Array("\($0) ".utf8), isAnyCase: true)
    }

  static let bytesMax = table.reduce(0) { most, row in max(most, row.bytes.count) }
}
