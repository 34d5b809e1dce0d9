/// Proxies of other hands, started by the test that needs one and stopped at its end.

import Foundation
import SocketStreams
import TestSupport

/// A proxy program that listens on a free port of 127.0.0.1.
final class RealProxy {
  let port: UInt16
  private let process: ChildProcess

  /// Starts a program until one gets the port that was free a moment ago.
  private init(_ command: (_ port: Int) -> [String]) throws {
    for _ in 0..<5 {
      let number = try BoundPort().number
      let process = try ChildProcess(running: command(number))
      if wait(20, until: { answers(on: number) || process.isGone }), !process.isGone {
        port = UInt16(number)
        self.process = process
        return
      }
    }
    throw Failed(description: "the proxy does not start")
  }

  /// SOCKS 5 only.
  static func microsocks(user: String? = nil, password: String = "") throws -> RealProxy {
    try RealProxy { port in
      ["microsocks", "-i", "127.0.0.1", "-p", "\(port)"]
        + (user.map { ["-u", $0, "-P", password] } ?? [])
    }
  }

  /// SOCKS 4 and 5; 127.0.0.9 is forbidden by its rules.
  static func dante() throws -> RealProxy {
    try RealProxy { port in
      let rules = """
        logoutput: stderr
        internal: 127.0.0.1 port = \(port)
        external: lo
        clientmethod: none
        socksmethod: none
        client pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
        socks block { from: 0.0.0.0/0 to: 127.0.0.9/32 }
        socks pass { from: 0.0.0.0/0 to: 0.0.0.0/0 command: connect }
        """
      // It reads its rules from a file, which is gone once it has.
      let script = """
        file=$(mktemp) && printf '%s' "$0" > "$file" && exec 3< "$file" && rm "$file" &&
        exec danted -f /dev/fd/3
        """
      return ["sh", "-c", script, rules]
    }
  }

  /// SOCKS 4a, which Perl's IO::Socket::Socks serves. It takes the user `ann` only, and relays
  /// one connection after the other.
  static func perl() throws -> RealProxy {
    try RealProxy { port in ["perl", "-e", perlServer, "\(port)"] }
  }

  func stop() throws {
    process.send(SIGTERM)
    _ = try process.ending()
  }

  /// As a stream's property would say it.
  func proxy(
    _ version: SOCKSProxy.Version = .v5, user: String? = nil, password: String? = nil
  ) -> SOCKSProxy {
    SOCKSProxy(
      host: "127.0.0.1", port: port, version: version, user: user, password: password)
  }
}

private let perlServer = """
  use strict;
  use IO::Select;
  use IO::Socket::Socks qw(:constants);
  $IO::Socket::Socks::SOCKS4_RESOLVE = 1;
  my $listener = IO::Socket::Socks->new(
    SocksVersion => 4, ProxyAddr => '127.0.0.1', ProxyPort => $ARGV[0], Listen => 10,
    UserAuth => sub { $_[0] eq 'ann' }) or exit 1;
  while (1) {
    my $client = $listener->accept or next;
    my ($command, $host, $port) = @{$client->command};
    my $far = IO::Socket::INET->new(PeerHost => $host, PeerPort => $port, Timeout => 10);
    unless ($far) { $client->command_reply(REQUEST_FAILED, '0.0.0.0', $port); next; }
    $client->command_reply(REQUEST_GRANTED, $far->sockhost, $far->sockport);
    my $both = IO::Select->new($client, $far);
    RELAY: while (1) {
      for my $one ($both->can_read) {
        $one->sysread(my $data, 4096) or last RELAY;
        ($one == $far ? $client : $far)->syswrite($data);
      }
    }
    $far->close;
    $client->close;
  }
  """

/// Does somebody listen there?
private func answers(on port: Int) -> Bool {
  let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(number) }
  return withUnsafePointer(to: loopback(port: port)) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}
