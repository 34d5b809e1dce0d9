/// The history's file before SQLite sees it: is it one, is it ours, is it whole? Never changes one.

internal import Glibc

/// What can be told of a history file from its outside.
struct HistoryFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  let path: String
  /// Its version, unless a write-ahead log may hold another.
  private(set) var version: Int64?

  /// Nil where there is none. Throws what is wrong with it: another file in its place, one that
  /// is not ours, one that was cut short.
  init?(_ path: String) throws(StoreError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
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
    // While there is a log, the newest pages, the first one's fields among them, may be in it.
    guard !hasLog else { return }
    version = number(header, 60)
    let pageBytes = header[16] == 0 && header[17] == 1 ? 65_536 : number(header, 16) >> 16
    let wanted = pageBytes * number(header, 28)
    guard size >= wanted, size % max(512, pageBytes) == 0 else {
      throw .unusable(
        path: path, reason: "is damaged (it has \(size) bytes of \(wanted)); \(mending)")
    }
  }

  private var hasLog: Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }
}

/// Four bytes, the first the greatest.
private func number(_ bytes: [UInt8], _ place: Int) -> Int64 {
  bytes[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
}
