/// The web page's files: read from the program, compressed once. Knows no connection.

import CWebPage
import CZlib
import Dialects
import TLS

/// Every file of the page, ready to be sent. Shared by all who ask.
package struct WebPages {
  struct File {
    /// As it was made ready.
    let content: Content
    let bytes: SharedBytes
    let zipped: SharedBytes?
  }

  /// One file as bytes: as it is, and compressed where that is shorter.
  struct Content: Sendable {
    let type: String
    /// Strong (RFC 9110 8.8.3): other bytes, another tag.
    let tag: String
    let bytes: [UInt8]
    let zipped: [UInt8]?

    /// What a browser shows by itself, and not as a part of a page.
    var isPage: Bool { type.hasPrefix("text/html") }
  }

  private let files: [String: File]

  private init(contents: [String: Content]) {
    files = contents.mapValues { content in
      File(
        content: content, bytes: SharedBytes(content.bytes),
        zipped: content.zipped.map { SharedBytes($0) })
    }
  }

  /// These, by path.
  package init(_ texts: [String: String] = [:]) {
    self.init(contents: Self.contents(texts))
  }

  /// Those of the program as they are sent: the modules as one.
  package static func embedded() -> WebPages { WebPages(contents: made) }

  /// Those of the program, by path, as they are in the repository.
  package static let sources: [String: String] = {
    var files: [String: String] = [:]
    for file in UnsafeBufferPointer(start: web_page_files, count: web_page_files_count) {
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      files[String(cString: file.path)] = String(decoding: bytes, as: UTF8.self)
    }
    return files
  }()

  /// The module that the page begins with.
  package static let entry = "/app.js"

  private static let made: [String: Content] = {
    var files = sources.filter { !$0.key.hasSuffix(".js") || $0.key == "/theme.js" }
    // The page in the repository names every module, for a server that sends them one by one.
    files["/"] = files["/"]?.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("<link rel=\"modulepreload\"") }.joined(separator: "\n")
    files[entry] = WebBundle(sources, entry: entry).text
    return contents(files)
  }()

  private static func contents(_ texts: [String: String]) -> [String: Content] {
    var contents: [String: Content] = [:]
    for (path, text) in texts { contents[path] = Content(Array(text.utf8), type: type(of: path)) }
    return contents
  }

  subscript(path: String) -> File? { files[path] }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case _: "text/html; charset=utf-8"
    }
  }
}

extension WebPages.Content {
  fileprivate init(_ bytes: [UInt8], type: String) {
    self.type = type
    let digest = MessageCode.digest(of: bytes).prefix(9)
    tag = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    self.bytes = bytes
    let zipped = gzip(bytes)
    self.zipped = zipped.count < bytes.count ? zipped : nil
  }
}

/// RFC 1952, as small as zlib makes it.
private func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  // 15 bits of window, and 16 asks for the head of gzip.
  let began = deflateInit2_(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  precondition(began == Z_OK, "zlib refuses only where memory is gone")
  defer { deflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
  let (room, filled) = (output.count, bytes.count)
  input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = uInt(filled)
      stream.next_out = output.baseAddress
      stream.avail_out = uInt(room)
      let ended = deflate(&stream, Z_FINISH)
      precondition(ended == Z_STREAM_END, "there is room for all of it")
    }
  }
  return Array(output.prefix(Int(stream.total_out)))
}
