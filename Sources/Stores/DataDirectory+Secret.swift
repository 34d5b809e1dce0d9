/// The secret that a server signs tokens with. Made once; whoever has it can be anybody.

internal import Glibc

extension DataDirectory {
  package static let secretBytes = 32

  /// The directory's secret, which is made where there is none: 32 bytes in `token.key`, for its
  /// owner alone. The directory must be there.
  package func secret() throws(StoreError) -> [UInt8] {
    let place = path + "/token.key"
    if let known = try Self.read(place) { return known }
    // On Linux these are the kernel's, from getrandom(2).
    let secret = (0..<Self.secretBytes).map { _ in UInt8.random(in: .min ... .max) }
    // Under another name first, so that a crash leaves no half of one.
    let draft = place + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(systemSentence("cannot make \(draft)")) }
    let isWritten =
      write(descriptor, secret, secret.count) == secret.count && fsync(descriptor) == 0
    let sentence = systemSentence("cannot write \(draft)")
    close(descriptor)
    guard isWritten else { throw .failed(sentence) }
    guard rename(draft, place) == 0 else { throw .failed(systemSentence("cannot make \(place)")) }
    try Self.settle(path)
    return secret
  }

  private static func read(_ place: String) throws(StoreError) -> [UInt8]? {
    // Whoever opens a pipe waits for its other end, unless this is said.
    let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .failed(systemSentence("cannot read \(place)"))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unusable(
        path: place, reason: "is no file; remove it, and guests get new tokens")
    }
    var secret = [UInt8](repeating: 0, count: secretBytes + 1)
    guard Glibc.read(descriptor, &secret, secret.count) == secretBytes else {
      throw .unusable(
        path: place, reason: "does not hold 32 bytes; remove it, and guests get new tokens")
    }
    return Array(secret.prefix(secretBytes))
  }
}
