/// What a person typed at the keyboard. Only for a keyboard: a line from a pipe is always said.

package import ChatModel

/// A typed line: something to say, or a command: `VERB:ARGUMENT`, as in the plain dialect, or
/// `/VERB ARGUMENT`.
package enum TypedLine: Hashable {
  /// Say it; `//x` says `/x`, and `msg:x` says x whatever it begins with.
  case text(String)
  /// Say it to one person alone, or as a reply to a message; where no place is named, in the room.
  case aside(String, to: Place?, replyTo: Int64?)
  case question(ChatQuestion)
  case join(RoomName, code: String?)
  case request(Request)
  /// Ask for a password and make an account of it; the code is the owner's.
  case register(code: String?)
  /// Ask for the password, and for another one.
  case changePassword
  case quit
  /// A command that cannot be carried out, in a clause what it takes.
  case misused(String)
  /// Not a command; the word that was taken for one, `/` included.
  case unknown(String)
  /// Nothing to say.
  case blank

  /// The commands in a few words.
  package static let commands = "help: shows the commands; msg:TEXT says anything"

  /// The commands in one screen.
  package static let help = [
    "What you type is said in the room, unless it is one of these:",
    "  who:  rooms:          see who is here; rooms and your conversations",
    "  join:ROOM             go into another room, or make one",
    "  join:ROOM:CODE        go into a private room, by the code of an invitation",
    "  to:NAME:TEXT          say TEXT to NAME alone",
    "  reply:#N:TEXT         answer message #N; in a talk with NAME it is NAME:#N",
    "  edit:#N:TEXT          give your message #N another text",
    "  delete:#N             take its text away",
    "  history:N  since:N    see the newest N messages; what followed message #N",
    "  search:WORDS          find messages; \"words in quotes\" stand together",
    "  topic:  topic:TEXT    see what the room is about; say what it is about",
    "  away:TEXT  away:      you are not at the keyboard; you are back",
    "  create:ROOM           make a room that stays; for some: create:ROOM:private",
    "  invite:  invite:N     a code that lets in one, or N; uninvite:CODE ends it",
    "  kick:NAME:REASON      put NAME out of the room",
    "  ban:NAME:REASON       keep NAME out; 2 hours: ban:NAME:2h:REASON; unban:NAME",
    "  mute:NAME:REASON      let NAME say nothing here, likewise; unmute:NAME",
    "  role:NAME:ROLE        make NAME a moderator, owner or member of the room",
    "  register:  password:  make an account of your name; change its password",
    "  ping:TEXT             is the server there?",
    "  help:  quit:          see this again; leave",
    "msg:TEXT says TEXT whatever it begins with. /who is who:, /VERB X is VERB:X.",
  ]

  /// What names no other room is about `room`.
  package init(_ line: String, in room: RoomName = .lobby) {
    guard !line.isBlank else {
      self = .blank
      return
    }
    if let command = line.after(prefix: "/") {
      self = Self.slashed(command, room)
    } else {
      self = Self.spelled(line, room) ?? .text(line)
    }
  }

  /// `/VERB ARGUMENT`.
  private static func slashed(_ command: String, _ room: RoomName) -> TypedLine {
    guard !command.hasPrefix("/") else { return .text(command) }
    let end = command.firstIndex { $0 == " " || $0 == ":" } ?? command.endIndex
    let argument = String(command[end...].dropFirst())
    guard let verb = TypedVerb(rawValue: command[..<end].lowercased()) else {
      return .unknown("/" + command[..<end])
    }
    return verb.line(argument, in: room)
  }

  /// `VERB:ARGUMENT`; nil for what only looks so.
  private static func spelled(_ line: String, _ room: RoomName) -> TypedLine? {
    let bytes = line.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let verb = TypedVerb(rawValue: line[..<colon].lowercased())
    else { return nil }
    let argument = String(line[colon...].unicodeScalars.dropFirst())
    return verb.isMeant(by: argument) ? verb.line(argument, in: room) : nil
  }
}

extension String {
  /// Nothing but blanks and controls: the server would say nothing of it to anyone.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
  }

  /// Without the blanks at its ends.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// What stands before the first colon, and what behind it, if there is one. By scalars: a mark
  /// that clings to the colon does not hide it.
  var fields: (String, String?) {
    guard let colon = unicodeScalars.firstIndex(of: ":") else { return (trimmed, nil) }
    return (
      String(self[..<colon]).trimmed, String(unicodeScalars[colon...].dropFirst())
    )
  }
}
