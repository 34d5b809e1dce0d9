/// What a line from the server means. Spelling only: a name here is text, as the server sent it.

public import ChatModel

/// One line from the server. Its text is safe to print: controls that could drive a terminal or
/// turn text around are gone.
public enum ServerLine: Hashable, Sendable {
  /// `NAME: TEXT`: somebody said it, perhaps oneself. The number is the message's in its room, by
  /// which it is answered, changed and deleted; plain servers do not tell it.
  case said(from: String, text: String, seq: Int64? = nil)
  /// `[2026-11-30 02:10 #44] NAME: TEXT`: somebody said it before; the time is of this machine's
  /// zone. Of plain servers such a line is ``other(_:)``, and its time UTC.
  case replayed(from: String, text: String, seq: Int64, at: Moment)
  /// `[2026-11-30 02:10 #44] TEXT`: what else was of before, such as a private message, a change,
  /// or a message without its text any more.
  case past(String, seq: Int64, at: Moment)
  /// `NAME (private): TEXT`: said to this person alone; `NAME (private to OTHER): TEXT`: said by
  /// this person to one other.
  case saidPrivately(from: String, text: String, to: String? = nil, seq: Int64? = nil)
  /// `NAME has joined`.
  case joined(String)
  /// `NAME has left`.
  case left(String)
  /// `* TEXT`: the server tells something.
  case notice(String)
  /// `* pong TEXT`: the answer to a ping with that text.
  case pong(String)
  /// `! TEXT`: something asked was refused; the text says what to do.
  case refusal(String)
  /// Anything else: a line of history, or of a server that speaks otherwise.
  case other(String)

  /// Reads one line, without its terminator.
  public init(_ line: String) {
    let line = ScreenText.guarded(line)
    if let text = line.after(prefix: "! ") {
      self = .refusal(text)
    } else if line == "* pong" {
      self = .pong("")
    } else if let text = line.after(prefix: "* pong ") {
      self = .pong(text)
    } else if let text = line.after(prefix: "* ") {
      self = .notice(text)
    } else if let first = line.first, "*![(#@+{<".contains(first) {
      // No name begins with one of these (docs/wire/plain.md, Names), so nobody is speaking here.
      self = .other(line)
    } else {
      self = Self.ofSomebody(line)
    }
  }

  /// The line as the server spelled it.
  public var text: String {
    switch self {
    case .said(let name, let text, seq: _): "\(name): \(text)"
    case .replayed(let name, let text, let seq, let at):
      "[\(at.localMinute) #\(seq)] \(name): \(text)"
    case .past(let text, let seq, let at): "[\(at.localMinute) #\(seq)] \(text)"
    case .saidPrivately(let name, let text, let other, seq: _):
      "\(name) (private\(other.map { " to \($0)" } ?? "")): \(text)"
    case .joined(let name): "\(name) has joined"
    case .left(let name): "\(name) has left"
    case .notice(let text): "* \(text)"
    case .pong(let text): text.isEmpty ? "* pong" : "* pong \(text)"
    case .refusal(let text): "! \(text)"
    case .other(let text): text
    }
  }

  /// A name holds no colon, so the first one ends it.
  private static func ofSomebody(_ line: String) -> ServerLine {
    let bytes = line.utf8
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(line[..<colon])
      guard !name.isEmpty, let text = String(line[colon...]).after(prefix: ": ") else {
        return .other(line)
      }
      if let alone = name.before(suffix: " (private)") {
        return .saidPrivately(from: alone, text: text)
      }
      if let (own, other) = name.sentence(before: ")", around: " (private to ") {
        return .saidPrivately(from: own, text: text, to: other)
      }
      return .said(from: name, text: text)
    }
    if let name = line.before(suffix: " has joined") { return .joined(name) }
    if let name = line.before(suffix: " has left") { return .left(name) }
    return .other(line)
  }
}

/// Compared byte by byte: a combining mark after the prefix must not hide it.
extension String {
  /// What follows the prefix, or nil where the text does not begin with it.
  package func after(prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...])
  }

  /// What stands before the suffix, if anything does.
  fileprivate func before(suffix: String) -> String? {
    guard utf8.count > suffix.utf8.count, utf8.reversed().starts(with: suffix.utf8.reversed())
    else { return nil }
    return String(self[..<utf8.index(endIndex, offsetBy: -suffix.utf8.count)])
  }

  /// What stands before and behind a mark in what stands before the suffix, if both do.
  fileprivate func sentence(before suffix: String, around mark: String) -> (String, String)? {
    guard let whole = before(suffix: suffix), let range = whole.firstRange(of: mark) else {
      return nil
    }
    return (String(whole[..<range.lowerBound]), String(whole[range.upperBound...]))
  }
}
