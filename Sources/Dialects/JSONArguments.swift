/// One method's arguments, taken out of its JSON object and judged. Asks nobody.

internal import ChatModel
internal import Wire

/// A request that cannot be one: what it is answered.
struct JSONRefused: Error {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }
  init(_ words: String) { refusal = .badRequest(words) }
}

/// The arguments of one request. `null` counts as absent.
struct JSONArguments {
  let method: JSONMethod
  let document: JSONDocument
  let object: JSONDocument.Value

  func request() throws(JSONRefused) -> Request {
    switch method {
    case .login: try login()
    case .register: try register()
    case .password: try changePassword()
    case .logout: .logOut
    case .join: .join(try room(), try beginning())
    case .leave: .leave(try room())
    case .send: try send()
    case .history: .history(try room(), try stretch(), limit: try limit())
    case .rooms: .rooms
    case .who: .who(try room())
    case .ping: .ping("")
    case .quit: .quit
    }
  }

  private func login() throws(JSONRefused) -> Request {
    let name = try string(.name)
    let token = try string(.token)
    let password = try string(.password)
    switch (name, token) {
    case (let name?, nil):
      let name = try userName(name)
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

  private func register() throws(JSONRefused) -> Request {
    guard let name = try string(.name) else { throw JSONRefused("register needs a name") }
    guard let password = try string(.password) else {
      throw JSONRefused("register needs a password")
    }
    return .register(
      try userName(name), try new(password), code: try string(.code), .manyRooms)
  }

  private func changePassword() throws(JSONRefused) -> Request {
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
    guard let password = Password(password) else { throw JSONRefused(JSONWords.passwordRule) }
    return password
  }

  private func userName(_ name: String) throws(JSONRefused) -> UserName {
    do { return try UserName(name) } catch { throw JSONRefused(.badName(error)) }
  }

  private func send() throws(JSONRefused) -> Request {
    let room = try room()
    guard let string = try string(.text) else { throw JSONRefused("send needs a text") }
    guard let text = MessageText(string) else {
      if string.isEmpty { throw JSONRefused("an empty text cannot be sent") }
      throw JSONRefused(.tooLong(limit: MessageText.bytesMax))
    }
    return .send(room, text, key: try key(), replyTo: try number(.replyTo, from: 1))
  }

  private func key() throws(JSONRefused) -> MessageKey? {
    guard let string = try string(.key) else { return nil }
    if let key = MessageKey(string) { return key }
    if string.isEmpty { throw JSONRefused("an empty key names nothing; leave it out") }
    throw JSONRefused(.tooLong(limit: MessageKey.bytesMax))
  }

  private func beginning() throws(JSONRefused) -> Beginning {
    let after = try number(.after, from: 0)
    let last = try number(.last, from: 1, upTo: Int64(HistoryPage.messagesMax))
    switch (after, last) {
    case (nil, nil): return .now
    case (let after?, nil): return .after(after)
    case (nil, let last?): return .last(Int(last))
    case (_?, _?): throw JSONRefused("join takes after or last, not both")
    }
  }

  private func stretch() throws(JSONRefused) -> Stretch {
    let before = try number(.before, from: 0)
    let after = try number(.after, from: 0)
    switch (before, after) {
    case (_, nil): return .before(before)
    case (nil, let after?): return .after(after)
    case (_?, _?): throw JSONRefused("history takes before or after, not both")
    }
  }

  private func limit() throws(JSONRefused) -> Int {
    let limit = try number(.limit, from: 1, upTo: Int64(HistoryPage.messagesMax))
    return limit.map { Int($0) } ?? JSONLimits.historyDefault
  }

  private func room() throws(JSONRefused) -> RoomName {
    guard let string = try string(.room) else {
      throw JSONRefused("\(method.rawValue) needs a room")
    }
    guard let room = RoomName(string) else { throw JSONRefused(.badRoom) }
    return room
  }

  private func string(_ argument: JSONArgument) throws(JSONRefused) -> String? {
    guard let value = value(of: argument) else { return nil }
    guard let string = document.string(value) else {
      throw JSONRefused("\(argument.rawValue) must be a string")
    }
    return string
  }

  private func number(
    _ argument: JSONArgument, from least: Int64, upTo most: Int64 = .max
  ) throws(JSONRefused) -> Int64? {
    guard let value = value(of: argument) else { return nil }
    guard let number = document.integer(value), (least...most).contains(number) else {
      let end = most == .max ? "2^63-1" : "\(most)"
      throw JSONRefused(
        "\(argument.rawValue) must be a number from \(least) to \(end), in digits alone")
    }
    return number
  }

  private func value(of argument: JSONArgument) -> JSONDocument.Value? {
    assert(method.arguments.contains(argument), "the table of arguments is complete")
    guard let value = document.member(argument.rawValue, of: object),
      document.kind(of: value) != .null
    else { return nil }
    return value
  }
}
