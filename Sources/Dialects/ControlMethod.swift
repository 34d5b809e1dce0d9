/// What operators ask by lines of JSON, and what it takes. What it does is for others.

internal import ChatModel
internal import Wire

/// The one key beside `id` on the control socket; docs/wire/control.md has the table.
package enum ControlMethod: String, CaseIterable, Sendable {
  case status, accounts, createAccount, setPassword, disable, enable, removeAccount, token, erase
  case rooms, archive, removeRoom, sanctions, ban, unban, mute, unmute, audit

  /// For how many days a token is made, where nothing is said of it, and at most.
  package static let tokenDays = 30
  package static let tokenDaysMax = 3_650
}

/// One method's arguments, taken out of its JSON object and judged.
struct ControlArguments: JSONObjectReader {
  let method: ControlMethod
  let document: JSONDocument
  let object: JSONDocument.Value

  func operation() throws(JSONRefused) -> ChatModel.Operation {
    switch method {
    case .status: .status
    case .accounts: .accounts(after: try string("after"))
    case .createAccount: try createAccount()
    case .setPassword: .setPassword(try party(), try password())
    case .disable: .setDisabled(try party(), true)
    case .enable: .setDisabled(try party(), false)
    case .removeAccount: .removeAccount(try party())
    case .token: .token(try party(), days: try days())
    case .erase: .erase(try party(), after: try number("after", from: 0))
    case .rooms: .rooms(after: try string("after"))
    case .archive: .archive(try room())
    case .removeRoom: .removeRoom(try room())
    case .sanctions: .sanctions(after: try string("after"))
    case .ban: try sanction(.ban)
    case .mute: try sanction(.mute)
    case .unban: .lift(.ban, in: try roomIfAny(), try party())
    case .unmute: .lift(.mute, in: try roomIfAny(), try party())
    case .audit: try audit()
    }
  }

  private func createAccount() throws(JSONRefused) -> ChatModel.Operation {
    var role = Role.member
    if let string = try string("role") {
      guard let known = Role(rawValue: string) else { throw JSONRefused(JSONWords.roleRule) }
      role = known
    }
    return .createAccount(try userName(try needed("name")), try password(), role)
  }

  private func days() throws(JSONRefused) -> Int {
    let days = try number("days", from: 1, upTo: Int64(ControlMethod.tokenDaysMax))
    return days.map { Int($0) } ?? ControlMethod.tokenDays
  }

  private func sanction(_ kind: Sanction.Kind) throws(JSONRefused) -> ChatModel.Operation {
    let reason = try shortText("reason")
    let seconds = try number("seconds", from: 1, upTo: Int64(JSONLimits.secondsMax))
    return .sanction(
      kind, in: try roomIfAny(), try party(), reason, seconds: seconds.map { Int($0) })
  }

  private func audit() throws(JSONRefused) -> ChatModel.Operation {
    let limit = try number("limit", from: 1, upTo: Int64(HistoryPage.messagesMax))
    return .audit(
      before: try number("before", from: 0),
      limit: limit.map { Int($0) } ?? JSONLimits.historyDefault)
  }

  // MARK: Values

  private func party() throws(JSONRefused) -> ChatModel.Operation.Party {
    let (name, person) = (try string("name"), try string("person"))
    let network = try string("network")
    switch (name, person, network) {
    case (let name?, nil, nil): return .name(try userName(name))
    case (nil, let person?, nil):
      guard let number = Int64(person), number != 0, String(number) == person else {
        throw JSONRefused(ControlWords.personRule)
      }
      return .person(PersonID(rawValue: number))
    case (nil, nil, let network?):
      guard let range = Network(network) else { throw JSONRefused(JSONWords.networkRule) }
      return .network(range)
    case _: throw JSONRefused(ControlWords.oneParty(method))
    }
  }

  private func password() throws(JSONRefused) -> Password {
    guard let password = Password(try needed("password")) else {
      throw JSONRefused(Password.rule)
    }
    return password
  }

  private func room() throws(JSONRefused) -> RoomName { try roomName(try needed("room")) }

  private func roomIfAny() throws(JSONRefused) -> RoomName? {
    guard let string = try string("room") else { return nil }
    return try roomName(string)
  }

  private func needed(_ key: String) throws(JSONRefused) -> String {
    guard let string = try string(key) else {
      throw JSONRefused("\(method.rawValue) needs a \(key)")
    }
    return string
  }
}
