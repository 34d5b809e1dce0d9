/// The ways in which programs make their pair of streams, each as somebody's code has it.

import SocketStreams

public struct Pair {
  public let input: InputStream?
  public let output: OutputStream?
}

/// Each way by its name; the tests talk to a server over each.
public let openings: [(name: String, make: (Int) -> Pair)] = [
  ("a tutorial's", Opening.asTutorialsDo),
  ("without an allocator", Opening.withoutAllocator),
  ("the system's allocator", Opening.withSystemAllocator),
  ("a host of the C world", Opening.withFoundationString),
  ("an optional host", Opening.withOptionalHost),
  ("a bit cast", Opening.withBitCast),
  ("not retained", Opening.unretained),
  ("by name", Opening.byName),
  ("by name, with the module's", Opening.byQualifiedName),
  ("forced optionals", Opening.forcedOptionals),
  ("properties", { Opening.Connection(port: $0).pair }),
  ("a URL's host and port", Opening.byURL),
]

/// Those that leave a half out.
public let halfOpenings: [(name: String, make: (Int) -> Pair)] = [
  ("read only", Opening.readOnly),
  ("write only", Opening.writeOnly),
  ("write only, in C's way", Opening.writeOnlyUnmanaged),
]

public enum Opening {
  static func asTutorialsDo(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?

    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault,
      "localhost" as CFString,
      UInt32(port),
      &readStream,
      &writeStream)

    let inputStream = readStream!.takeRetainedValue()
    let outputStream = writeStream!.takeRetainedValue()
    return Pair(input: inputStream, output: outputStream)
  }

  static func withoutAllocator(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    let host = "127.0.0.1"
    CFStreamCreatePairWithSocketToHost(
      nil, host as CFString, UInt32(port), &readStream, &writeStream)
    return Pair(input: readStream?.takeRetainedValue(), output: writeStream?.takeRetainedValue())
  }

  static func withSystemAllocator(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>? = nil
    var writeStream: Unmanaged<CFWriteStream>? = nil
    let host: CFString = NSString(string: "localhost")
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorSystemDefault, host, UInt32(port), &readStream, &writeStream)
    return Pair(
      input: readStream!.takeRetainedValue() as InputStream,
      output: writeStream!.takeRetainedValue() as OutputStream)
  }

  static func withFoundationString(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    let h: NSString = "127.0.0.1"
    CFStreamCreatePairWithSocketToHost(nil, h, UInt32(port), &readStream, &writeStream)
    let inputStream = readStream!.takeRetainedValue()
    let outputStream = writeStream!.takeRetainedValue()
    return Pair(input: inputStream, output: outputStream)
  }

  static func withOptionalHost(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    let host: String? = "127.0.0.1"
    CFStreamCreatePairWithSocketToHost(
      nil, host as CFString?, UInt32(port), &readStream, &writeStream)
    return Pair(input: readStream!.takeRetainedValue(), output: writeStream!.takeRetainedValue())
  }

  static func withBitCast(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    let h = NSString(string: "localhost")
    CFStreamCreatePairWithSocketToHost(
      nil, unsafeBitCast(h, to: CFString.self), UInt32(port), &readStream, &writeStream)
    return Pair(input: readStream!.takeRetainedValue(), output: writeStream!.takeRetainedValue())
  }

  /// Keeps the reference that it was given, which is a leak on every system, and takes another.
  static func unretained(port: Int) -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      nil, "localhost" as CFString, UInt32(port), &readStream, &writeStream)
    defer {
      readStream?.release()
      writeStream?.release()
    }
    return Pair(
      input: readStream!.takeUnretainedValue(), output: writeStream!.takeUnretainedValue())
  }

  static func byName(port: Int) -> Pair {
    var inputStream: InputStream?
    var outputStream: OutputStream?
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: &inputStream, outputStream: &outputStream)
    return Pair(input: inputStream, output: outputStream)
  }

  static func byQualifiedName(port: Int) -> Pair {
    var inputStream: Foundation.InputStream?
    var outputStream: Foundation.OutputStream?
    Foundation.Stream.getStreamsToHost(
      withName: "127.0.0.1", port: port, inputStream: &inputStream, outputStream: &outputStream)
    return Pair(input: inputStream, output: outputStream)
  }

  static func forcedOptionals(port: Int) -> Pair {
    var input: InputStream!
    var output: OutputStream!
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: &input, outputStream: &output)
    for stream in [input as Stream, output as Stream] { stream.delegate = nil }
    return Pair(input: input, output: output)
  }

  final class Connection {
    var inputStream: InputStream!
    var outputStream: OutputStream?

    init(port: Int) {
      Stream.getStreamsToHost(
        withName: "localhost", port: port, inputStream: &self.inputStream,
        outputStream: &self.outputStream)
    }

    var pair: Pair { Pair(input: inputStream, output: outputStream) }
  }

  static func byURL(port: Int) -> Pair {
    let url = URL(string: "tcp://localhost:\(port)/")!
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      nil, url.host! as CFString, UInt32(url.port!), &readStream, &writeStream)
    return Pair(input: readStream!.takeRetainedValue(), output: writeStream!.takeRetainedValue())
  }

  // MARK: Halves

  static func readOnly(port: Int) -> Pair {
    var inputStream: InputStream?
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: &inputStream, outputStream: nil)
    return Pair(input: inputStream, output: nil)
  }

  static func writeOnly(port: Int) -> Pair {
    var outputStream: OutputStream?
    Stream.getStreamsToHost(
      withName: "localhost", port: port, inputStream: nil, outputStream: &outputStream)
    return Pair(input: nil, output: outputStream)
  }

  static func writeOnlyUnmanaged(port: Int) -> Pair {
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault, "localhost" as CFString, UInt32(port), nil, &writeStream)
    return Pair(input: nil, output: writeStream!.takeRetainedValue())
  }

  // MARK: Fixed ports, which no test opens

  /// A bare literal for the host, a literal for the port, and a helper that fills pointers in.
  public static func telnet() -> Pair {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocketToHost(
      kCFAllocatorDefault, "localhost", 8023, &readStream, &writeStream)
    return Pair(input: readStream?.takeRetainedValue(), output: writeStream?.takeRetainedValue())
  }

  /// Apple's importer turns an out parameter into this pointer; some wrap the call in one.
  static func wrapped(
    _ input: AutoreleasingUnsafeMutablePointer<InputStream?>?,
    _ output: AutoreleasingUnsafeMutablePointer<OutputStream?>?
  ) {
    Stream.getStreamsToHost(
      withName: "localhost", port: 8023, inputStream: input, outputStream: output)
  }

  public static func wrapped() -> Pair {
    var input: InputStream?
    var output: OutputStream?
    wrapped(&input, &output)
    return Pair(input: input, output: output)
  }
}
