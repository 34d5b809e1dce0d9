/// The store of a simulation: late, failing, and true. Without one, what memory has kept.

import ChatModel
import ChatServer
import Stores

extension World {

  func storeTime() -> Duration { isCalm ? .milliseconds(1) : dice.time(0...plan.storeTime) }

  func failure() -> StoreError? {
    guard !isCalm, dice.chance(plan.failures) else { return nil }
    return dice.chance(50) ? .diskFull(path: "nowhere") : .failed("it does not want to")
  }

  func keep(_ batch: [Stores.Entry]) {
    let server = generation
    after(storeTime()) { [unowned self] in
      guard generation == server else { return }  // the process was gone before the commit
      let result: Result<[Kept], StoreError>
      if let failure = failure() {
        result = .failure(failure)
      } else {
        var kept: [Kept] = []
        for entry in batch {
          let skips: Int64 = dice.number(1...1_000) <= plan.skippedNumbers ? 3 : 0
          try ledger.judge(entry)
          switch entry {
          case .message(let draft):
            let outcome = try ledger.keep(draft, at: wall.moment, step: step, skipping: skips)
            if case .stored = outcome { try ledger.keep(draft.facts, step: step) }
            kept.append(outcome)
          case .facts(let facts):
            try ledger.keep(facts, step: step)
            kept.append(.recorded)
          }
        }
        result = .success(kept)
      }
      after(storeTime()) { [unowned self] in
        guard generation == server else { return }
        exchange.kept(result, at: now)
        ledger.settle(step: step)
      }
    }
  }

  func hash(_ job: PasswordJob) {
    let server = generation
    after(storeTime()) { [unowned self] in
      guard generation == server else { return }
      exchange.hashed(job, Secrets.outcome(of: job.work), at: now)
    }
  }

  func read(_ request: PageRequest) {
    let server = generation
    pageCount += 1
    let page = pageCount
    pages[page] = flushedBefore
    after(storeTime()) { [unowned self] in
      guard generation == server else { return }
      let result: Result<HistoryPage, StoreError> =
        if let failure = failure() {
          .failure(failure)
        } else {
          .success(
            ledger.page(
              of: request.room, request.stretch, request.reading, limit: request.limit))
        }
      after(storeTime()) { [unowned self] in
        guard generation == server else { return }
        pages[page] = nil
        exchange.received(result, for: request, at: now)
      }
    }
  }

  /// An index that is late, and gives what it was not asked for.
  func look(_ job: SearchJob) {
    let server = generation
    after(storeTime()) { [unowned self] in
      guard generation == server else { return }
      let room = dice.pick([.lobby] + ledger.rooms.keys.sorted { $0.string < $1.string })
      let messages = ledger.entries(room).filter { $0.isThere && $0.isForAll }
      let found = SearchPage(
        messages: messages.suffix(dice.number(1...3)).map(\.message), cursor: nil)
      after(storeTime()) { [unowned self] in
        guard generation == server else { return }
        exchange.found(failure().map { .failure($0) } ?? .success(found), for: job, at: now)
      }
    }
  }

  /// Without a store the ledger is told what the exchange keeps by itself.
  func learnFromMemory() throws(Violation) {
    guard let history = exchange.history else { return }
    for room in history.rooms {
      let newest = ledger.newest(room.name)
      let oldest = room.oldest ?? room.seq + 1
      if oldest > 1, oldest != forgotten[room.name] {
        ledger.remove(1...(oldest - 1), from: room.name)
        forgotten[room.name] = oldest
      }
      guard room.seq > newest else { continue }
      let page = history.page(
        of: room.name, .after(newest), .everything, limit: HistoryPage.messagesMax)
      if page.gap != nil {
        throw Violation(.spelled, "more was kept in one step than memory holds")
      }
      for message in page.messages { try ledger.record(message, step: step) }
      ledger.settle(step: step)
    }
  }

}
