/// A process that is killed while it writes loses nothing that it has answered.

import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Stores

@Suite struct KillTests {
  /// `BECK_SOAK_KILLS=200` for a soak.
  private static let rounds = amount("BECK_SOAK_KILLS", otherwise: 6)

  @Test func whatWasAnsweredIsThereOnceAndInOrderAfterKill9() async throws {
    var place = try TemporaryDirectory()
    var random = SystemRandomNumberGenerator()
    var answered: [Int: Int64] = [:]
    var next = 0
    var rounds = 0
    for round in 0..<Self.rounds {
      // Everything is looked at after each kill: histories are begun anew before they are long.
      if round > 0, round.isMultiple(of: 8) {
        place = try TemporaryDirectory()
        answered = [:]
        next = 0
      }
      let batch = [1, 7, 64, 256][round % 4]
      let driver = try Driver(place.data)
      try #require(driver.greeting == "open")
      try driver.process.type("flood \(next) \(batch)\n")
      let lines = Int.random(in: 1...20, using: &random)
      for _ in 0..<lines { try note(#require(try driver.process.output.line()), &answered) }
      // Somewhere within the work on the next batches.
      _ = poll(nil, 0, Int32.random(in: 0...8, using: &random))
      driver.process.send(SIGKILL)
      #expect(try driver.process.ending().status == -SIGKILL)
      while let line = try driver.process.output.line(), line.hasPrefix("kept") {
        note(line, &answered)
      }
      #expect(!answered.isEmpty)
      next = try await look(place, answered)
      rounds += 1
    }
    #expect(rounds == Self.rounds)
  }

  @Test func anEditThatWasAnsweredIsThereWholeAfterKill9() async throws {
    let place = try TemporaryDirectory()
    var random = SystemRandomNumberGenerator()
    var last = 0
    for round in 0..<Self.rounds {
      let driver = try Driver(place.data)
      try #require(driver.greeting == "open")
      try driver.process.type("change \(last + 1) \([1, 5, 50][round % 3])\n")
      let note = { (line: String) in
        if line.hasPrefix("changed "), let number = Int(line.dropFirst(8)) { last = number }
      }
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        try note(#require(try driver.process.output.line()))
      }
      // Somewhere within the work on the next batches.
      _ = poll(nil, 0, Int32.random(in: 0...8, using: &random))
      driver.process.send(SIGKILL)
      #expect(try driver.process.ending().status == -SIGKILL)
      // The last line may be cut short, and is a smaller number then.
      while let line = try driver.process.output.line() {
        if let number = Int(line.dropFirst(8)), number > last { note(line) }
      }
      last = try await lookAtEdits(place, atLeast: last)
    }
  }

  /// The message, its newest change and the fact that was set with it are of one moment. Gives the
  /// number of the edit that is there.
  private func lookAtEdits(_ place: TemporaryDirectory, atLeast least: Int) async throws -> Int {
    let number = try await place.withStore { store in
      let messages = try await store.everything(of: lobby, limit: 500).messages
      let changes = messages.filter { !$0.draft.content.isMessage }
      let message = try #require(messages.first)
      #expect(changes.count == 1 && changes.first?.draft.words == message.draft.words)
      #expect(message.edited != nil && message.edited == changes.first?.at)
      let number = try #require(Int(message.draft.words.dropFirst(5)))
      #expect(number >= least)
      let facts = try await store.facts()
      #expect(facts == [.mark(lobby, ann, Int64(number))])
      return number
    }
    #expect(try place.problems() == [])
    return number
  }

  /// Of one line: the numbers of keys, and what they got. The last line may be cut short.
  private func note(_ line: String, _ answered: inout [Int: Int64]) {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "kept", let first = Int(words[1]) else { return }
    for (index, seq) in words[2].split(separator: ",").enumerated() {
      if let seq = Int64(seq) { answered[first + index] = seq }
    }
  }

  /// Gives the number that the next round begins with.
  private func look(
    _ place: TemporaryDirectory, _ answered: [Int: Int64]
  ) async throws -> Int {
    let messages = try await place.withStore { store in
      let all = try await store.everything(of: lobby, limit: 500)
      #expect(all.gaps.isEmpty)
      // A retry of everything that was answered gets its first answer.
      let sorted = answered.sorted { $0.key < $1.key }
      for start in stride(from: 0, to: sorted.count, by: 500) {
        let some = sorted[start...].prefix(500)
        let kept = try await store.append(
          some.map { draft("text \($0.key)", as: "driver", key: "k\($0.key)") })
        #expect(kept.map(\.seq) == some.map(\.value))
        #expect(kept.allSatisfy { if case .duplicate = $0 { true } else { false } })
      }
      let newest = try await store.rooms().first?.seq
      #expect(newest == all.messages.last?.seq)
      return all.messages
    }
    #expect(messages.map(\.seq) == Array(1...Int64(messages.count)))
    let numbers = messages.compactMap { Int($0.draft.key?.string.dropFirst() ?? "") }
    #expect(Set(numbers).count == messages.count, "a key is there twice")
    #expect(messages.allSatisfy { "k" + $0.draft.words.dropFirst(5) == $0.draft.key?.string })
    let seqs = Dictionary(uniqueKeysWithValues: zip(numbers, messages.map(\.seq)))
    for (number, seq) in answered { #expect(seqs[number] == seq) }
    #expect(try place.problems() == [])
    return (numbers.max() ?? -1) + 1
  }
}
