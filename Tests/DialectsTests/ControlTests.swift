/// What operators speak: each request is heard as it was asked, each report as it was told, and
/// nothing else is heard there.

import ChatModel
import Dialects
import Foundation
import Testing

@Suite("The control socket's lines")
struct ControlTests {
  private static let ann = ControlTests.name("ann \"the \\first\"")
  private static let moment = Moment(milliseconds: 1_796_040_000_123)
  private static let tea = ControlTests.room("tea")

  private static func name(_ string: String) -> UserName {
    do { return try UserName(string) } catch { preconditionFailure("\(string) is a name") }
  }

  private static func room(_ string: String) -> RoomName {
    guard let room = RoomName(string) else { preconditionFailure("\(string) is a room") }
    return room
  }

  private static func network(_ string: String) -> Network {
    guard let network = Network(string) else { preconditionFailure("\(string) is a network") }
    return network
  }

  private static let secret: Password = {
    guard let password = Password("correct \"horse\" \u{7}") else { preconditionFailure("long") }
    return password
  }()

  /// Everything heard of these lines, as an operator's connection sends them.
  private func heard(_ text: String) -> [Heard] {
    var dialect = Dialect.control
    var heard: [Heard] = []
    Array(text.utf8).withUnsafeBytes { dialect.received($0, at: .zero) }
    while let next = dialect.next() { heard.append(next) }
    return heard
  }

