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
    {"end":{"messages":2}}

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
    for words in [["--data", data], [file]] {
      let seen = try BeckProcess(["verify"] + words).ending()
      #expect(seen.status == 0 && seen.output.isEmpty)
      #expect(seen.errors == "beck verify: 2 messages in 1 room, all sound\n")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    #expect(names == ["copy.db", "data"])
    let indexed = try run("reindex", "--data", data)
    #expect(indexed.status == 0 && indexed.output.isEmpty)
    #expect(indexed.errors == "beck reindex: 2 messages are in the index\n")
  }

  private static let isRoot = geteuid() == 0

  @Test(.enabled(if: isRoot, "to be refused as somebody else one has to be root first"))
  func whereNothingMayBeWrittenAHistoryIsReadAllTheSame() throws {
    let place = try Place()
    let data = place.path + "/data"
    #expect(try run("import", "--data", data, input: lines).status == 0)
    for (path, mode) in [(place.path, 0o777), (data, 0o555), (data + "/history.db", 0o444)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    for words in [["verify"], ["export"], ["backup", place.path + "/copy.db"]] {
      let ending = try BeckProcess(words + ["--data", data], under: nobody).ending()
      #expect(ending.status == 0, "\(words): \(ending.errors)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: data).sorted()
    #expect(names == ["history.db", "lock"])
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
      (["import", "--data", nothing, copy], "line 1: this is a database and no export; see: beck"),
      (["verify", data], "\(data) is a directory; name it with --data"),
      (["verify", nothing], "there is no history at \(nothing); name"),
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
    let marked = lines.replacing(#""text":"hi""#, with: #""text":"unmistakable""#)
    #expect(try run("import", "--data", data, input: marked).status == 0)
    let file = URL(fileURLWithPath: data + "/history.db")
    var bytes = try Data(contentsOf: file)
    let damaged = try #require(bytes.range(of: Data("unmistakable".utf8)))
    bytes[damaged.lowerBound] = 0xFF
    try bytes.write(to: file)
    let ending = try run("verify", "--data", data)
    #expect(ending.status == 1)
    #expect(
      ending.output.hasPrefix("message 1 of room 'tea' cannot be read: "), "\(ending.output)")
    #expect(ending.errors == "beck verify: 1 thing is wrong in 2 messages in 1 room\n")
  }

  @Test func numbersThatWereLeftOutAreNoDamage() throws {
    let place = try Place()
    let data = place.path + "/data"
    let header = lines.replacing(#""seq":2}"#, with: #""seq":9}"#)
    let holes = header.replacing(#""seq":2,"#, with: #""seq":5,"#)
    #expect(try run("import", "--data", data, input: holes).status == 0)
    let seen = try run("verify", "--data", data)
    #expect(seen.status == 0 && seen.output.isEmpty)
    #expect(seen.errors == "beck verify: 2 messages in 1 room, all sound\n")
    // They come out as they went in.
    let again = place.path + "/again"
    let out = try run("export", "--data", data).output
    #expect(try run("import", "--data", again, input: out).status == 0)
    #expect(try run("verify", "--data", again).status == 0)
  }

  @Test(arguments: ["import", "export", "verify"])
  func howFarItIsStandsOnATerminalAndIsClearedAtTheEnd(command: String) throws {
    let place = try Place()
    let data = place.path + "/data"
    // verify looks up every 1,000 messages.
    let many = (1...1_001).map { seq in
      #"{"room":"tea","seq":\#(seq),"from":"ann","person":"7","text":"hi","#
        + #""at":"2026-11-29T17:00:00.000Z"}"#
    }
    let header = #"{"beck":"history","version":1,"rooms":[{"room":"tea","seq":1001}]}"#
    let file = place.path + "/lines"
    let end = #"{"end":{"messages":1001}}"#
    try ([header] + many + [end]).map { $0 + "\n" }.joined()
      .write(toFile: file, atomically: false, encoding: .utf8)
    let before = try run("import", "--data", data, file)
    #expect(before.errors == "beck import: 1001 messages imported\n", "no terminal, no progress")
    let words = [command, "--data", data] + (command == "import" ? [file] : [])
    // The errors go where the output goes, which is a terminal; what is exported does not.
    let wrapper = command == "export" ? #"exec "$@" 2>&1 >/dev/null"# : #"exec "$@" 2>&1"#
    let shown = try BeckProcess(
      words, under: ["sh", "-c", wrapper, "sh"], terminalOutput: true
    ).ending()
    #expect(shown.status == 0)
    let progress = [
      "import": " lines", "export": " of 1001 (",
      "verify": "verify: 1000 of 1001 (99 %) messages",
    ]
    let first = shown.output.components(separatedBy: "\u{1B}[K").first ?? ""
    #expect(first.hasPrefix("\r\(command): "), "\(shown.output.debugDescription)")
    #expect(
      shown.output.contains(try #require(progress[command])), "\(shown.output.debugDescription)")
    let cleared = shown.output.components(separatedBy: "\r\u{1B}[K").last
    let ends = [
      "import": "beck import: 0 messages imported, 1001 were there already\r\n", "export": "",
      "verify": "beck verify: 1001 messages in 1 room, all sound\r\n",
    ]
    #expect(cleared == ends[command], "\(shown.output.debugDescription)")
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
    if command == "verify" {
      let both = try BeckProcess(["verify", "--data", "/a", "/b"]).ending()
      #expect(both.status == 64 && both.errors.contains("name one; try: beck verify --help"))
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
