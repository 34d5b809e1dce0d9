// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same strictness; a warning is an error.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The pure targets also spell out every unsafe memory access.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Its .pc file holds a flag that SwiftPM warns of at each build; Debian needs nothing from it.
#if os(macOS)
  let utf8proc: String? = "libutf8proc"
#else
  let utf8proc: String? = nil
#endif

func system(_ name: String, _ pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// `data` is read from the checkout by the tests, not bundled.
func tests(_ name: String, _ dependencies: [Target.Dependency], data: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: data, swiftSettings: strict)
}

let package = Package(
  name: "beck",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "SocketStreams", targets: ["SocketStreams"]),
    .library(name: "ChatModel", targets: ["ChatModel"]),
    .library(name: "ChatClient", targets: ["ChatClient"]),
    .executable(name: "beck", targets: ["beck"]),
  ],
  traits: [
    .trait(name: "TLS", description: "TLS for the socket streams, by OpenSSL"),
    .default(enabledTraits: ["TLS"]),
  ],
  targets: [
    // C libraries of the system.
    system("CUV", "libuv", apt: "libuv1-dev", brew: "libuv"),
    system("CUTF8Proc", utf8proc, apt: "libutf8proc-dev", brew: "utf8proc"),
    system("COpenSSL", "openssl", apt: "libssl-dev", brew: "openssl@3"),
    system("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    system("CSodium", "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    system("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
    .target(name: "CEpoll"),
    .target(name: "CGetopt"),

    // Values: no socket, no clock.
    .target(name: "Wire", swiftSettings: pure),
    .target(name: "ChatModel", dependencies: ["CUTF8Proc"], swiftSettings: pure),
    .target(name: "ChatHub", dependencies: ["ChatModel"], swiftSettings: pure),
    .target(name: "Dialects", dependencies: ["Wire", "ChatModel"], swiftSettings: pure),

    // Bytes in, bytes out: no socket, no clock.
    .target(name: "TLS", dependencies: ["COpenSSL"], swiftSettings: strict),

    // Sockets. Without the trait the streams need no library but Foundation.
    .target(name: "Loop", dependencies: ["CUV"], swiftSettings: strict),
    .target(
      name: "SocketStreams",
      dependencies: ["CEpoll", .target(name: "TLS", condition: .when(traits: ["TLS"]))],
      swiftSettings: strict),

    // What is kept.
    .target(
      name: "Stores", dependencies: ["Wire", "ChatModel", "Loop", "CSQLite", "CUTF8Proc"],
      swiftSettings: strict),

    // The web page's files, inside the program.
    .target(name: "CWebPage"),

    // Where they meet.
    .target(
      name: "ChatServer",
      dependencies: [
        "Wire", "ChatModel", "ChatHub", "Dialects", "Loop", "Stores", "TLS", "CSodium", "CZlib",
        "CWebPage",
      ],
      swiftSettings: strict),
    .target(
      name: "ChatClient",
      dependencies: ["ChatModel", "Dialects", "SocketStreams"],
      swiftSettings: strict),
    .executableTarget(
      name: "beck",
      dependencies: [
        "ChatServer", "ChatClient", "ChatModel", "Dialects", "Stores", "Loop", "Wire", "CGetopt",
      ],
      swiftSettings: strict),

    // The example a tutorial reader recognises, the guide's code, and the streams' benchmark.
    .executableTarget(
      name: "ChatRoom", dependencies: ["SocketStreams"], path: "Examples/ChatRoom",
      swiftSettings: strict),
    .target(
      name: "StreamSnippets", dependencies: ["SocketStreams"], path: "Examples/StreamSnippets",
      swiftSettings: strict),
    .target(
      name: "ChatSnippets", dependencies: ["ChatClient", "ChatModel"],
      path: "Examples/ChatSnippets", swiftSettings: strict),
    .executableTarget(
      name: "StreamsBench", dependencies: ["SocketStreams", "BareTLS"],
      path: "Benchmarks/StreamsBench", swiftSettings: strict),
    .executableTarget(
      name: "StoreBench", dependencies: ["Stores", "ChatModel", "CSQLite"],
      path: "Benchmarks/StoreBench", swiftSettings: strict),
    .executableTarget(
      name: "DialectsBench", dependencies: ["Dialects", "ChatModel"],
      path: "Benchmarks/DialectsBench", swiftSettings: strict),
    .target(name: "BareTLS", dependencies: ["COpenSSL"], path: "Benchmarks/BareTLS"),

    // What several test targets need: clients, servers and namespaces to test against.
    .target(name: "CTestSupport", path: "Tests/CSupport"),
    .target(
      name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/Support",
      swiftSettings: strict),

    // The server without sockets, clock and store, between hostile ones; and what runs it by seeds.
    .target(
      name: "Simulation",
      dependencies: ["ChatServer", "ChatHub", "ChatModel", "Dialects", "Loop", "Stores"],
      path: "Tests/Simulation", exclude: ["mutants.txt"], swiftSettings: strict),
    .executableTarget(
      name: "Simulate", dependencies: ["Simulation"], path: "Tests/Simulate",
      swiftSettings: strict),

    tests("WireTests", ["Wire"]),
    tests("ChatModelTests", ["ChatModel"]),
    tests("ChatHubTests", ["ChatHub", "ChatModel"]),
    tests(
      "DialectsTests", ["Dialects", "Wire", "ChatModel"],
      data: ["legacy-cases.json", "more-cases.json", "Vectors"]),
    tests("LoopTests", ["Loop"]),
    // A process with a store, to be killed or to have a disk of its own.
    .executableTarget(
      name: "StoreDriver", dependencies: ["Stores", "ChatModel"], path: "Tests/StoreDriver",
      swiftSettings: strict),
    tests(
      "StoresTests",
      ["Stores", "StoreDriver", "ChatModel", "Loop", "CSQLite", "TestSupport"]),
    tests("TLSTests", ["TLS", "TestSupport", "CTestSupport"]),
    tests("SocketStreamsTests", ["SocketStreams", "CEpoll", "StreamSnippets", "TestSupport"]),
    tests(
      "ChatServerTests",
      [
        "ChatServer", "ChatHub", "ChatModel", "CSodium", "Dialects", "Loop", "Stores", "Wire",
        "ChatRoom", "TestSupport",
      ],
      data: ["Plays"]),
    tests("ChatClientTests", ["ChatClient", "ChatModel", "TestSupport"]),
    tests("SimulationTests", ["Simulation", "ChatModel"]),
    tests("BeckTests", ["beck", "TestSupport"]),
    tests("TidyTests", []),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer is built only on request; scripts/fuzz runs its targets, and says why both flags:
//   BECK_FUZZ=1 swift build -c release --sanitize=fuzzer --sanitize=address \
//     -Xswiftc -sanitize=address,fuzzer --scratch-path .build-fuzz --product Fuzz
//   BECK_FUZZ_TARGET=Dialect .build-fuzz/release/Fuzz -max_total_time=30 Fuzz/corpus/Dialect
if Context.environment["BECK_FUZZ"] == "1" {
  package.products.append(.executable(name: "Fuzz", targets: ["Fuzz"]))
  package.targets.append(
    .executableTarget(
      name: "Fuzz", dependencies: ["ChatModel", "CSQLite", "Dialects", "Stores", "Wire"],
      path: "Fuzz", exclude: ["corpus"], swiftSettings: strict))
}
