/// Rooms over HTTP as requests: which path, query, field and body is which visit, and what is wrong
/// with those that are none.

import ChatModel
import Dialects
import Testing

@Suite("Rooms over HTTP: what is asked")
struct HTTPRoomTests {
  private static let tea = RoomName.named("tea")

  private func talk(_ target: String, _ fields: String..., method: String = "GET") -> HTTPTalk {
    var talk = HTTPTalk()
    let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
    talk.read(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return talk
  }

  // MARK: Which room

  @Test(
    "A room's name may be written in large letters and escapes",
    arguments: ["/rooms/tea/messages", "/rooms/TEA/messages", "/rooms/t%65a/messages?"])
  func names(target: String) {
    #expect(talk(target).visit == .page(Self.tea, .before(nil), limit: 50))
  }

  @Test("What the server made can be asked for, and is for the hub to hide")
  func made() {
    #expect(talk("/rooms/%40audit/messages").visit == .page(.audit, .before(nil), limit: 50))
  }

  @Test(
    "What can be no room's name is not there, and the rule is said",
    arguments: [
      "/rooms//messages", "/rooms/two%20words/messages", "/rooms/t%6/messages",
      "/rooms/%ff/messages", "/rooms/@1.2/messages", "/rooms/a+b/messages",
    ])
  func noNames(target: String) throws {
    var talk = talk(target)
    let answer = try talk.oneAnswer()
    #expect(answer.status == 404 && answer.body.contains("a room's name is"), "\(answer)")
    #expect(talk.action == nil && !talk.isOver)
  }

  @Test(
    "Other paths are files, which are not there",
    arguments: [
      "/rooms", "/rooms/", "/rooms/tea", "/rooms/tea/", "/rooms/tea/messages/",
      "/rooms/tea/messages/1", "/rooms/tea/who", "//rooms/tea/messages", "/Rooms/tea/messages",
    ])
  func others(target: String) {
    guard case .file(let file)? = talk(target).action else {
      Issue.record("\(target) is \(talk(target).heard)")
      return
    }
    #expect(file.path == target)
  }

  // MARK: Pages

  @Test(
    "A page is the newest before a number, or the oldest behind one",
    arguments: [
      ("", Stretch.before(nil), 50), ("before=7", .before(7), 50), ("before=0", .before(0), 50),
      ("after=0", .after(0), 50), ("after=9223372036854775807", .after(.max), 50),
      ("limit=1", .before(nil), 1), ("limit=500&after=07", .after(7), 500),
      ("&before=3&&limit=2&", .before(3), 2), ("a%66ter=%31", .after(1), 50),
    ])
  func pages(query: String, stretch: Stretch, limit: Int) {
    let talk = talk("/rooms/tea/messages?\(query)")
    #expect(talk.visit == .page(Self.tea, stretch, limit: limit))
  }

  @Test(
    "A query that is wrong is refused with what is wrong",
    arguments: [
      ("after=", "after must be a number from 0 to 2^63-1"), ("after", "after must be a number"),
      ("after=-1", "after must be a number"), ("after=+1", "after must be a number"),
      ("after=9223372036854775808", "after must be a number"), ("before=x", "before must be"),
      ("limit=0", "limit must be a number from 1 to 500"), ("limit=501", "limit must be"),
      ("limit=1e2", "limit must be"), ("after=1&before=2", "after or before, not both"),
      ("after=1&after=1", "after is there twice"), ("limit=1&limit=2", "limit is there twice"),
      ("folow=1", "there is no such parameter"), ("=1", "there is no such parameter"),
      ("After=1", "there is no such parameter"), ("follow=0", "follow must be 1"),
      ("follow", "follow must be 1"), ("after=%3", "no escape"), ("a%zz=1", "no escape"),
      ("follow=1&before=3", "leave before out"), ("follow=1&after=1&limit=2", "not both"),
      ("follow=1&follow=1", "follow is there twice"),
    ])
  func wrongQueries(query: String, words: String) throws {
    for method in ["GET", "HEAD"] {
      var talk = talk("/rooms/tea/messages?\(query)", method: method)
      let answer = try talk.oneAnswer()
      #expect(answer.status == 400 && talk.action == nil && !talk.isOver, "\(answer)")
      #expect(method == "HEAD" || answer.body.contains(words), "\(answer.body)")
    }
  }

  // MARK: Following

  @Test(
    "Whoever follows begins behind a number, with the newest, or now",
    arguments: [
      ("follow=1", Beginning.now), ("follow=1&after=7", .after(7)), ("after=0&follow=1", .after(0)),
      ("follow=1&limit=20", .last(20)),
    ])
  func follows(query: String, beginning: Beginning) {
    for accept in ["*/*", "application/x-ndjson", "text/plain", "text/event-stream"] {
      let talk = talk("/rooms/tea/messages?\(query)", "Accept: \(accept)")
      #expect(talk.visit == .follow(Self.tea, beginning))
    }
  }

  @Test("Server-sent events follow always, and begin behind the one that was had last")
  func events() {
    let events = "Accept: text/event-stream"
    let path = "/rooms/tea/messages"
    #expect(talk(path, events).visit == .follow(Self.tea, .now))
    #expect(talk("\(path)?after=3", events).visit == .follow(Self.tea, .after(3)))
    for query in ["", "?after=3", "?limit=9", "?follow=1"] {
      let talk = talk(path + query, events, "Last-Event-ID: 44")
      #expect(talk.visit == .follow(Self.tea, .after(44)), "\(query)")
    }
    #expect(
      talk(path, "Last-Event-ID: 44").visit == .page(Self.tea, .before(nil), limit: 50),
      "of a page it says nothing")
  }

