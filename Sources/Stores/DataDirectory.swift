/// The directory that a server keeps its data in: where it is, who may use it. Opens no database.

internal import Glibc

/// A directory for the history, for one server at a time.
package struct DataDirectory: Hashable, Sendable {
  /// Absolute, without a slash at its end.
  package let path: String

  /// `path` may be relative to the working directory.
  package init(_ path: String) {
    let absolute = path.hasPrefix("/") ? path : Self.working + "/" + path
    self.path = "/" + absolute.split(separator: "/").joined(separator: "/")
  }

  /// Where data lies unless somebody says otherwise: `beck` in `$XDG_DATA_HOME`, which is
  /// `~/.local/share` where it is not set to an absolute path (XDG Base Directory Specification).
  /// Nil where the environment names no home either.
  package static func standard(environment: [String: String]) -> DataDirectory? {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return DataDirectory(data + "/beck")
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return DataDirectory(home + "/.local/share/beck")
  }

  /// The history's database.
  package var historyPath: String { path + "/history.db" }
  /// Where a server is asked by whoever runs it.
  package var controlPath: String { path + "/control.sock" }
  /// Locked by who writes the history.
  var lockPath: String { path + "/lock" }

  private static var working: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Makes it where it is absent, for its owner alone, with what leads there. Gives what it made,
  /// the innermost first.
  @discardableResult func create() throws(StoreError) -> [String] {
    var missing: [String] = []
    var here = path
    while here != "/", !here.isEmpty, access(here, F_OK) != 0 {
      missing.append(here)
      here = parent(of: here)
    }
    for folder in missing.reversed() {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw .failed(systemSentence("cannot make the directory \(folder)"))
      }
      try Self.settle(parent(of: folder))
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .failed(systemSentence("cannot use \(path)")) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unusable(path: path, reason: "is no directory; name one with --data")
    }
    return missing
  }

  /// Has the names in a directory outlive a crash of the machine.
  static func settle(_ directory: String) throws(StoreError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(systemSentence("cannot open \(directory)")) }
    defer { close(descriptor) }
    // Some file systems know no such call for directories; there is nothing more to do there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .failed(systemSentence("cannot write \(directory)"))
    }
  }
}

/// Without its last part.
func parent(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
  return String(path[..<slash])
}

/// What the last system call failed of, behind what was tried.
func systemSentence(_ attempt: String) -> String {
  "\(attempt): \(String(cString: strerror(errno)))"
}
