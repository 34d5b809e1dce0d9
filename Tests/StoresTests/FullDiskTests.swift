/// A disk that is full: refusals that say so, nothing that is half kept, and an end of it.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct FullDiskTests {
  @Test(.enabled(if: SmallDisk.hindrance == nil, "\(SmallDisk.hindrance ?? "")"))
  func aFullDiskRefusesAndKeepsNothingOfItAndWorksAgainWhenThereIsRoom() async throws {
    let disk = try SmallDisk(mebibytes: 2)
    let place = DataDirectory(disk.path)
    let driver = try Driver(place, under: disk.wrapper)
    try #require(driver.greeting == "open")
    #expect(try driver.ask("keep first a") == "kept 1")
    var last = 1
    for round in 1...3 {
      try disk.fill()
      var refused = 0
      // What is left of blocks that are begun takes a few more; then all are refused.
      for number in 0..<200 {
        let answer = try driver.ask("keep r\(round)-\(number) \(text(number))")
        if answer == "kept \(last + 1)", refused == 0 {
          last += 1
        } else {
          let words = "failed no room is left on the disk for \(place.historyPath);"
          #expect(answer.hasPrefix(words), "\(answer)")
          refused += 1
        }
      }
      #expect(refused > 50)
      // What was kept before is still known.
      #expect(try driver.ask("keep first a") == "again 1")
      disk.makeRoom()
      // Of what was refused nothing is there: neither numbers nor keys are used up.
      #expect(try driver.ask("keep r\(round)-199 x") == "kept \(last + 1)")
      last += 1
      #expect(try driver.ask("verify") == "problems 0")
    }
    try driver.end()
  }

  private func text(_ number: Int) -> String { String(repeating: "x", count: 3_000) + "\(number)" }
}