  @Test("A last event that is no number is refused", arguments: ["x", "-1", "", "1, 2"])
  func lastEvent(id: String) {
    var talk = talk(
      "/rooms/tea/messages", "Accept: text/event-stream", "Last-Event-ID: \(id)")
    #expect(talk.takenAnswer()?.status == 400)
  }

  @Test("A head alone follows nothing")
  func head() throws {
    var talk = talk("/rooms/tea/messages?follow=1&after=3", method: "HEAD")
    #expect(talk.visit == .page(Self.tea, .before(nil), limit: 1))
    talk.answer(HistoryPage(room: Self.tea, messages: [], more: false), of: .before(nil))
    let answer = try talk.oneAnswer()
    #expect(answer.status == 200 && answer.fields["content-type"] == "application/x-ndjson")
    #expect(answer.fields["content-length"] == nil && answer.body.isEmpty && !talk.isOver)
  }

  // MARK: Who it is

  @Test(
    "A token is given as RFC 6750 has it",
    arguments: ["Bearer abc", "bearer abc", "BEARER  abc"])
  func token(value: String) {
    let talk = talk("/rooms/tea/messages", "Authorization: \(value)")
    guard case .visit(_, let token)? = talk.action else {
      Issue.record("\(talk.heard)")
      return
    }
    #expect(token == "abc")
  }

  @Test(
    "What is no bearer token is refused, also where none is needed",
    arguments: ["Basic YW5uOng=", "Bearer", "Bearer ", "Bearer a b", "abc", ""])
  func badToken(value: String) throws {
    var talk = talk("/rooms/tea/messages", "Authorization: \(value)")
    let answer = try talk.oneAnswer()
    #expect(answer.status == 401)
    #expect(answer.fields["www-authenticate"] == #"Bearer error="invalid_token""#)
    #expect(answer.body.contains(#""code":"bad-token""#))
  }

  @Test("Two tokens are none")
  func twoTokens() {
    var talk = talk(
      "/rooms/tea/messages", "Authorization: Bearer a", "Authorization: Bearer a")
    #expect(talk.takenAnswer()?.status == 401)
  }

  // MARK: What is accepted

  @Test(
    "The best form by weight is given, then the one that was named more exactly, then ours",
    arguments: [
      (nil, "application/json"), ("*/*", "application/json"), ("", "application/json"),
      ("text/plain", "text/plain; charset=utf-8"), ("TEXT/PLAIN", "text/plain; charset=utf-8"),
      ("text/*", "text/plain; charset=utf-8"), ("application/*", "application/json"),
      ("application/x-ndjson", "application/x-ndjson"),
      ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
      ("text/html, application/xhtml+xml, */*;q=0.8", "application/json"),
      ("text/plain, */*", "text/plain; charset=utf-8"),
      ("application/json, text/plain, */*", "application/json"),
      ("text/plain;q=0.9, */*;q=0.8", "text/plain; charset=utf-8"),
      ("application/json;q=0, */*", "application/x-ndjson"),
      ("text/plain;q=0.001, application/json;q=0", "text/plain; charset=utf-8"),
      ("text/plain; charset=utf-8 ; q=1.000", "text/plain; charset=utf-8"),
      ("application/json;q=2, text/plain;q=0.1", "text/plain; charset=utf-8"),
    ])
  func accepted(accept: String?, type: String) throws {
    var talk = talk("/rooms/tea/messages", accept.map { "Accept: \($0)" } ?? "X-None: 1")
    talk.answer(HistoryPage(room: Self.tea, messages: [], more: false), of: .before(nil))
    #expect(talk.takenAnswer()?.fields["content-type"] == type)
  }

  @Test("Where nothing of it is accepted that is said", arguments: ["image/png", "text/html"])
  func notAcceptable(accept: String) throws {
    var talk = talk("/rooms/tea/messages", "Accept: \(accept)")
    let answer = try talk.oneAnswer()
    #expect(answer.status == 406 && answer.body.contains("accept one of these"))
  }
}
