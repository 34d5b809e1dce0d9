/// A disk that is full: refusals that say so, nothing that is half kept, and an end of it.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

/// A small file system that only the driver and what it starts can see.
private struct SmallDisk {
  static let hindrance: String? = {
    guard geteuid() == 0 else { return "a file system of a test's own needs root" }
    let words = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt && echo fine"]
    guard let ending = try? ChildProcess(running: words).ending(), ending.output == "fine\n" else {
      return "no file system of a test's own can be made here"
    }
    return nil
  }()

  /// 2 MiB, in the directory's place.
  let driver: Driver

  init(_ directory: DataDirectory) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: true)
    let mount = "mount -t tmpfs -o size=2m tmpfs '\(directory.path)' && exec \"$@\""
    driver = try Driver(directory, under: ["unshare", "--mount", "sh", "-c", mount, "sh"])
  }

  /// The directory as others than the driver can reach it.
  func seen(_ directory: DataDirectory) -> String {
    "/proc/\(driver.process.pid)/root\(directory.path)"
  }
}

@Suite struct FullDiskTests {
  @Test(.enabled(if: SmallDisk.hindrance == nil, "\(SmallDisk.hindrance ?? "")"))
  func aFullDiskRefusesAndKeepsNothingOfItAndWorksAgainWhenThereIsRoom() async throws {
    let place = try TemporaryDirectory()
    let disk = try SmallDisk(place.data)
    let driver = disk.driver
    try #require(driver.greeting == "open")
    #expect(try driver.ask("keep first a") == "kept 1")
    let ballast = disk.seen(place.data) + "/ballast"
    var last = 1
    for round in 1...3 {
      try fill(ballast)
      var refused = 0
      // What is left of blocks that are begun takes a few more; then all are refused.
      for number in 0..<200 {
        let answer = try driver.ask("keep r\(round)-\(number) \(text(number))")
        if answer == "kept \(last + 1)", refused == 0 {
          last += 1
        } else {
          let words = "failed no room is left on the disk for \(place.data.historyPath);"
          #expect(answer.hasPrefix(words), "\(answer)")
          refused += 1
        }
      }
      #expect(refused > 50)
      // What was kept before is still known.
      #expect(try driver.ask("keep first a") == "again 1")
      unlink(ballast)
      // Of what was refused nothing is there: neither numbers nor keys are used up.
      #expect(try driver.ask("keep r\(round)-199 x") == "kept \(last + 1)")
      last += 1
      #expect(try driver.ask("verify") == "problems 0")
    }
    try driver.end()
  }

  private func text(_ number: Int) -> String { String(repeating: "x", count: 3_000) + "\(number)" }

  private func fill(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.system(path) }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, block, block.count) > 0 {}
  }
}
