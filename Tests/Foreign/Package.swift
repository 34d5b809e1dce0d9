// swift-tools-version: 6.2
import PackageDescription

/// Code of somebody else's: in language mode 5, without our strict settings, and with `import
/// UIKit` where a phone's code has it. It depends on the one product that it uses.
let package = Package(
  name: "foreign",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "beck", path: "../..")],
  targets: [
    // Empty: it makes `import UIKit` compile. A package of its own keeps `canImport(UIKit)` false
    // for everybody else.
    .target(name: "UIKit"),
    .target(
      name: "PhoneChat",
      dependencies: ["UIKit", .product(name: "SocketStreams", package: "beck")]),
    .testTarget(
      name: "ForeignTests",
      dependencies: ["PhoneChat", .product(name: "SocketStreams", package: "beck")]),
  ],
  swiftLanguageModes: [.v5]
)
