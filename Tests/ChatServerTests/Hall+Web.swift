/// HTTP with an exchange by hand: requests, and answers taken apart. Asserts nothing.

import ChatModel
import ChatServer
import Foundation

/// One answer over HTTP.
struct WebAnswer {
  var status = 0
  var fields: [String: String] = [:]
  var lines: [String] = []

  /// The first of these, and what is behind it; nil where there is none.
  static func first(_ lines: ArraySlice<String>) -> (WebAnswer, ArraySlice<String>)? {
    guard let first = lines.first, first.hasPrefix("HTTP/1.1 ") else { return nil }
    var answer = WebAnswer()
    answer.status = Int(first.dropFirst(9).prefix(3)) ?? 0
    var rest = lines.dropFirst()
    while let line = rest.popFirst(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.fields[parts[0].lowercased()] = parts[1].trimmingCharacters(
        in: .whitespacesAndNewlines)
    }
    let body = rest.prefix { !$0.hasPrefix("HTTP/1.1 ") }
    answer.lines = body.filter { !$0.isEmpty }
    return (answer, rest.dropFirst(body.count))
  }

  var body: String { lines.joined(separator: "\n") }

  /// Where its link leads.
  var link: String? {
    fields["link"]?.firstMatch(of: /<([^>]*)>/).map { String($0.1) }
  }

  /// The numbers of the messages in it.
  var seqs: [Int] {
    lines.flatMap { line in
      line.matches(of: /"seq":(\d+),"from"/).compactMap { Int($0.1) }
    }
  }
}

extension PaperSocket {
  /// The lines since the last look, with empty ones and without their ends.
  func webLines() -> [String] {
    // CR and LF are one character to Swift.
    String(decoding: bytes().filter { $0 != 0x0D }, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}

extension Guest {
  /// The answers since the last look.
  func answers() -> [WebAnswer] {
    var answers: [WebAnswer] = []
    var rest = socket.webLines()[...]
    while let (answer, behind) = WebAnswer.first(rest) {
      answers.append(answer)
      rest = behind
    }
    return answers
  }

  /// The answer since the last look; of status 0 where it is not exactly one.
  func answer() -> WebAnswer {
    let answers = answers()
    return answers.count == 1 ? answers[0] : WebAnswer()
  }
}

extension Hall {
  /// Sends one request; what it is answered is for the guest to look at.
  mutating func request(
    _ guest: Guest, _ line: String, _ fields: [String] = [], body: String = ""
  ) {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let head = ["\(line) HTTP/1.1", "Host: localhost"] + fields + length
    send(guest, head.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// Reads of a room, with all that it takes.
  mutating func read(
    _ guest: Guest, _ target: String, _ fields: String...
  ) -> WebAnswer {
    request(guest, "GET \(target)", fields)
    giveAllPages()
    return guest.answer()
  }

  /// Posts a text; nothing is kept yet.
  mutating func post(
    _ guest: Guest, _ text: String, in room: String = "lobby", by token: String,
    key: String? = nil
  ) {
    let key = key.map { ["Idempotency-Key: \($0)"] } ?? []
    request(
      guest, "POST /rooms/\(room)/messages",
      ["Authorization: Bearer \(token)", "Content-Type: text/plain"] + key, body: text)
  }

  /// Follows a room in this form; the head is taken, and given.
  mutating func follow(
    _ guest: Guest, _ query: String = "", as type: String = "application/x-ndjson",
    in room: String = "lobby", _ fields: String...
  ) -> [String] {
    let query = query.isEmpty ? "" : "&\(query)"
    request(
      guest, "GET /rooms/\(room)/messages?follow=1\(query)", ["Accept: \(type)"] + fields)
    giveAllPages()
    return guest.socket.webLines().filter { !$0.isEmpty }
  }

  /// An answer of the control socket.
  @discardableResult
  mutating func operate(_ line: String) -> String {
    let guest = connect(from: .operator)
    send(guest, line + "\n")
    while keep() {}
    return guest.socket.lines().first ?? ""
  }

  /// A token as an operator gives it.
  mutating func operatorsToken(of name: String) -> String {
    let answer = operate(#"{"id":1,"token":{"name":"\#(name)"}}"#)
    return String(answer.firstMatch(of: /"token":"([^"]*)"/)?.1 ?? "")
  }
}

/// An account by this name, whose person has this number.
func account(_ name: String, _ number: Int64, _ role: Role = .member) -> Fact {
  guard let user = try? UserName(name), let hash = PasswordHash("hash-of-it") else {
    preconditionFailure("\(name) is a name")
  }
  return .account(
    PersonID(rawValue: number), Account(name: user, password: hash, role: role))
}
