/// What somebody asks of one room who is in none and logged in by no connection, as over HTTP.

/// What is asked of one room from outside.
public enum Visit: Hashable, Sendable {
  /// A page of what was said there, of at most so many messages.
  case page(RoomName, Stretch, limit: Int)
  /// To be told what is said there, from the beginning that is given, for as long as the connection
  /// lasts.
  case follow(RoomName, Beginning)
  /// Say this there; the last is the number of the message that it answers.
  case say(RoomName, MessageText, key: MessageKey?, replyTo: Int64?)
}
