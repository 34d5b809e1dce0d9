/// Ranges of addresses, held against what the C library makes of the same words.

import ChatModel
import Glibc
import Testing

/// Whether the C library takes it for an address.
private func isAddress(_ string: String) -> Bool {
  var bytes = [UInt8](repeating: 0, count: 16)
  return inet_pton(AF_INET, string, &bytes) == 1 || inet_pton(AF_INET6, string, &bytes) == 1
}

@Suite struct NetworkTests {
  @Test(arguments: [
    "203.0.113.9", "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4",
    "1.2.3.", ".1.2.3", "", " 1.2.3.4", "1.2.3.4 ", "a.b.c.d", "::", "::1", "1::", "2001:db8::",
    "2001:DB8::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":::",
    ":1", "1:", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "12345::", "g::", "::ffff:1.2.3.4",
    "1.2.3.4::", "::1.2.3", "64:ff9b::192.0.2.33", "+1::", "-1::", "1:2:3:4:5:6:1.2.3.4",
  ])
  func whatIsAnAddressIsForTheCLibraryToSay(string: String) {
    #expect((Network(string) != nil) == isAddress(string))
    #expect(Network.isAddress(string) == isAddress(string))
  }

  @Test(arguments: [
    ("203.0.113.0/24", "203.0.113.7", true), ("203.0.113.0/24", "203.0.114.7", false),
    ("203.0.113.7", "203.0.113.7", true), ("203.0.113.7", "203.0.113.8", false),
    ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("203.0.113.0/24", "::ffff:203.0.113.7", true), ("2001:db8::/32", "2001:db8:1::1", true),
    ("2001:db8::/32", "2001:db9::1", false), ("fe80::/10", "fe80::1%eth0", true),
    ("::/0", "1.2.3.4", true), ("10.0.0.0/9", "10.127.1.1", true),
    ("10.0.0.0/9", "10.128.1.1", false), ("10.0.0.0/8", "nonsense", false),
  ])
  func aRangeContainsWhatBeginsAsItDoes(range: String, address: String, contains: Bool) throws {
    #expect(try #require(Network(range)).contains(address) == contains)
  }

  @Test(arguments: [
    "203.0.113.1/24", "203.0.113.0/33", "203.0.113.0/", "203.0.113.0/-1", "203.0.113.0/024",
    "203.0.113.0/24/24", "/24", "2001:db8::/129", "2001:db8::1/32", "fe80::1%eth0",
  ])
  func whatIsNoRangeIsNone(string: String) { #expect(Network(string) == nil) }

  @Test(arguments: ["203.0.113.0/24", "2001:db8::/32", "::1/128", "fe80::1%eth0", "[::1]"])
  func whatIsMoreThanAnAddressIsNone(string: String) { #expect(!Network.isAddress(string)) }

  @Test(arguments: [
    ("203.0.113.0/24", "203.0.113.0/24"), ("203.0.113.9/32", "203.0.113.9"),
    ("2001:DB8:0:0:0:0:0:0/32", "2001:db8::/32"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ("::ffff:1.2.3.4", "1.2.3.4"), ("0.0.0.0/0", "0.0.0.0/0"), ("::/0", "::/0"),
  ])
  func aRangeIsWrittenInOneWay(written: String, shown: String) throws {
    let network = try #require(Network(written))
    #expect(network.string == shown)
    #expect(Network(network.string) == network)
  }
}
