/// Every method of JSON lines as it may be asked, and what it asks for.

import ChatModel

enum RequestTable {
  static let all: [(String, Request)] = people + places + rooms + moderation

  private static func name(_ shown: String) -> UserName {
    guard let name = try? UserName(shown) else { preconditionFailure("\(shown) is no name") }
    return name
  }

  private static func sure<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("these can be texts and the like") }
    return value
  }

  private static let ann = name("ann")
  private static let (old, new) = (sure(Password("12345678")), sure(Password("abcdefgh")))
  private static let tea = sure(RoomName("tea"))
  private static let (inTea, withAnn) = (Place.room(tea), Place.with(ann))
  private static let hi = sure(MessageText("hi"))
  private static let short = sure(ShortText("so: hi"))
  private static let at = Moment(milliseconds: 1_796_004_600_123)

  private static let people: [(String, Request)] = [
    (#"{"login":{"name":"ann"}}"#, .logIn(ann, .manyRooms)),
    (#"{"login":{"name":" ann ","token":null}}"#, .logIn(ann, .manyRooms)),
    (#"{"login":{"token":"t0"}}"#, .resume(token: "t0", .manyRooms)),
    (
      #"{"login":{"name":"ann","password":"12345678"}}"#,
      .logInWithPassword(ann, old, orAsGuest: false, .manyRooms)
    ),
    (
      #"{"register":{"name":"ann","password":"12345678"}}"#,
      .register(ann, old, code: nil, .manyRooms)
    ),
    (
      #"{"register":{"password":"12345678","name":"ann","code":"k3"}}"#,
      .register(ann, old, code: "k3", .manyRooms)
    ),
    (#"{"password":{"old":"12345678","new":"abcdefgh"}}"#, .changePassword(old: old, new: new)),
    (#"{"logout":{}}"#, .logOut),
    (#"{"away":{}}"#, .away(nil)), (#"{"away":{"text":""}}"#, .away(nil)),
    (#"{"away":{"text":"so: hi"}}"#, .away(short)),
    (#"{"ping":{}}"#, .ping("")), (#"{"ping":{"text":"ignored"}}"#, .ping("")),
    (#"{"quit":{}}"#, .quit),
  ]

  private static let places: [(String, Request)] = [
    (#"{"join":{"room":"tea"}}"#, .join(inTea, .now, code: nil)),
    (#"{"join":{"room":"TEA","after":0}}"#, .join(inTea, .after(0), code: nil)),
    (#"{"join":{"after":41,"room":"tea"}}"#, .join(inTea, .after(41), code: nil)),
    (#"{"join":{"room":"tea","last":20}}"#, .join(inTea, .last(20), code: nil)),
    (#"{"join":{"room":"tea","code":"c-1"}}"#, .join(inTea, .now, code: "c-1")),
    (#"{"join":{"with":"ann","after":3}}"#, .join(withAnn, .after(3), code: nil)),
    (#"{"send":{"room":"tea","text":"hi"}}"#, .send(inTea, hi, key: nil, replyTo: nil)),
    (#"{"send":{"with":"Ann","text":"hi"}}"#, .send(withAnn, hi, key: nil, replyTo: nil)),
    (
      #"{"send":{"room":"tea","text":"hi","key":"k-17","replyTo":41}}"#,
      .send(inTea, hi, key: MessageKey("k-17"), replyTo: 41)
    ),
    (
      #"{ "send" : { "\u0074ext" : "\u0068\u0069" , "room" : "\u0074ea" } } "#,
      .send(inTea, hi, key: nil, replyTo: nil)
    ),
    (#"{"edit":{"room":"tea","seq":42,"text":"hi"}}"#, .edit(inTea, of: 42, hi)),
    (#"{"edit":{"with":"ann","seq":42,"text":"hi"}}"#, .edit(withAnn, of: 42, hi)),
    (#"{"delete":{"room":"tea","seq":42}}"#, .delete(inTea, of: 42)),
    (#"{"delete":{"with":"ann","seq":42}}"#, .delete(withAnn, of: 42)),
    (#"{"history":{"room":"tea"}}"#, .history(inTea, .before(nil), limit: 50)),
    (#"{"history":{"room":"tea","limit":500}}"#, .history(inTea, .before(nil), limit: 500)),
    (#"{"history":{"with":"ann","before":44}}"#, .history(withAnn, .before(44), limit: 50)),
    (#"{"history":{"room":"tea","after":44,"limit":1}}"#, .history(inTea, .after(44), limit: 1)),
    (#"{"search":{"query":"green tea"}}"#, .search(Search("green tea"))),
    (
      #"{"search":{"query":"a","room":"tea","limit":100}}"#,
      .search(Search("a", in: inTea, limit: 100))
    ),
    (
      #"{"search":{"query":"a","with":"ann","from":"ann","since":"2026-11-30T02:10:00.123Z","#
        + #""until":"2026-11-30T02:10:00.123Z","cursor":"c-1","limit":1}}"#,
      .search(
        Search("a", in: withAnn, from: ann, since: at, until: at, cursor: "c-1", limit: 1))
    ),
    (#"{"mark":{"room":"tea","seq":0}}"#, .mark(inTea, 0)),
    (#"{"mark":{"with":"ann","seq":44}}"#, .mark(withAnn, 44)),
    (#"{"typing":{"room":"tea","on":true}}"#, .typing(inTea, true)),
    (#"{"typing":{"with":"ann","on":false}}"#, .typing(withAnn, false)),
  ]

  private static let rooms: [(String, Request)] = [
    (#"{"create":{"room":"tea"}}"#, .create(tea, isPrivate: false, topic: nil)),
    (
      #"{"create":{"room":"tea","private":true,"topic":"so: hi"}}"#,
      .create(tea, isPrivate: true, topic: short)
    ),
    (
      #"{"create":{"room":"tea","private":false,"topic":""}}"#,
      .create(tea, isPrivate: false, topic: nil)
    ),
    (#"{"archive":{"room":"tea"}}"#, .archive(tea)),
    (#"{"leave":{"room":"tea"}}"#, .leave(tea)),
    (#"{"rooms":{}}"#, .rooms), (#"{"who":{"room":"tea"}}"#, .who(tea)),
    (#"{"topic":{"room":"tea","text":"so: hi"}}"#, .setTopic(tea, short)),
    (#"{"topic":{"room":"tea","text":""}}"#, .setTopic(tea, nil)),
    (#"{"invite":{"room":"tea"}}"#, .invite(tea, uses: nil, seconds: nil)),
    (#"{"invite":{"room":"tea","uses":1,"seconds":60}}"#, .invite(tea, uses: 1, seconds: 60)),
    (#"{"uninvite":{"room":"tea","code":"c-1"}}"#, .uninvite(tea, code: "c-1")),
    (#"{"history":{"room":"@audit"}}"#, .history(.room(.audit), .before(nil), limit: 50)),
  ]

  private static let moderation: [(String, Request)] = [
    (#"{"kick":{"name":"ann"}}"#, .kick(nil, ann, nil)),
    (#"{"kick":{"room":"tea","name":"ann","reason":"so: hi"}}"#, .kick(tea, ann, short)),
    (#"{"ban":{"name":"ann","reason":""}}"#, .sanction(.ban, nil, .name(ann), nil, seconds: nil)),
    (
      #"{"ban":{"room":"tea","name":"ann","reason":"so: hi","seconds":315360000}}"#,
      .sanction(.ban, tea, .name(ann), short, seconds: 315_360_000)
    ),
    (
      #"{"ban":{"network":"2001:DB8::/32","seconds":1}}"#,
      .sanction(.ban, nil, .network(sure(Network("2001:db8::/32"))), nil, seconds: 1)
    ),
    (#"{"unban":{"room":"tea","name":"ann"}}"#, .lift(.ban, tea, .name(ann))),
    (
      #"{"unban":{"network":"203.0.113.7"}}"#,
      .lift(.ban, nil, .network(sure(Network("203.0.113.7"))))
    ),
    (
      #"{"mute":{"room":"tea","name":"ann","seconds":60}}"#,
      .sanction(.mute, tea, .name(ann), nil, seconds: 60)
    ),
    (#"{"unmute":{"name":"ann"}}"#, .lift(.mute, nil, .name(ann))),
    (#"{"role":{"room":"tea","name":"ann","role":"moderator"}}"#, .setRole(tea, ann, .moderator)),
    (#"{"role":{"name":"ann","role":"owner"}}"#, .setRole(nil, ann, .owner)),
  ]
}
