/// The system's resolver: written addresses, names of this machine, names that nobody has.

import Foundation
import SocketStreams
import Testing

/// What a look-up has answered so far.
final class Answers: @unchecked Sendable {
  // @unchecked because the lock guards the variable.
  private let lock = NSLock()
  private var answers: [(family: IPAddress.Family, answer: AddressRace.Answer)] = []

  init(_ host: String, of resolver: Resolver = .system) {
    resolver.lookUp(host) { family, answer in
      self.lock.withLock { self.answers.append((family, answer)) }
    }
  }

  var count: Int { lock.withLock { answers.count } }
  var families: Set<IPAddress.Family> { lock.withLock { Set(answers.map(\.family)) } }

  subscript(_ family: IPAddress.Family) -> AddressRace.Answer? {
    lock.withLock { answers.first { $0.family == family }?.answer }
  }

  func addresses(_ family: IPAddress.Family) -> [String]? {
    self[family].map { (try? $0.get().map(\.description)) ?? [] }
  }
}

@Suite(.timeLimit(.minutes(20))) struct ResolverTests {
  @Test(
    "line 5: a written address is answered before the call returns",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("127.1", "127.0.0.1"), ("2001:DB8::1", "2001:db8::1"),
      ("::1", "::1"),
    ])
  func literal(host: String, address: String) throws {
    let answers = Answers(host)
    #expect(answers.count == 2)
    let isIPv6 = address.contains(":")
    #expect(answers.addresses(.ipv6) == (isIPv6 ? [address] : []))
    #expect(answers.addresses(.ipv4) == (isIPv6 ? [] : [address]))
  }

  @Test("a link-local address keeps its interface")
  func scope() throws {
    let answers = Answers("fe80::1%lo")
    let address = try #require(answers[.ipv6]?.get().first)
    #expect(address.scope == if_nametoindex("lo"))
  }

  @Test("names of /etc/hosts and localhost have one answer for each family")
  func names() throws {
    let answers = Answers("localhost")
    #expect(wait { answers.count == 2 })
    #expect(answers.families == [.ipv6, .ipv4])
    #expect(answers.addresses(.ipv4)?.contains("127.0.0.1") == true)
  }

  @Test(
    "what no host can be called is answered at once, as an unknown name",
    arguments: ["", "localhost\0.example.org"])
  func nonsense(host: String) throws {
    let answers = Answers(host)
    for family in IPAddress.Family.allCases {
      #expect(throws: LookUpFailure(code: EAI_NONAME)) { try answers[family]?.get() }
    }
  }

  @Test("a name that nobody has fails for both families (pitfall 13)")
  func unknown() throws {
    let answers = Answers("no.such.host.invalid")
    #expect(wait(30) { answers.count == 2 })
    for family in IPAddress.Family.allCases {
      #expect(throws: LookUpFailure.self) { try answers[family]?.get() }
    }
  }

  @Test("what is in the hosts file is found whatever its spelling, comments apart")
  func hostsFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "hosts-\(UUID().uuidString)"
    ).path
    let text = """
      # 192.0.2.9 absent
      192.0.2.1\tAlpha alpha.example # beta
         2001:db8::1 gamma
      192.0.2.2 omega
      """
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    defer { unlink(path) }
    for name in ["alpha", "ALPHA.example", "gamma", "omega", "localhost", "a.LocalHost"] {
      #expect(Resolver.isLocal(name, hosts: path), "\(name)")
    }
    for name in ["absent", "beta", "192.0.2.1", "alph", "#", "mylocalhost", ""] {
      #expect(!Resolver.isLocal(name, hosts: path), "\(name)")
    }
    #expect(!Resolver.isLocal("alpha", hosts: path + ".absent"))
  }
}
