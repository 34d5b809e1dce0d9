/// Whoever runs the server: listened to at a path of the data directory, and served with what the
/// exchange cannot do. Decides nothing.

import ChatHub
import ChatModel
import Dialects
import Glibc
import Loop
import Stores

extension Server {
  /// So many operators are served even where there is no room for anybody else.
  private static var operatorsReserve: Int { 8 }

  /// A server that cannot be asked serves all the same; one line says so.
  func listenToOperators() {
    guard let directory = configuration.directory else { return }
    do throws(LoopError) {
      control = try Listener(
        loop: loop, place: .unix(path: directory.controlPath), mode: 0o600,
        reserve: Self.operatorsReserve,
        onAccept: { [unowned self] socket, _ in
          // nonisolated(unsafe) because: the loop's thread is the actor's, so nothing crosses over.
          nonisolated(unsafe) let socket = socket
          assumeIsolated { $0.accepted(socket, from: .operator) }
        },
        onShortage: onLoop { $0.reportShortage() })
    } catch {
      configuration.log("\(error); the operator's commands cannot reach this server")
    }
  }

  /// Does what an operator waits for. At the end of the server what is under way is left; asked
  /// again it goes on.
  func carryOut(_ job: ErrandJob) {
    let number = errandsBegun
    errandsBegun += 1
    errands[number] = run { server in
      let outcome = await server.outcome(of: job.errand)
      server.errands[number] = nil
      guard server.stopping == .no else { return }
      server.exchange.finished(job, outcome, at: server.loop.now)
      server.settle()
    }
  }

  private func outcome(of errand: Errand) async -> ErrandOutcome {
    do throws(StoreError) {
      switch errand {
      case .survey(let status): return .surveyed(surveyed(status))
      case .walk(let person, let row, let limit):
        return ErrandOutcome(
          try await configuration.store?.rows(of: person, after: row, limit: limit))
      case .clear(let room): return .cleared(try await configuration.store?.remove(room) ?? 0)
      }
    } catch {
      configuration.log("\(error); what an operator asked was not done")
      return .failed(error.isFullDisk ? .diskFull : .failed)
    }
  }

  private func surveyed(_ status: ServerStatus) -> ServerStatus {
    var status = status
    status.version = Software.version
    status.since = since
    status.listening = listeners.map { "\($0.place)" }
    status.store = configuration.directory.map { directory in
      ServerStatus.Store(path: directory.path, bytes: Self.bytes(in: directory.path))
    }
    status.memoryBytes = Self.residentBytes
    return status
  }

  /// Of the files that lie there; there are few.
  private static func bytes(in folder: String) -> Int64 {
    guard let entries = opendir(folder) else { return 0 }
    defer { closedir(entries) }
    var bytes: Int64 = 0
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      bytes += Int64(status.st_size)
    }
    return bytes
  }

  /// proc(5): the second number of statm is in pages.
  private static var residentBytes: Int64 {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(file, &buffer, buffer.count)
    let numbers = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(
      separator: " ")
    guard numbers.count > 1, let pages = Int64(numbers[1]) else { return 0 }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}

extension StoreError {
  fileprivate var isFullDisk: Bool {
    if case .diskFull = self { true } else { false }
  }
}
