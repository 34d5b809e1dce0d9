/// The subcommands on a history as built: what they print, where, and how they end.

import Foundation
import TestSupport
import Testing

@Suite struct HistoryCommandTests {
  private final class Place {
    let path: String

    init() throws {
      var template = Array("/tmp/beck-history-\(String(repeating: "X", count: 6))".utf8CString)
      guard mkdtemp(&template) != nil else { throw Failure.system("mkdtemp") }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let lines = """
    {"beck":"history","version":1,"at":"2026-11-30T02:10:00.123Z","rooms":[{"room":"tea","seq":2}]}
    {"room":"tea","seq":1,"from":"ann","person":"7","text":"hi","at":"2026-11-29T17:00:00.001Z"}
    {"room":"tea","seq":2,"from":"bob","person":"-9","text":"ho","at":"2026-11-29T17:00:00.001Z"}

    """

  private func run(
    _ words: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> ChildProcess.Ending {
    try BeckProcess(words, input: .file(input), environment: environment).ending()
  }

  @Test func outInBackAndChecked() throws {
    let place = try Place()
    let data = place.path + "/data"
    let taken = try run("import", "--data", data, input: lines)
    #expect(taken.status == 0 && taken.output.isEmpty)
    #expect(taken.errors == "beck import: 2 messages imported\n")
    let again = try run("import", "--data", data, input: lines)
    #expect(again.errors == "beck import: 0 messages imported, 2 were there already\n")
    let out = try run("export", "--data", data)
    #expect(out.status == 0 && out.errors.isEmpty)
    #expect(
      out.output.split(separator: "\n").dropFirst() == lines.split(separator: "\n").dropFirst())
    let file = place.path + "/copy.db"
    let copied = try run("backup", "--data", data, file)
    #expect(copied.status == 0 && copied.errors == "beck backup: \(file) is complete\n")
    #expect(FileManager.default.fileExists(atPath: file))
    let seen = try run("verify", "--data", data)
    #expect(seen.status == 0 && seen.output.isEmpty)
    #expect(seen.errors == "beck verify: 2 messages in 1 room, all sound\n")
    let indexed = try run("reindex", "--data", data)
    #expect(indexed.status == 0 && indexed.output.isEmpty)
    #expect(indexed.errors == "beck reindex: 2 messages are in the index\n")
  }

  @Test func theDirectoryIsTheUsersOwnUnlessOneIsNamed() throws {
    let place = try Place()
    let file = place.path + "/lines"
    try lines.write(toFile: file, atomically: false, encoding: .utf8)
    let home = ["XDG_DATA_HOME": "", "HOME": place.path]
    #expect(try run("import", file, environment: home).status == 0)
    let history = place.path + "/.local/share/beck/history.db"
    #expect(FileManager.default.fileExists(atPath: history))
    let other = ["XDG_DATA_HOME": place.path + "/.local/share", "HOME": "/nowhere"]
    #expect(try run("export", "--room", "TEA", environment: other).output.contains(#""text":"ho""#))
    let none = try run("export", environment: ["XDG_DATA_HOME": "", "HOME": ""])
    #expect(none.status == 64)
    #expect(none.errors.hasPrefix("beck export: there is no HOME to look for data in"))
  }

  @Test func whatCannotBeDoneIsOneSentenceAndStatus1() throws {
    let place = try Place()
    let data = place.path + "/data"
    #expect(try run("import", "--data", data, input: lines).status == 0)
    let copy = place.path + "/copy.db"
    #expect(try run("backup", "--data", data, copy).status == 0)
    let nothing = place.path + "/none"
    let table: [([String], String)] = [
      (["export", "--data", nothing], "there is no history at \(nothing)/history.db; name the"),
      (["verify", "--data", nothing], "there is no history at \(nothing)/history.db; name the"),
      (["reindex", "--data", nothing], "there is no history at \(nothing)/history.db; name the"),
      (["backup", "--data", nothing, nothing], "there is no history at \(nothing)/history.db;"),
      (["export", "--data", data, "--room", "no"], "there is no room 'no' in \(data)/history.db"),
      (["export", "--data", data, "--room", "a b"], "there is no room 'a b'"),
      (["backup", "--data", data, copy], "\(copy) exists; name a file that does not"),
      (["import", "--data", data, nothing], "cannot open \(nothing): No such file or directory"),
      (["import", "--data", data, place.path], "cannot read the input: Is a directory; nothing"),
      (["import", "--data", data], "line 1: there is nothing in it; nothing was imported"),
      (["import", "--data", copy], "\(copy) is no directory; name one with --data"),
    ]
    for (words, sentence) in table {
      let ending = try BeckProcess(words).ending()
      #expect(ending.status == 1 && ending.output.isEmpty, "\(words)")
      #expect(ending.errors.hasPrefix("beck \(words[0]): \(sentence)"), "\(ending.errors)")
      #expect(ending.errors.count { $0 == "\n" } == 1, "\(ending.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: nothing))
  }

  @Test func damageIsPrintedAndEndsWithStatus1() throws {
    let place = try Place()
    let data = place.path + "/data"
    // Numbers that were left out are as wrong as any others.
    let holes = lines.replacing(#""seq":2,"#, with: #""seq":5,"#)
    #expect(try run("import", "--data", data, input: holes).status == 0)
    let ending = try run("verify", "--data", data)
    #expect(ending.status == 1)
    #expect(ending.output == "messages 2 to 4 of room 'tea' are missing\n")
    #expect(ending.errors == "beck verify: 1 thing is wrong in 2 messages in 1 room\n")
  }

  @Test func aReaderThatGoesAwayEndsAnExport() throws {
    let place = try Place()
    let data = place.path + "/data"
    #expect(try run("import", "--data", data, input: lines).status == 0)
    let full = try BeckProcess(
      ["export", "--data", data], under: ["sh", "-c", "exec \"$@\" > /dev/full", "sh"]
    ).ending()
    #expect(full.status == 1)
    #expect(full.errors == "beck export: cannot write the output: No space left on device\n")
  }

  @Test(arguments: ["export", "import", "backup", "verify", "reindex"])
  func aWrongCommandLineIsAnsweredAndEndsWithStatus64(command: String) throws {
    let table: [([String], String)] = [
      (["--no-such"], "--no-such is not a flag of this command"),
      (["--data"], "--data needs a value"),
      (["--data", ""], "--data needs a directory"), (["a", "b"], "is one word too many"),
    ]
    for (words, clause) in table {
      let ending = try BeckProcess([command] + words).ending()
      #expect(ending.status == 64 && ending.output.isEmpty)
      #expect(ending.errors.hasPrefix("beck \(command): "), "\(ending.errors)")
      #expect(
        ending.errors.hasSuffix("\(clause); try: beck \(command) --help\n"), "\(ending.errors)")
    }
    let help = try BeckProcess([command, "--help"]).ending()
    #expect(help.status == 0 && help.errors.isEmpty)
    #expect(help.output.hasPrefix("beck \(command) [--data DIR]"))
    #expect(help.output.contains("Exit status: 0 "))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func whichFileABackupGoesToHasToBeSaid() throws {
    let ending = try run("backup", "--data", "/nowhere")
    #expect(ending.status == 64)
    #expect(ending.errors == "beck backup: which FILE is it to go to? try: beck backup --help\n")
  }
}