  private func message(_ heard: [Heard]) -> String? {
    guard heard.count == 1, case .answer(.refused(let refusal), _) = heard.first else {
      return nil
    }
    var out: [UInt8] = []
    Encoder.encode(.refused(refusal), to: .number("1"), for: .json, into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  static let operations: [ChatModel.Operation] = [
    .status, .accounts(after: nil), .accounts(after: "a\"b"),
    .createAccount(ann, secret, .owner), .createAccount(ann, secret, .member),
    .setPassword(.name(ann), secret), .setPassword(.person(PersonID(rawValue: -7)), secret),
    .setDisabled(.name(ann), true), .setDisabled(.person(PersonID(rawValue: .max)), false),
    .removeAccount(.name(ann)), .token(.name(ann), days: 30),
    .token(.person(PersonID(rawValue: 7)), days: 3_650), .erase(.name(ann), after: nil),
    .erase(.person(PersonID(rawValue: .min)), after: .max), .rooms(after: nil),
    .rooms(after: "tea"), .archive(tea), .removeRoom(tea), .sanctions(after: "tea/ban/7"),
    .sanction(.ban, in: nil, .network(network("203.0.113.0/24")), nil, seconds: nil),
    .sanction(.ban, in: tea, .name(ann), ShortText("why\n"), seconds: 60),
    .sanction(.mute, in: nil, .person(PersonID(rawValue: 7)), ShortText("x"), seconds: 1),
    .lift(.ban, in: nil, .network(network("2001:db8::/32"))),
    .lift(.mute, in: tea, .name(ann)), .audit(before: nil, limit: 50),
    .audit(before: 7, limit: 500),
  ]

  @Test("Each request is heard as it was asked", arguments: operations)
  func requests(asked: ChatModel.Operation) {
    var codec = ControlCodec()
    let line = String(decoding: codec.ask(asked), as: UTF8.self)
    #expect(heard(line) == [.request(.operate(asked), .number("1"))], "\(line)")
  }

  @Test("Every method can be asked for")
  func methods() throws {
    let asked = try Self.operations.map { operation in
      var codec = ControlCodec()
      let object = try JSONSerialization.jsonObject(with: Data(codec.ask(operation)))
      return (object as? [String: Any])?.keys.first { $0 != "id" } ?? ""
    }
    #expect(Set(asked) == Set(ControlMethod.allCases.map(\.rawValue)))
  }

  static let reports: [(ChatModel.Operation, Answer)] = {
    var status = ServerStatus()
    status.version = "0.1.0"
    status.since = moment
    status.listening = ["127.0.0.1:12345", "unix:/run/a \"b\".sock"]
    status.connections.named = 1
    status.connections.nameless = 2
    status.connections.plain = 3
    status.connections.json = 4
    status.connections.webSocket = 2
    status.connections.http = 1
    status.connections.operators = 5
    (status.people, status.accounts, status.rooms, status.conversations) = (6, 7, 8, 9)
    (status.kept, status.waiting, status.memoryBytes) = (10, 11, 12)
    var whole = status
    whole.store = ServerStatus.Store(path: "/data", bytes: .max)
    let person = PersonID(rawValue: 7)
    let account = AccountState(
      person: person, name: ann, role: .moderator, isDisabled: true, connections: 2)
    var described = RoomState(place: .room(tea), members: 3, seq: 44)
    described.topic = ShortText("all of it\u{1B}[2J")
    described.isPrivate = true
    described.isArchived = true
    let ban = SanctionState(
      Sanction.Key(.ban, in: nil, of: .network(network("203.0.113.0/24"))),
      Sanction(name: nil, by: ann, reason: nil, at: moment))
    let mute = SanctionState(
      Sanction.Key(.mute, in: tea, of: .person(person)),
      Sanction(name: ann, by: ann, reason: ShortText("no\n"), at: moment, until: moment))
    return [
      (.status, .report(.status(status))), (.status, .report(.status(whole))),
      (.accounts(after: nil), .report(.accounts([], next: nil))),
      (.accounts(after: nil), .report(.accounts([account], next: "ann"))),
      (.createAccount(ann, secret, .moderator), .report(.account(account))),
      (.token(.name(ann), days: 1), .report(.token(ann, "a-b_c", until: moment))),
      (.erase(.name(ann), after: nil), .report(.erased(person, messages: 200, next: 77))),
      (.erase(.name(ann), after: 77), .report(.erased(person, messages: 0, next: nil))),
      (.rooms(after: nil), .report(.rooms([described], next: "tea"))),
      (
        .rooms(after: nil),
        .report(.rooms([RoomState(place: .room(.lobby), members: 0, seq: 0)], next: nil))
      ),
      (.removeRoom(tea), .report(.roomRemoved(messages: 12))),
      (.sanctions(after: nil), .report(.sanctions([ban, mute], next: nil))),
      (.archive(tea), .done), (.setDisabled(.name(ann), true), .done),
      (.setPassword(.name(ann), secret), .done), (.removeAccount(.name(ann)), .done),
      (.lift(.ban, in: nil, .name(ann)), .done),
      (.sanction(.ban, in: nil, .name(ann), nil, seconds: nil), .done),
    ]
  }()

  @Test("Each report is understood as it was told", arguments: reports)
  func answers(asked: ChatModel.Operation, answer: Answer) {
    var codec = ControlCodec()
    _ = codec.ask(asked)
    var out: [UInt8] = []
    Encoder.encode(answer, to: .number("1"), for: .json, into: &out)
    out.withUnsafeBytes { codec.received($0) }
    #expect(codec.next() == .answer(answer))
    #expect(codec.next() == nil)
    #expect(out.count { $0 == 0x0A } == 1 && !out.contains(0x1B))
  }

  @Test("The log is a page of history")
  func log() throws {
    var codec = ControlCodec()
    _ = codec.ask(.audit(before: nil, limit: 2))
    let text = try #require(MessageText("banned mallory"))
    let draft = Draft(room: .audit, person: PersonID(rawValue: 0), from: Self.ann, text: text)
    let page = HistoryPage(
      room: .audit, messages: [Message(draft, seq: 3, at: Self.moment)], more: true)
    var out: [UInt8] = []
    Encoder.encode(
      .history(page, in: .room(.audit)), to: .number("1"), for: .json, into: &out)
    out.withUnsafeBytes { codec.received($0) }
    guard case .answer(.history(let found, in: .room(.audit))) = codec.next() else {
      Issue.record("it is a page")
      return
    }
    #expect(found.messages.map(\.draft.words) == ["banned mallory"] && found.more)
  }

  @Test("Nothing of the chat is heard there, and nothing of it in the chat")
  func apart() {
    for method in JSONMethod.allCases {
      guard ControlMethod(rawValue: method.rawValue) == nil else { continue }
      let refusal = message(heard(#"{"id":1,"\#(method.rawValue)":{"name":"ann"}}"# + "\n"))
      #expect(refusal?.contains("there is no such method here; there are status, ") == true)
    }
    for method in ["status", "accounts", "erase", "removeRoom", "operate", "audit"] {
      let line = Array((#"{"id":1,"\#(method)":{}}"# + "\n").utf8)
      var dialect = Dialect()
      line.withUnsafeBytes { dialect.received($0, at: .zero) }
      #expect(dialect.next() == .answer(.refused(.unknownCommand), .number("1")))
    }
    #expect(heard("iam:ann\n").count == 1 && heard("GET / HTTP/1.1\r\n\r\n").count == 1)
  }

  @Test(
    "What is wrong with a request is said",
    arguments: [
      (#"{"erase":{}}"#, "takes one of name and person"),
      (#"{"ban":{"name":"ann","network":"1.2.3.4"}}"#, "takes one of name, person and network"),
      (#"{"disable":{"person":7}}"#, "person must be a string"),
      (#"{"disable":{"person":"007"}}"#, "person must be the number of one"),
      (#"{"disable":{"person":"0"}}"#, "person must be the number of one"),
      (#"{"ban":{"network":"1.2.3.4/8"}}"#, "network must be an address"),
      (#"{"createAccount":{"name":"ann"}}"#, "createAccount needs a password"),
      (#"{"createAccount":{"name":"ann","password":"short"}}"#, "a password has 8 to 256 bytes"),
      (#"{"createAccount":{"name":"a:b","password":"correct horse"}}"#, "a name cannot hold :"),
      (
        #"{"createAccount":{"name":"ann","password":"correct horse","role":"king"}}"#,
        "role must be owner, moderator or member"
      ),
      (#"{"token":{}}"#, "takes one of name and person"),
      (#"{"token":{"name":"ann","days":0}}"#, "days must be a number from 1 to 3650"),
      (#"{"token":{"name":"ann","days":3651}}"#, "days must be a number from 1 to 3650"),
      (#"{"archive":{"room":"two words"}}"#, "a room's name is"),
      (#"{"mute":{"name":"ann","seconds":0}}"#, "seconds must be a number from 1 to"),
      (#"{"audit":{"limit":501}}"#, "limit must be a number from 1 to 500"),
      (#"{"status":[]}"#, "what status takes must be an object"),
      (#"{"status":{},"rooms":{}}"#, "a request is an object with one method"),
    ])
  func wrong(line: String, words: String) {
    #expect(message(heard(line + "\n"))?.contains(words) == true)
  }

  @Test("Ten lines that are no requests are the last")
  func mistakes() {
    let heard = heard(String(repeating: "no JSON\n", count: 20))
    #expect(heard.count == 11 && heard.last == .tooManyMistakes(limit: 10))
  }

  @Test("What a server of another version says is not taken for an answer")
  func strange() {
    for line in ["[]", #"{"id":1,"ok":{"accounts":{}}}"#, "\u{FF}", #"{"id":1,"ok":{}}"#] {
      var codec = ControlCodec()
      _ = codec.ask(.accounts(after: nil))
      Array((line + "\n").utf8).withUnsafeBytes { codec.received($0) }
      switch codec.next() {
      case .malformed, nil: break
      case let heard?: Issue.record("\(line) is heard as \(heard)")
      }
    }
    var codec = ControlCodec()
    _ = codec.ask(.status)
    let lines = #"{"later":{}}"# + "\n" + #"{"closing":{"reason":"shutdown","message":"m"}}"# + "\n"
    Array(lines.utf8).withUnsafeBytes { codec.received($0) }
    #expect(codec.next() == .closing("m"))
  }

  @Test("The page has every method, in the order in which they are listed")
  func page() throws {
    let page = try String(contentsOf: Self.pagePath, encoding: .utf8)
    let table = page.components(separatedBy: "## Methods")[1]
    let methods = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.prefix {
      !$0.hasPrefix("| `version")
    }.flatMap { row -> [String] in
      let cell = row.split(separator: "|")[0]
      return cell.matches(of: /`([a-zA-Z]+)`/).map { String($0.1) }
    }
    #expect(Set(methods) == Set(ControlMethod.allCases.map(\.rawValue)))
    #expect(methods.count == ControlMethod.allCases.count)
  }

  private static let pagePath = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/wire/control.md")
}
