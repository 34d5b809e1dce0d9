/// The write-ahead log beside a history, seen from its outside. Never changes one.

internal import Glibc

/// What a log has, as far as its own header and those of its frames tell. The format is that of
/// https://www.sqlite.org/walformat.html.
struct HistoryLog {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24

  let pageBytes: Int64
  /// How many pages the history has with what the log has; nil where nothing in it was committed.
  private(set) var pages: Int64?
  /// Those that the log has, up to its last commit.
  private var numbers: Set<UInt32> = []

  /// Nil where there is none, or what is there is no log: SQLite passes such a file over.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: Self.headerBytes)
    guard pread(descriptor, &header, header.count, 0) == header.count else { return nil }
    guard number(header, 0) & ~1 == 0x377F_0682 else { return nil }
    pageBytes = number(header, 8)
    guard (512...65_536).contains(pageBytes) else { return nil }
    readFrames(descriptor, salts: Array(header[16..<24]))
  }

  /// Whether a file of so many pages lacks some that the log does not have either.
  func isMissed(byFileOf filePages: Int64) -> Bool {
    guard let pages, pages > filePages else { return false }
    // SQLite never writes the page with the byte that it locks, at 1 GiB.
    let lockPage = (1 << 30) / pageBytes + 1
    let isLockPageWanted = filePages < lockPage && lockPage <= pages
    let found = numbers.count { Int64($0) > filePages && Int64($0) <= pages }
    return Int64(found) + (isLockPageWanted ? 1 : 0) < pages - filePages
  }

  /// Up to the first frame that is of an earlier use of the file, or cut short.
  private mutating func readFrames(_ descriptor: Int32, salts: [UInt8]) {
    var header = [UInt8](repeating: 0, count: Self.frameHeaderBytes)
    var place = Int64(Self.headerBytes)
    var open: Set<UInt32> = []
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    let frameBytes = Int64(Self.frameHeaderBytes) + pageBytes
    while place + frameBytes <= Int64(status.st_size) {
      guard pread(descriptor, &header, header.count, off_t(place)) == header.count,
        header[8..<16].elementsEqual(salts)
      else { return }
      open.insert(UInt32(truncatingIfNeeded: number(header, 0)))
      let committed = number(header, 4)
      if committed > 0 {
        pages = committed
        numbers.formUnion(open)
        open.removeAll(keepingCapacity: true)
      }
      place += frameBytes
    }
  }
}

/// Four bytes, the first the greatest.
func number(_ bytes: [UInt8], _ place: Int) -> Int64 {
  bytes[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
}
