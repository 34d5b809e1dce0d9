/// Runs simulations by their seeds: many for a verdict, one to look at. See docs/promises.md.

import Dispatch
import Foundation
import Simulation

/// Simulate [--seeds COUNT] [--from SEED] [--first] [--seed SEED [--tell]]
struct Command {
  var seeds = 500
  var from: UInt64 = 1
  var one: UInt64?
  var tells = false
  /// Ends with the first that fails.
  var isFirstEnough = false

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--seeds": seeds = rest.popFirst().flatMap { Int($0) } ?? seeds
      case "--from": from = rest.popFirst().flatMap { UInt64($0) } ?? from
      case "--seed":
        guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
        one = seed
      case "--tell": tells = true
      case "--first": isFirstEnough = true
      case _: return nil
      }
    }
  }
}

func complain(_ sentence: String) { FileHandle.standardError.write(Data("\(sentence)\n".utf8)) }

/// Nil where every promise was kept.
func run(_ seed: UInt64, _ tell: ((String) -> Void)? = nil) -> String? {
  let world = World(seed: seed, tell: tell)
  do throws(Violation) {
    _ = try world.run()
    if tell != nil { print(world.summary) }
    return nil
  } catch {
    return "seed \(seed): \(error) (\(world.summary))\nto see it: Simulate --seed \(seed) --tell"
  }
}

guard let command = Command(Array(CommandLine.arguments.dropFirst())) else {
  complain("usage: Simulate [--seeds COUNT] [--from SEED] [--first] | --seed SEED [--tell]")
  exit(64)
}
if let seed = command.one {
  let failure = run(seed, command.tells ? { print($0) } : { _ in })
  if let failure { complain(failure) }
  exit(failure == nil ? 0 : 1)
}

let lock = NSLock()
// nonisolated(unsafe) because: only looked at with the lock held, or when all have ended.
nonisolated(unsafe) var failures: [String] = []
DispatchQueue.concurrentPerform(iterations: command.seeds) { index in
  if command.isFirstEnough, lock.withLock({ !failures.isEmpty }) { return }
  guard let failure = run(command.from + UInt64(index)) else { return }
  lock.withLock {
    failures.append(failure)
    complain(failure)
  }
}
print("\(command.seeds) seeds from \(command.from): \(failures.count) broke a promise")
exit(failures.isEmpty ? 0 : 1)
