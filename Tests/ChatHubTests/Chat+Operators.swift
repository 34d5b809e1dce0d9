/// Operators, and whoever does for a hub what they want done; by hand. Asserts nothing.

import ChatHub
import ChatModel

/// The connection that operators ask by, in these tests.
let operatorID = 900

extension Chat {
  /// Asks as an operator, with all that it takes but errands.
  mutating func operate(
    _ operation: ChatModel.Operation, from id: Int = operatorID
  ) -> [Effect] {
    store(work(hub.operate(operation, .number("1"), from: connection(id), at: now)))
  }

  mutating func finish(
    _ errand: Errand, _ outcome: ErrandOutcome, for id: Int = operatorID
  ) -> [Effect] {
    hub.finished(connection(id), errand, outcome, at: now)
  }

  /// Keeps all drafts of these effects: in the place of each stands what follows from it.
  mutating func keepAll(_ effects: [Effect]) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      guard case .keep(let draft, let ticket) = effect else { return [effect] }
      return keep(draft, ticket)
    }
  }

  /// The answer to the operator by these effects, where there is exactly one.
  func answer(_ effects: [Effect]) -> Answer? {
    let answers = effects.answers(to: operatorID)
    return answers.count == 1 ? answers.first : nil
  }

  func problem(_ effects: [Effect]) -> OperationProblem? {
    guard case .refused(.operation(let problem)) = answer(effects) else { return nil }
    return problem
  }

  func report(_ effects: [Effect]) -> Report? {
    guard case .report(let report) = answer(effects) else { return nil }
    return report
  }

  /// What the log says by these effects.
  func lines(_ effects: [Effect]) -> [String] {
    effects.compactMap { effect in
      guard case .publish(_, let message, in: .room(.audit)) = effect else { return nil }
      return message.draft.words
    }
  }
}

extension [Effect] {
  var errands: [Errand] {
    compactMap { effect in
      if case .errand(_, let errand) = effect { errand } else { nil }
    }
  }

  /// Who is closed by these effects, and why.
  var closed: [(id: ConnectionID, reason: ClosingReason)] {
    compactMap { effect in
      if case .close(let id, let reason) = effect { (id, reason) } else { nil }
    }
  }
}
