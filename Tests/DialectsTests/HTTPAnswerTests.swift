/// Rooms over HTTP as answers: pages in each form, what goes on, what is kept, and what is refused.

import ChatModel
import Dialects
import Testing

@Suite("Rooms over HTTP: what is answered")
struct HTTPAnswerTests {
  fileprivate static let tea = RoomName.named("tea")
  private static let moment = Moment(milliseconds: 1_796_004_600_123)

  fileprivate static let ann: UserName = {
    guard let name = try? UserName("ann") else { preconditionFailure("a name") }
    return name
  }()

  private func message(_ seq: Int64, _ content: Content, key: MessageKey? = nil) -> Message {
    let draft = Draft(
      room: Self.tea, person: PersonID(rawValue: 7), from: Self.ann, content: content, key: key)
    return Message(draft, seq: seq, at: Self.moment)
  }

  private func said(_ seq: Int64, _ text: String) -> Message {
    guard let text = MessageText(text) else { preconditionFailure("1 to 4,096 bytes") }
    return message(seq, .text(text), key: MessageKey("k"))
  }

  private func asking(_ query: String, _ fields: String..., method: String = "GET") -> HTTPTalk {
    var talk = HTTPTalk()
    let lines = ["\(method) /rooms/tea/messages\(query) HTTP/1.1", "Host: localhost"] + fields
    talk.read(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return talk
  }

  // MARK: Pages

  private var page: HistoryPage {
    HistoryPage(
      room: Self.tea, messages: [said(5, "a\nb"), message(6, .gone), said(9, "\u{1B}[2J")],
      more: true, gap: 1...4)
  }

  @Test("A page of JSON is the object of history, and a line feed")
  func json() throws {
    var talk = asking("?after=0&limit=3")
    talk.answer(page, of: .after(0))
    let answer = try talk.oneAnswer()
    #expect(answer.status == 200 && answer.hasItsLength)
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.fields["cache-control"] == "no-store")
    #expect(
      answer.body == """
        {"messages":[\
        {"room":"tea","seq":5,"from":"ann","text":"a\\nb","at":"2026-11-30T02:10:00.123Z"},\
        {"room":"tea","seq":6,"from":"ann","text":"","at":"2026-11-30T02:10:00.123Z",\
        "deleted":true},\
        {"room":"tea","seq":9,"from":"ann","text":"\\u001b[2J","at":"2026-11-30T02:10:00.123Z"}],\
        "more":true,"gap":{"from":1,"to":4}}

        """)
    #expect(!talk.isOver, "the connection goes on")
  }

  @Test("A page of NDJSON has an event a line, the gap where it lies")
  func lines() throws {
    var talk = asking("", "Accept: application/x-ndjson")
    var page = page
    page.gap = 7...8
    talk.answer(page, of: .before(nil))
    let answer = try talk.oneAnswer()
    #expect(answer.fields["content-type"] == "application/x-ndjson" && answer.hasItsLength)
    let lines = answer.body.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines[4].isEmpty)
    #expect(lines[0].hasPrefix(#"{"message":{"room":"tea","seq":5,"#))
    #expect(lines[1].hasPrefix(#"{"message":{"room":"tea","seq":6,"#))
    #expect(lines[2] == #"{"gap":{"room":"tea","from":7,"to":8}}"#)
    #expect(lines[3].hasPrefix(#"{"message":{"room":"tea","seq":9,"#))
    #expect(!answer.body.contains(#""key""#), "a key is its sender's own")
  }

  @Test("A page of text has dated lines, and none that anybody forged")
  func text() throws {
    var talk = asking("", "Accept: text/plain")
    talk.answer(page, of: .before(nil))
    let answer = try talk.oneAnswer()
    #expect(answer.fields["content-type"] == "text/plain; charset=utf-8" && answer.hasItsLength)
    #expect(
      answer.body == """
        * #1 to #4 are not kept any more
        [2026-11-30 02:10 #5] ann: a b
        [2026-11-30 02:10 #6] ann (deleted)
        [2026-11-30 02:10 #9] ann: [2J

        """)
  }

  @Test(
    "Where there is more, it is said where",
    arguments: [
      (
        "?after=0&limit=3", Stretch.after(0), true,
        "</rooms/tea/messages?after=9&limit=3>; rel=\"next\""
      ),
      ("?after=0", .after(0), true, "</rooms/tea/messages?after=9>; rel=\"next\""),
      ("?before=10", .before(10), true, "</rooms/tea/messages?before=5>; rel=\"prev\""),
      ("?limit=3", .before(nil), true, "</rooms/tea/messages?before=5&limit=3>; rel=\"prev\""),
      ("?after=0", .after(0), false, nil), ("", .before(nil), false, nil),
    ] as [(String, Stretch, Bool, String?)])
  func links(query: String, stretch: Stretch, more: Bool, link: String?) throws {
    for accept in ["application/json", "application/x-ndjson", "text/plain"] {
      var talk = asking(query, "Accept: \(accept)")
      var page = page
      page.more = more
      talk.answer(page, of: stretch)
      #expect(talk.takenAnswer()?.fields["link"] == link)
    }
  }

  @Test("A page that does not fit is cut where it can be gone on from")
  func cut() throws {
    let messages = (1...9).map { said($0, String(repeating: "x", count: 1_000)) }
    let page = HistoryPage(room: Self.tea, messages: messages, more: false)
    var older = asking("?limit=9")
    older.answer(page, of: .before(nil), bytesMax: 4_000)
    let newest = try older.oneAnswer()
    #expect(newest.fields["link"] == "</rooms/tea/messages?before=7&limit=9>; rel=\"prev\"")
    #expect(newest.body.contains(#""seq":7,"#) && !newest.body.contains(#""seq":6,"#))
    #expect(newest.body.contains(#""more":true"#) && newest.hasItsLength)
    var newer = asking("?after=0", "Accept: text/plain")
    newer.answer(page, of: .after(0), bytesMax: 4_000)
    let oldest = try newer.oneAnswer()
    #expect(oldest.fields["link"] == "</rooms/tea/messages?after=3>; rel=\"next\"")
    #expect(oldest.body.split(separator: "\n").count == 3)
  }

  @Test("The head of a page is that of the page, without it")
  func head() throws {
    var whole = asking("")
    whole.answer(page, of: .before(nil))
    var alone = asking("", method: "HEAD")
    alone.answer(page, of: .before(nil))
    let (page, head) = (whole.takenAnswer(), alone.takenAnswer())
    #expect(head?.fields == page?.fields && head?.body == "")
    #expect(page?.body != "" && !alone.isOver)
  }

  // MARK: What goes on

  private let joined = Answer.joined(.room(HTTPAnswerTests.tea), seq: 44, members: 3)

  @Test("Who follows by NDJSON is told events, a cursor first")
  func followsLines() throws {
    for accept in ["application/json", "application/x-ndjson"] {
      var talk = asking("?follow=1", "Accept: \(accept)")
      talk.answer(joined)
      talk.tell(.message(said(45, "hi"), in: .room(Self.tea)))
      let answer = try talk.oneAnswer()
      #expect(answer.status == 200 && answer.fields["content-type"] == "application/x-ndjson")
      #expect(answer.fields["content-length"] == nil && answer.fields["connection"] == "close")
      #expect(answer.fields["cache-control"] == "no-store")
      #expect(answer.fields["x-accel-buffering"] == "no")
      #expect(
        answer.body == """
          {"caughtUp":{"room":"tea","seq":44}}
          {"message":{"room":"tea","seq":45,"from":"ann","text":"hi",\
          "at":"2026-11-30T02:10:00.123Z"}}

          """)
    }
  }

  @Test("Who follows events can go on where it was cut off, from the first moment on")
  func followsEvents() throws {
    var talk = asking("", "Accept: text/event-stream")
    talk.answer(joined)
    talk.tell(.message(said(45, "a\nb"), in: .room(Self.tea)))
    talk.tell(.catchingUp(.room(Self.tea)))
    talk.tell(.gap(.room(Self.tea), 46...50))
    talk.tell(.closing(.putOut(Self.tea, by: Self.ann, nil)))
    let answer = try talk.oneAnswer()
    #expect(answer.fields["content-type"] == "text/event-stream")
    #expect(
      answer.body == """
        id: 44
        data: {"caughtUp":{"room":"tea","seq":44}}

        id: 45
        data: {"message":{"room":"tea","seq":45,"from":"ann","text":"a\\nb",\
        "at":"2026-11-30T02:10:00.123Z"}}

        id: 50
        data: {"gap":{"room":"tea","from":46,"to":50}}

        data: {"closing":{"reason":"kicked","message":"you were put out of tea by ann"}}


        """)
  }

  @Test("Who follows text is told lines as at a terminal")
  func followsText() throws {
    var talk = asking("?follow=1&limit=3", "Accept: text/plain")
    talk.answer(joined)
    let place = Place.room(Self.tea)
    talk.tell(.catchingUp(place))
    talk.tell(.message(said(44, "one"), in: place))
    talk.tell(.caughtUp(place, seq: 44))
    guard let text = MessageText("two\nlines") else { preconditionFailure("a text") }
    talk.tell(.message(message(45, .edit(of: 44, text)), in: place))
    talk.tell(.closing(.shutdown))
    let answer = try talk.oneAnswer()
    #expect(answer.fields["content-type"] == "text/plain; charset=utf-8")
    #expect(
      answer.body == """
        * catching up
        ann: one
        * live again
        * ann changed #44: two lines
        * the server is closing; connect again in a moment

        """)
  }

  @Test("Where something is caught up with, the cursor comes behind it")
  func noCursorTwice() throws {
    var talk = asking("?follow=1&after=3")
    talk.answer(joined)
    #expect(talk.takenAnswer()?.body == "")
  }

  @Test("What a follower sends is dropped, and nothing times it out")
  func deaf() {
    var talk = asking("?follow=1")
    talk.answer(joined)
    _ = talk.taken()
    let heard = talk.heard.count
    talk.ask("GET", "/health")
    talk.read("iam:eve\nmsg:hi\n")
    talk.pass(.seconds(3_600))
    talk.end()
    #expect(talk.heard.count == heard && talk.taken().isEmpty && !talk.isOver)
    #expect(talk.dialect.bytesHeld == 0 && talk.dialect.isFollowing)
  }

  // MARK: What is kept

  @Test("What is kept is answered with where it is, and the next request is heard")
  func sent() throws {
    for accept in ["*/*", "text/plain"] {
      var talk = HTTPTalk()
      talk.ask(
        "POST", "/rooms/tea/messages", "Authorization: Bearer x", "Content-Type: text/plain",
        "Accept: \(accept)", body: "hi")
      talk.answer(.sent(.room(Self.tea), seq: 44, at: Self.moment, .stored))
      let answer = try talk.oneAnswer()
      #expect(answer.status == 201 && answer.hasItsLength)
      #expect(answer.fields["location"] == "/rooms/tea/messages?after=43&limit=1")
      #expect(answer.fields["content-type"] == "application/json")
      #expect(
        answer.body
          == #"{"seq":44,"at":"2026-11-30T02:10:00.123Z","durability":"stored"}"# + "\n")
      talk.ask("GET", "/health")
      #expect(talk.takenAnswer()?.status == 200)
    }
  }

  // MARK: What is refused

  @Test("Each refusal has its status, its code and its sentence", arguments: statuses)
  func refusals(refusal: Refusal, status: Int, code: String) throws {
    var program = asking("")
    program.answer(.refused(refusal))
    let answer = try program.oneAnswer()
    #expect(answer.status == status && answer.hasItsLength && !program.isOver)
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.body.hasPrefix(#"{"error":{"code":"\#(code)","message":""#))
    #expect(answer.body.hasSuffix("}}\n"))
    #expect((answer.fields["www-authenticate"] != nil) == (status == 401))
    #expect((answer.fields["retry-after"] != nil) == (status == 429 || status == 503))
    var person = asking("", "Accept: text/plain")
    person.answer(.refused(refusal))
    let words = try person.oneAnswer()
    #expect(words.status == status && words.hasItsLength)
    #expect(words.fields["content-type"] == "text/plain; charset=utf-8")
    #expect(words.body.split(separator: "\n").count == 1 && !words.body.contains("{"))
  }

  @Test("How long to wait is said in whole seconds, rounded up")
  func wait() throws {
    for (milliseconds, seconds) in [(1, "1"), (1_000, "1"), (1_001, "2"), (0, "1")] {
      var talk = asking("")
      talk.answer(.refused(.rateLimited(retryAfter: .milliseconds(milliseconds))))
      let answer = try talk.oneAnswer()
      #expect(answer.fields["retry-after"] == seconds)
      #expect(answer.body.contains(#""retryAfterMs":\#(milliseconds)}"#))
    }
  }

  @Test("Whoever would follow and may not is refused like others, and may ask on")
  func notFollowed() throws {
    var talk = asking("", "Accept: text/event-stream")
    talk.answer(.refused(.noSuchRoom(Self.tea)))
    let answer = try talk.oneAnswer()
    #expect(answer.status == 404 && answer.fields["content-type"] == "application/json")
    talk.ask("GET", "/health")
    #expect(talk.takenAnswer()?.status == 200)
  }
}

private let statuses: [(Refusal, Int, String)] = [
  (.badRequest("so"), 400, "bad-request"), (.notLoggedIn, 401, "not-logged-in"),
  (.badToken, 401, "bad-token"), (.banned(HTTPAnswerTests.tea, nil, until: nil), 403, "banned"),
  (.muted(nil, nil, until: nil), 403, "muted"),
  (.archived(HTTPAnswerTests.tea), 403, "not-allowed"),
  (.accountDisabled, 403, "not-allowed"), (.noSuchRoom(HTTPAnswerTests.tea), 404, "no-such-room"),
  (.badRoom, 404, "bad-request"), (.nameTaken(HTTPAnswerTests.ann), 409, "name-taken"),
  (.keyReused, 409, "bad-request"), (.tooLong(limit: 4_096), 413, "too-long"),
  (.rateLimited(retryAfter: .milliseconds(1_001)), 429, "rate-limited"),
  (.notStored(reason: .diskFull), 503, "not-stored"), (.notStored(reason: .busy), 503, "busy"),
  (.busy, 503, "busy"), (.notRead, 503, "busy"),
]
