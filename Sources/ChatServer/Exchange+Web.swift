/// What is asked over HTTP: the page, whether all is well, rooms, and to speak in a WebSocket.

import ChatHub
import ChatModel
import Dialects
import Foundation
import TLS

extension Exchange {
  mutating func carryOut(_ request: WebRequest, of connection: ClientConnection) {
    if request.isForwarded { countAsForwarded(connection) }
    switch request.action {
    case .file(let file): give(file, to: connection)
    case .readiness:
      reply(
        to: connection,
        isStoreFailing
          ? HTTPReply(503, WebWords.notKept, ["Cache-Control": "no-store"])
          : HTTPReply(200, WebWords.ready, ["Cache-Control": "no-store"]))
    case .visit(let visit, let token): self.visit(visit, token: token, by: connection)
    case .upgrade(let key, let isNamed): upgrade(connection, key: key, isNamed: isNamed)
    }
  }

  /// Something of a room, by whoever the token is of.
  private mutating func visit(
    _ visit: Visit, token: String?, by connection: ClientConnection
  ) {
    var visitor: Visitor?
    if let token {
      guard let holder = tokens.holder(of: token, at: wallClock()) else {
        return answer(connection, nil, .refused(.badToken))
      }
      visitor = Visitor(person: holder.person, name: holder.name, epoch: holder.epoch)
    }
    connection.visitor = visitor?.person
    perform(
      hub.visit(
        visit, by: visitor, from: connection.id, of: connection.countedHost, at: now))
  }

  mutating func reply(to connection: ClientConnection, _ reply: HTTPReply) {
    scratch.removeAll(keepingCapacity: true)
    connection.dialect.encode(reply, into: &scratch)
    queueScratch(for: connection)
  }

  /// A file of the page, or that the asker has it (RFC 9110 13.1.2 and 15.4.5).
  private mutating func give(_ request: WebFileRequest, to connection: ClientConnection) {
    guard let file = pages[request.path] else {
      return reply(to: connection, HTTPReply(404, WebWords.notFound))
    }
    let zipped = request.acceptsGzip ? file.zipped : nil
    let tag = "\"\(file.content.tag)\(zipped == nil ? "" : "-gz")\""
    var fields = ["Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"]
    if file.content.isPage { fields.merge(Self.pageFields) { _, new in new } }
    if let known = request.known, Self.names(known, tag) {
      return reply(to: connection, HTTPReply(304, fields))
    }
    fields["Content-Type"] = file.content.type
    if zipped != nil { fields["Content-Encoding"] = "gzip" }
    let body = zipped ?? file.bytes
    scratch.removeAll(keepingCapacity: true)
    let hasBody = connection.dialect.encodeHead(
      HTTPReply(200, fields), bodyCount: body.count, into: &scratch)
    queueScratch(for: connection)
    if hasBody { queue(Slice(body, unit: .whole), for: connection) }
  }

  /// Compared weakly, as RFC 9110 13.1.2 has it.
  private static func names(_ known: String, _ tag: String) -> Bool {
    known.split(separator: ",").contains { item in
      let item = item.filter { $0 != " " && $0 != "\t" }
      return item == "*" || item == tag || item == "W/" + tag
    }
  }

  /// Nothing but the page's own files is loaded, no text becomes a script, and no other page shows
  /// this one inside itself.
  private static let pageFields = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  ]

  /// RFC 6455 4.2.2: what only who has read the key can answer.
  private mutating func upgrade(_ connection: ClientConnection, key: String, isNamed: Bool) {
    let proof = MessageCode.sha1(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    scratch.removeAll(keepingCapacity: true)
    connection.dialect.upgrade(
      accept: Data(proof).base64EncodedString(), isNamed: isNamed, at: now, into: &scratch)
    queue(Slice(SharedBytes(scratch), unit: .whole), for: connection)
  }

  /// Somebody stands in between, who may be on this machine: who asks is not.
  private mutating func countAsForwarded(_ connection: ClientConnection) {
    switch connection.origin {
    case .path: connection.origin = .network("forwarded")
    case .loopback(let host): connection.origin = .network(host)
    case .network, .operator: return
    }
    if let host = connection.countedHost { connectionsByHost[host, default: 0] += 1 }
  }
}
