/// Sees that one process writes a data directory. Keeps nobody from reading it.

internal import Glibc

/// Held while it lives. The kernel lets go of it when the process dies, however that happens.
final class DirectoryLock: Sendable {
  /// In all, a tenth of a second.
  private static let attemptsMax = 20
  private static let pauseMilliseconds: Int32 = 5

  private let descriptor: Int32

  /// Refuses where somebody else has it, in one sentence that names the process.
  init(_ directory: DataDirectory) throws(StoreError) {
    let path = directory.lockPath
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .failed(systemSentence("cannot open \(path)")) }
    var attempts = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // Somebody may only be looking whether anybody has it.
      if errno == EWOULDBLOCK, attempts < Self.attemptsMax {
        attempts += 1
        poll(nil, 0, Self.pauseMilliseconds)
        continue
      }
      let isTaken = errno == EWOULDBLOCK
      let holder = Self.holder(descriptor).map { " (process \($0))" } ?? ""
      let sentence = systemSentence("cannot lock \(path)")
      close(descriptor)
      guard isTaken else { throw .failed(sentence) }
      throw .unusable(
        path: directory.path,
        reason: "is in use by another beck\(holder); end that one, or name another directory")
    }
    // Who had it may have removed the file before letting go of it.
    guard Self.isFile(descriptor, at: path) else {
      close(descriptor)
      throw .failed("\(path) was removed meanwhile; do it again")
    }
    // For people, and for the sentence above.
    let owner = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, owner, owner.count, 0) }
    self.descriptor = descriptor
  }

  deinit {
    // A child that is just being started has the descriptor, and with it the lock, until its exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var own = stat()
    var there = stat()
    return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }

  /// Whether this process has the lock, or had it last.
  static func isOwn(_ directory: DataDirectory) -> Bool {
    let descriptor = open(directory.lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return holder(descriptor) == getpid()
  }

  /// Whether nobody has it; nil where that cannot be told. Has it for a moment.
  static func isFree(_ directory: DataDirectory) -> Bool? {
    let descriptor = open(directory.lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? true : nil }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      flock(descriptor, LOCK_UN)
      return true
    }
    return errno == EWOULDBLOCK ? false : nil
  }

  /// As the file has it; nil where it has none.
  private static func holder(_ descriptor: Int32) -> pid_t? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
    return pid_t(String(decoding: digits, as: UTF8.self))
  }
}
