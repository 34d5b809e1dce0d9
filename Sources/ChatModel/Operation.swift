/// What whoever runs the server asks of it while it runs. Values only; who may ask is decided by
/// where a connection comes from.

/// One request of an operator. None of them needs a name.
///
/// `after` is the `next` of the page before.
public enum Operation: Hashable, Sendable {
  case status
  case accounts(after: String?)
  case createAccount(UserName, Password, Role)
  /// Another password; who goes on has to log in by it.
  case setPassword(Party, Password)
  /// Whether nobody can log in to the account.
  case setDisabled(Party, Bool)
  /// The account is no more, and its name free; what the person has said stays.
  case removeAccount(Party)
  /// A token for programs of the account's person, good for so many days.
  case token(Party, days: Int)
  /// Takes the text away from some of the person's messages; it is asked again for the rest.
  case erase(Party, after: Int64?)
  case rooms(after: String?)
  case archive(RoomName)
  /// The room is no more, with all that was said in it.
  case removeRoom(RoomName)
  /// Bans and mutes that are in force.
  case sanctions(after: String?)
  case sanction(Sanction.Kind, in: RoomName?, Party, ShortText?, seconds: Int?)
  case lift(Sanction.Kind, in: RoomName?, Party)
  /// The log of moderation, answered as a page of history: the newest lines before this number.
  case audit(before: Int64?, limit: Int)

  /// Whom it is about.
  public enum Party: Hashable, Sendable {
    /// Whoever has the account of this name, or is here by it.
    case name(UserName)
    /// Also somebody who has no account, or none any more.
    case person(PersonID)
    /// For bans alone.
    case network(Network)
  }
}

/// What an operator is told. What has nothing to be told is answered by ``Answer/done``.
public enum Report: Hashable, Sendable {
  case status(ServerStatus)
  /// By name.
  case accounts([AccountState], next: String?)
  case account(AccountState)
  /// Whoever has it speaks as the person of the account with this name, until then.
  case token(UserName, String, until: Moment)
  /// So many messages have no text any more; `next` is for the rest, nil where there is none.
  case erased(PersonID, messages: Int, next: Int64?)
  /// By name.
  case rooms([RoomState], next: String?)
  /// So many messages went with it.
  case roomRemoved(messages: Int)
  case sanctions([SanctionState], next: String?)
}

/// An account as a list of them shows it.
public struct AccountState: Hashable, Sendable {
  public var person: PersonID
  public var name: UserName
  public var role: Role
  public var isDisabled: Bool
  /// By how many connections the person is here.
  public var connections: Int

  public init(
    person: PersonID, name: UserName, role: Role, isDisabled: Bool = false, connections: Int = 0
  ) {
    self.person = person
    self.name = name
    self.role = role
    self.isDisabled = isDisabled
    self.connections = connections
  }
}

/// A ban or mute as a list of them shows it.
public struct SanctionState: Hashable, Sendable {
  public var key: Sanction.Key
  public var sanction: Sanction

  public init(_ key: Sanction.Key, _ sanction: Sanction) {
    self.key = key
    self.sanction = sanction
  }
}

/// How the server is doing.
public struct ServerStatus: Hashable, Sendable {
  public var version = ""
  /// When it began.
  public var since = Moment(milliseconds: 0)
  /// Addresses and paths, as the program's flags take them.
  public var listening: [String] = []
  public var connections = Connections()
  /// Those who are here by name.
  public var people = 0
  public var accounts = 0
  public var rooms = 0
  public var conversations = 0
  /// Messages and changes that were kept since it began.
  public var kept: Int64 = 0
  /// What is waiting to be kept, or being kept.
  public var waiting = 0
  /// Nil where nothing is on the disk.
  public var store: Store?
  /// What the process has in memory.
  public var memoryBytes: Int64 = 0

  public struct Connections: Hashable, Sendable {
    public var named = 0
    public var nameless = 0
    /// Operators' own; they are neither of the two before.
    public var operators = 0
    /// Of the named and the nameless.
    public var plain = 0
    public var json = 0
    public var webSocket = 0
    /// Over plain HTTP, followers of a room among them.
    public var http = 0

    public init() {}
  }

  public struct Store: Hashable, Sendable {
    public var path: String
    /// Of all files that lie there.
    public var bytes: Int64

    public init(path: String, bytes: Int64) {
      self.path = path
      self.bytes = bytes
    }
  }

  public init() {}
}

/// Why an operator's request was refused, beyond what people are refused.
public enum OperationProblem: Hashable, Sendable {
  /// Nobody has an account of this name.
  case noAccount(UserName)
  /// Nobody of this name has an account or is here.
  case nobody(UserName)
  /// The person has no account.
  case guest(PersonID)
  case accountExists(UserName)
  /// Somebody is here by the name, as a guest.
  case nameHeld(UserName)
  case noSuchRoom(RoomName)
  case alreadyArchived(RoomName)
  /// The room can be neither archived nor removed: it is always there, for all who come.
  case permanent(RoomName)
  /// The room is being removed already.
  case beingRemoved(RoomName)
  /// Nothing of the kind is in force there.
  case noSanction(Sanction.Kind)
  /// What was asked takes a network only for a ban of the whole server.
  case networkElsewhere
}
