/// What those hear whose dialect is not spoken here yet. Nothing they sent is read.

/// The one answer each of them can read, before the connection is closed.
func refusal(of spoken: Detector.Spoken) -> Heard {
  switch spoken {
  case .tls:
    // RFC 8446 6.2: a fatal handshake_failure alert.
    .farewell([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])
  case .proxy:
    .close
  case .http, .json:
    preconditionFailure("these are spoken here")
  case .irc:
    .farewell(ircFarewell)
  }
}

private let ircFarewell = Array(
  "ERROR :IRC is not spoken here yet; connect with nc or telnet and type iam:NAME\r\n".utf8)
