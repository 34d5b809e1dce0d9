/// Tokens for programs, which whoever runs the server gives to accounts. Makes none itself: it has
/// no key.

import ChatModel

extension Hub {
  /// It is a line of the log first: whoever has a token speaks as somebody.
  mutating func giveToken(
    _ operating: Operating, _ party: ChatModel.Operation.Party, days: Int
  ) throws(Refused) -> [Effect] {
    let (person, account) = try account(of: party)
    guard !account.isDisabled else { throw Refused(.accountDisabled) }
    let name = account.name
    let time = "\(days) \(days == 1 ? "day" : "days")"
    return record(
      [], operatorLine("made a token of \(name.shown) for \(time)"),
      then: .token(person, name, days: days), operating)
  }
}
