/// The file that a Unix socket listens at: made, taken over from the dead, removed. Accepts
/// nothing.

internal import CUV
import Glibc

/// A listening Unix socket's place in the file system.
struct UnixSocketFile {
  private let path: String
  private let identity: Identity?

  /// Which file it is, whatever its name.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
  }

  /// Binds `descriptor` at `path`. A socket that a dead server left there is replaced; where a
  /// server listens, or something else is, that stays as it is.
  ///
  /// Throws the error number: EADDRINUSE for a live one, ENOTSOCK for something else, ENAMETOOLONG
  /// over ``ListenPlace/pathBytesMax``.
  init(binding descriptor: Int32, at path: String) throws(SystemError) {
    guard path.utf8.count <= ListenPlace.pathBytesMax else { throw SystemError(ENAMETOOLONG) }
    // Nobody else looks and replaces meanwhile: of two that find a dead one's file, the second
    // would remove the first one's new file. The lock is the directory's, so it leaves nothing.
    let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SystemError(errno) }
    defer { close(folder) }
    while flock(folder, LOCK_EX) != 0, errno == EINTR {}

    if Self.call(path, { bind(descriptor, $0, $1) }) != 0 {
      guard errno == EADDRINUSE else { throw SystemError(errno) }
      try Self.removeDead(path)
      guard Self.call(path, { bind(descriptor, $0, $1) }) == 0 else { throw SystemError(errno) }
    }
    self.path = path
    identity = Self.look(path)?.identity
  }

  /// Removes it, if it is still the same.
  func remove() {
    if identity != nil, Self.look(path)?.identity == identity { unlink(path) }
  }

  private static func removeDead(_ path: String) throws(SystemError) {
    guard let found = look(path) else { return }
    guard found.isSocket else { throw SystemError(ENOTSOCK) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let probe = socket(AF_UNIX, type, 0)
    guard probe >= 0 else { throw SystemError(errno) }
    defer { close(probe) }
    // unix(7): refused where nobody listens. Whatever else comes of it, somebody may.
    let isRefused = call(path) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    guard isRefused else { throw SystemError(EADDRINUSE) }
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(errno) }
  }

  private static func look(_ path: String) -> (isSocket: Bool, identity: Identity)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (
      status.st_mode & S_IFMT == S_IFSOCK,
      Identity(device: status.st_dev, number: status.st_ino)
    )
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path has been found short enough.
  private static func call(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafeBytes(of: &address) {
      body(
        $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}

/// A failed call's error number.
struct SystemError: Error {
  let errno: Int32
  init(_ errno: Int32) { self.errno = errno }
}
