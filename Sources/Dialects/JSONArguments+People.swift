/// The arguments of methods about people: accounts, and what moderators do. Asks nobody.

internal import ChatModel

extension JSONArguments {
  func login() throws(JSONRefused) -> Request {
    let name = try string(.name)
    let token = try string(.token)
    let password = try string(.password)
    switch (name, token) {
    case (_?, nil):
      let name = try self.name(.name)
      guard let password else { return .logIn(name, .manyRooms) }
      return .logInWithPassword(name, try existing(password), orAsGuest: false, .manyRooms)
    case (nil, let token?):
      guard password == nil else {
        throw JSONRefused("login takes a password with a name, not with a token")
      }
      guard (1...JSONLimits.tokenBytesMax).contains(token.utf8.count) else {
        throw JSONRefused(.badToken)
      }
      return .resume(token: token, .manyRooms)
    case (nil, nil): throw JSONRefused("login needs a name, or the token of an earlier login")
    case (_?, _?): throw JSONRefused("login takes a name or a token, not both")
    }
  }

  func register() throws(JSONRefused) -> Request {
    let password = try needed(.password, try string(.password))
    return .register(
      try name(.name), try new(password), code: try string(.code), .manyRooms)
  }

  func changePassword() throws(JSONRefused) -> Request {
    guard let old = try string(.old), let new = try string(.new) else {
      throw JSONRefused("password needs the old one and the new one")
    }
    return .changePassword(old: try existing(old), new: try self.new(new))
  }

  /// No account has a password that cannot be one.
  private func existing(_ password: String) throws(JSONRefused) -> Password {
    guard let password = Password(password) else { throw JSONRefused(.badPassword) }
    return password
  }

  private func new(_ password: String) throws(JSONRefused) -> Password {
    guard let password = Password(password) else { throw JSONRefused(Password.rule) }
    return password
  }

  func sanction(_ kind: Sanction.Kind) throws(JSONRefused) -> Request {
    .sanction(
      kind, try roomIfAny(), try subject(), try shortText(.reason), seconds: try seconds())
  }

  /// Only bans are for networks, too.
  func subject() throws(JSONRefused) -> Subject {
    guard method.arguments.contains(.network) else { return .name(try name(.name)) }
    switch (try nameIfAny(.name), try string(.network)) {
    case (let name?, nil):
      return .name(name)
    case (nil, let string?):
      guard let network = Network(string) else { throw JSONRefused(JSONWords.networkRule) }
      return .network(network)
    case (nil, nil): throw JSONRefused("\(method.rawValue) needs a name, or a network")
    case (_?, _?): throw JSONRefused("\(method.rawValue) takes a name or a network, not both")
    }
  }

  func setRole() throws(JSONRefused) -> Request {
    guard let role = Role(rawValue: try needed(.role, try string(.role))) else {
      throw JSONRefused(JSONWords.roleRule)
    }
    return .setRole(try roomIfAny(), try name(.name), role)
  }
}
