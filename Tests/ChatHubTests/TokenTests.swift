/// Tokens for programs: who is given one, and what the log says of it.

import ChatHub
import ChatModel
import Testing

@Suite struct TokenTests {
  private func give(_ chat: inout Chat, _ party: ChatModel.Operation.Party, days: Int) -> [Effect] {
    chat.operate(.token(party, days: days))
  }

  @Test func anAccountIsGivenATokenOnceTheLogSaysSo() {
    var chat = Chat(facts: Staff.accounts)
    let asked = chat.hub.operate(
      .token(.name(user("PAT")), days: 90), .number("1"), from: connection(operatorID),
      at: chat.now)
    #expect(asked.lines == ["made a token of pat for 90 days"] && asked.count == 1)
    let given = chat.store(asked)
    #expect(chat.lines(given) == ["made a token of pat for 90 days"])
    #expect(
      given.last
        == .answerToken(
          connection(operatorID), .number("1"), Staff.pat.person, user("pat"), days: 90))
    let one = give(&chat, .person(Staff.mod.person), days: 1)
    #expect(chat.lines(one) == ["made a token of mod for 1 day"])
  }

  @Test func whatCouldNotBeKeptGivesNoToken() {
    var chat = Chat(facts: Staff.accounts)
    let asked = chat.hub.operate(
      .token(.name(user("pat")), days: 90), from: connection(operatorID), at: chat.now)
    #expect(
      chat.fail(asked)
        == [.answer(connection(operatorID), nil, .refused(.notStored(reason: .diskFull)))])
  }

  @Test func whoHasNoAccountThatCanBeUsedIsGivenNone() {
    var chat = Chat(facts: Staff.accounts)
    let gil = chat.come(1, "gil")
    _ = chat.operate(.setDisabled(.name(user("pat")), true))
    let table: [(ChatModel.Operation.Party, Refusal)] = [
      (.name(user("gil")), .operation(.noAccount(user("gil")))),
      (.name(user("eve")), .operation(.noAccount(user("eve")))),
      (.person(gil), .operation(.guest(gil))), (.name(user("pat")), .accountDisabled),
      (.network(network("203.0.113.0/24")), .operation(.networkElsewhere)),
    ]
    for (party, refusal) in table {
      let effects = give(&chat, party, days: 30)
      #expect(chat.answer(effects) == .refused(refusal) && effects.count == 1)
    }
  }

  @Test func whoHasGoneMeanwhileIsGivenNone() {
    var chat = Chat(facts: Staff.accounts)
    let asked = chat.hub.operate(
      .token(.name(user("pat")), days: 90), from: connection(operatorID), at: chat.now)
    _ = chat.drop(operatorID)
    #expect(chat.store(asked).answers(to: operatorID).isEmpty)
  }
}
