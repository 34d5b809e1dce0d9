/// A directory for one test. Knows nothing of what is put into it.

import Foundation

/// Made when this is, gone when this is, with everything in it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/beck-test-\(String(repeating: "X", count: 6))".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure.system("mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
