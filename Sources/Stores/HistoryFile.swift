/// The history's file before SQLite sees it: is it one, is it ours, is it whole? Never changes one.

internal import Glibc

/// What can be told of a history file from its outside.
struct HistoryFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  let path: String
  /// Its version, unless what lies beside the file may hold another.
  private(set) var version: Int64?

  /// Nil where there is none. Throws what is wrong with it: another file in its place, one that
  /// is not ours, one that was cut short, a log without its file.
  init?(_ path: String) throws(StoreError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT {
        try Self.refuseRemains(of: path)
        return nil
      }
      throw .unusable(path: path, reason: systemSentence("cannot be opened"))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unusable(path: path, reason: "is no file; move it out of the way")
    }
    let size = Int64(status.st_size)
    guard size > 0 else {
      throw .unusable(
        path: path, reason: "is empty; put a backup in its place, or remove it to begin anew")
    }
    var header = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &header, header.count, 0)
    guard count == header.count, header.starts(with: Self.magic) else {
      throw .unusable(path: path, reason: "is no SQLite database; move it out of the way")
    }
    guard number(header, 68) == Schema.applicationID else {
      throw .unusable(path: path, reason: "is no history of beck's; move it out of the way")
    }
    // What was begun is undone before anything else is looked at.
    guard !hasJournal else { return }
    let pageBytes = header[16] == 0 && header[17] == 1 ? 65_536 : number(header, 16) >> 16
    // While there is a log, the newest pages, the first one's fields among them, may be in it.
    if let log = HistoryLog(path + "-wal"), let pages = log.pages {
      guard log.pageBytes == pageBytes, !log.isMissed(byFileOf: size / pageBytes) else {
        throw .unusable(
          path: path,
          reason: "is damaged (it has \(size) bytes of \(log.pageBytes * pages), and its log"
            + " history.db-wal has not the rest); \(mending)")
      }
      return
    }
    version = number(header, 60)
    let wanted = pageBytes * number(header, 28)
    guard size >= wanted, size % max(512, pageBytes) == 0 else {
      throw .unusable(
        path: path, reason: "is damaged (it has \(size) bytes of \(wanted)); \(mending)")
    }
  }

  /// Whether a change was begun that the next connection that may write undoes.
  var hasJournal: Bool { !Self.isNothing(path + "-journal") }

  /// A log and a journal hold what was said lately. They are not to be taken for those of a history
  /// that is made in place of theirs.
  private static func refuseRemains(of path: String) throws(StoreError) {
    for ending in ["-wal", "-journal"] where !isNothing(path + ending) {
      throw .unusable(
        path: path,
        reason: "is missing, and \(path)\(ending) of it is there; put back the history"
          + " that it belongs to, or remove it to begin anew")
    }
  }

  static func isNothing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_size == 0
  }
}
