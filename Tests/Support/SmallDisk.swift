/// A small file system of a test's own, that can be full. Needs root and util-linux.

import Foundation

/// A directory with a file system of so many MiB in memory, seen by those alone who run
/// under ``wrapper``; gone when this is.
package final class SmallDisk {
  /// Where it is, for them.
  package var path: String { directory.path }
  private let directory: TemporaryDirectory
  /// Keeps it there.
  private let holder: ChildProcess

  /// Why there can be none here; nil if there can.
  package static let hindrance: String? = {
    guard geteuid() == 0 else { return "a file system of a test's own needs root" }
    do {
      _ = try SmallDisk(mebibytes: 1)
      return nil
    } catch {
      return "no file system of a test's own can be made here: \(error)"
    }
  }()

  package init(mebibytes: Int) throws {
    let directory = try TemporaryDirectory()
    let mount = "mount -t tmpfs -o size=\(mebibytes)m tmpfs '\(directory.path)'"
    holder = try ChildProcess(
      running: ["unshare", "--mount", "sh", "-c", "\(mount) && echo there && read end"],
      input: .pipe)
    self.directory = directory
    guard try holder.output.line() == "there" else {
      throw Failure(try holder.ending().errors)
    }
  }

  /// What goes in front of a command line that is to see it.
  package var wrapper: [String] { ["nsenter", "--mount=/proc/\(holder.pid)/ns/mnt"] }

  private var ballast: String { "/proc/\(holder.pid)/root\(path)/ballast" }

  /// Leaves room for nothing.
  package func fill() throws {
    let descriptor = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.system(ballast) }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, block, block.count) > 0 {}
    guard errno == ENOSPC else { throw Failure.system(ballast) }
  }

  /// Takes away what ``fill()`` put there.
  package func makeRoom() { unlink(ballast) }
}
