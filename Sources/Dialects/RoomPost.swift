/// What is said in a room over HTTP: the body, and the key that it goes by. Asks nobody.

internal import ChatModel
internal import Wire

/// A message as a request has it.
struct RoomPost {
  let text: MessageText
  let key: MessageKey?
  let replyTo: Int64?

  init(_ request: HTTPRequest) throws(RoomRefused) {
    let given = try Self.idempotencyKey(request.fields)
    let types = request.fields.all("content-type")
    let parts = types.count == 1 ? types[0].split(separator: ";").map(Self.word) : []
    switch parts.first {
    case "application/json":
      let own: MessageKey?
      (text, own, replyTo) = try Self.object(request.body)
      if let own, let given, own != given { throw RoomRefused(WebWords.twoKeys) }
      key = given ?? own
    case "text/plain" where Self.isUTF8(parts.dropFirst()):
      text = try Self.text(request.body)
      (key, replyTo) = (given, nil)
    case _: throw RoomRefused(WebWords.contentType, 415)
    }
  }

  private static func word(_ part: Substring) -> String {
    String(part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }).lowercased()
  }

  /// RFC 6657 leaves the coding of a text open; here it is this one.
  private static func isUTF8(_ parameters: ArraySlice<String>) -> Bool {
    parameters.allSatisfy { parameter in
      !parameter.hasPrefix("charset=") || ["charset=utf-8", "charset=us-ascii"].contains(parameter)
    }
  }

  private static func object(
    _ body: [UInt8]
  ) throws(RoomRefused) -> (MessageText, MessageKey?, Int64?) {
    let document: JSONDocument
    do {
      document = try JSONDocument(body[...])
    } catch {
      throw RoomRefused("the body is no JSON: \(error.words(in: body[...]))")
    }
    guard document.kind(of: document.root) == .object else { throw RoomRefused(WebWords.object) }
    let arguments = JSONArguments(method: .send, document: document, object: document.root)
    do throws(JSONRefused) {
      return (
        try arguments.messageText(), try arguments.key(), try arguments.number(.replyTo, from: 1)
      )
    } catch {
      throw RoomRefused(error.refusal)
    }
  }

  /// Programs that print a line end it; that is no part of what is said.
  private static func text(_ body: [UInt8]) throws(RoomRefused) -> MessageText {
    var body = body[...]
    if body.last == 0x0A {
      body.removeLast()
      if body.last == 0x0D { body.removeLast() }
    }
    guard let string = String(validating: body, as: UTF8.self) else {
      throw RoomRefused(WebWords.notUTF8)
    }
    if let text = MessageText(string) { return text }
    if string.isEmpty { throw RoomRefused(WebWords.emptyText) }
    throw RoomRefused(.tooLong(limit: MessageText.bytesMax))
  }

  /// As it is, or as a string in quotes (RFC 8941 3.3.3), as the draft of the field has it.
  private static func idempotencyKey(_ fields: HTTPFields) throws(RoomRefused) -> MessageKey? {
    let values = fields.all("idempotency-key")
    guard let value = values.first else { return nil }
    guard values.count == 1, let string = unquoted(value), let key = MessageKey(string) else {
      throw RoomRefused(WebWords.key(MessageKey.bytesMax))
    }
    return key
  }

  private static func unquoted(_ value: String) -> String? {
    guard value.hasPrefix("\"") else { return value }
    guard value.utf8.count >= 2, value.hasSuffix("\"") else { return nil }
    var string = ""
    var isEscaped = false
    for letter in value.dropFirst().dropLast().unicodeScalars {
      if isEscaped {
        guard letter == "\"" || letter == "\\" else { return nil }
        isEscaped = false
      } else if letter == "\\" {
        isEscaped = true
        continue
      } else if letter == "\"" {
        return nil
      }
      string.unicodeScalars.append(letter)
    }
    return isEscaped ? nil : string
  }
}
