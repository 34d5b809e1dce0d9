// swift-tools-version: 6.2
import PackageDescription

let streams = Target.Dependency.product(name: "SocketStreams", package: "beck")

/// Code of somebody else's: in language mode 5, without our strict settings, and with `import
/// UIKit` where a phone's code has it. It depends on the one product that it uses.
let package = Package(
  name: "foreign",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "beck", path: "../..")],
  targets: [
    // One line: it makes `import UIKit` compile. A package of its own keeps `canImport(UIKit)`
    // false for everybody else.
    .target(name: "UIKit", dependencies: [streams]),
    // A tutorial's client as it is.
    .target(name: "PhoneChat", dependencies: ["UIKit", streams]),
    // Every spelling that clients were seen to use, a file for each theme.
    .target(name: "Spellings", dependencies: ["UIKit", streams]),
    // Files that import Foundation alone, and one line that brings them the streams.
    .target(name: "Untouched", dependencies: [streams]),
    .testTarget(
      name: "ForeignTests", dependencies: ["PhoneChat", "Spellings", "Untouched", streams]),
  ],
  swiftLanguageModes: [.v5]
)
