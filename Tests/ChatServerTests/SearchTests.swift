/// Searches of programs in a running server: nothing of what others say among themselves, and no
/// query, name or cursor that does harm.

import ChatServer
import Loop
import Stores
import TestSupport
import Testing

extension JSONClient {
  /// What is found, newest first, of all pages.
  fileprivate func found(_ arguments: Fields, limit: Int = 20) -> [String] {
    var texts: [String] = []
    var arguments = arguments.merging(["limit": limit]) { $1 }
    while true {
      guard let page = ask("search", arguments)?.ok,
        let messages = page["messages"] as? [Fields]
      else {
        Issue.record("a search is answered")
        return texts
      }
      texts += messages.compactMap { $0["text"] as? String }
      guard let cursor = page["cursor"] else { return texts }
      arguments["cursor"] = cursor
    }
  }
}

@Suite struct SearchTests {
  @Test(arguments: Keeping.allCases)
  func aStrangerFindsNoWordOfPrivateRoomsAndConversations(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let bob = try running.program("bob")
    let eve = try running.program("eve")
    ann.say("a needle for all")
    // More rooms than are told apart within the index.
    for number in 0..<20 {
      ann.ask("create", ["room": "den-\(number)", "private": true])
      ann.ask("send", ["room": "den-\(number)", "text": "needle \(number), secret"])
    }
    ann.ask("send", ["with": "bob", "text": "a needle, bob, secret"])
    try await running.catchUpSearch()
    for limit in [1, 2, 20] {
      #expect(eve.found(["query": "needle"], limit: limit) == ["a needle for all"])
      #expect(eve.found(["query": "needle", "from": "Ann"], limit: limit) == ["a needle for all"])
      #expect(eve.found(["query": "secret"], limit: limit) == [])
      #expect(eve.found(["query": "needle", "with": "bob"], limit: limit) == [])
      #expect(
        bob.found(["query": "needle"], limit: limit)
          == ["a needle, bob, secret", "a needle for all"])
      #expect(bob.found(["query": "needle", "with": "ann"], limit: limit).count == 1)
      #expect(ann.found(["query": "needle"], limit: limit).count == 22)
    }
    let only = eve.ask("search", ["query": "needle", "limit": 1])?.ok
    #expect((only?["messages"] as? [Any])?.count == 1 && only?["cursor"] == nil)
    // The same words as for a room that is not there.
    for room in ["den-3", "den-99"] {
      let refusal = eve.ask("search", ["query": "needle", "room": room])
      #expect(refusal.code == "no-such-room")
    }
    #expect(eve.ask("search", ["query": "a", "room": "@audit"]).code == "no-such-room")
    // Whoever is let in finds it from then on.
    let code = ann.ask("invite", ["room": "den-3"])?.ok["code"] as? String ?? ""
    eve.ask("join", ["room": "den-3", "code": code])
    #expect(eve.found(["query": "secret"]) == ["needle 3, secret"])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func syntaxOfAnyLanguageIsTextInEveryField(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping) { $0.limits.liftRates() }
    let ann = try running.program("ann")
    let eve = try running.program("eve")
    ann.say("a needle for all")
    ann.ask("create", ["room": "den", "private": true])
    ann.ask("send", ["room": "den", "text": "needle secret words0 entries"])
    try await running.catchUpSearch()
    let texts = [
      "\"", "\"\"", "'", "needle\" OR \"secret", "secret OR needle", "needle NOT x", "^needle", "*",
      "NEAR(needle secret, 5)", "words:secret", "{words} : secret", "needle) OR (secret", "((((",
      "'; DROP TABLE entries; --", "1 OR 1=1", "needle AND", "- needle", "\u{0}needle\u{0}", "%",
      "words0 MATCH 'secret'", "\u{E000}1", "\u{E002}", "secret\u{E000}2", "1-1", "-1", "1-",
      "@1.2",
      "zzzzzzzzzzzz-zzzzzzzzzzzz", "1-7fffffffffffffff", "needle*", "se*", "\\", "\u{202E}", "ﷺ",
    ]
    let refusals = [
      "bad-request", "bad-name", "bad-room", "no-such-room", "not-here", "too-long",
    ]
    for text in texts {
      for field in ["query", "from", "cursor", "room", "with", "since", "until"] {
        let answer = eve.ask("search", ["query": "needle"].merging([field: text]) { $1 })
        switch answer {
        case .ok(let page):
          let messages = page["messages"] as? [JSONClient.Fields] ?? []
          let isSeen = messages.allSatisfy { $0["text"] as? String == "a needle for all" }
          #expect(isSeen && page["cursor"] == nil, "\(field): \(text)")
        case .error(let code, _): #expect(refusals.contains(code), "\(field): \(text): \(code)")
        case nil: Issue.record("\(field): \(text) is answered")
        }
      }
    }
    #expect(eve.found(["query": "needle"]) == ["a needle for all"])
    #expect(running.logged.withLock { $0 } == [])
    await running.stop()
  }

  @Test(arguments: Keeping.allCases)
  func aGuestWhoHasGoneIsFoundByTheName(keeping: Keeping) async throws {
    let running = try await RunningServer(keeping)
    let ann = try running.program("ann")
    let guest = try running.program("Guestina")
    guest.sayAll(["a needle"])
    guest.ask("quit")
    try await running.catchUpSearch()
    #expect(ann.found(["query": "needle", "from": "guestina"]) == ["a needle"])
    #expect(ann.found(["query": "needle", "from": "ann"]) == [])
    await running.stop()
  }
}
