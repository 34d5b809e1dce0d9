/// Each method by each standing in each kind of room: the tables of docs/moderation.md, as the hub
/// keeps them.

import ChatHub
import ChatModel
import Foundation
import Testing

private let page: [Substring] = {
  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  let text = try? String(
    contentsOf: root.appendingPathComponent("docs/moderation.md"), encoding: .utf8)
  return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
}()

/// The cells of the first table below a heading.
private func written(_ heading: String) -> [[String]] {
  let below = page.drop { $0 != "### \(heading)" }.drop { !$0.hasPrefix("|") }
  return below.prefix { $0.hasPrefix("|") }.map { line in
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

@Suite struct RightsTableTests {
  @Test(arguments: Kind.allCases)
  func whoMayDoWhatIsWhatThePageSays(kind: Kind) {
    let table = kind.deeds.map { deed in
      [deed.rawValue] + kind.standings.map { word(kind, deed, $0) }
    }
    let head = [""] + kind.standings.map(\.rawValue)
    let rows = [head, head.map { _ in "---" }] + table
    let lines = written(kind.rawValue)
    for (line, row) in zip(lines, rows) { #expect(line == row) }
    #expect(lines.count == rows.count, "a line for each method")
    guard lines != rows else { return }
    // To be read, judged and put there.
    print(
      (["### \(kind.rawValue)", ""] + rows.map { "|\($0.joined(separator: "|"))|" })
        .joined(separator: "\n"))
  }

  /// What comes of a request, in the words of the page.
  private func word(_ kind: Kind, _ deed: Deed, _ standing: Standing) -> String {
    var chat = Chat(kind, standing)
    let effects = chat.ask(1, deed.request(kind))
    if let refusal = effects.refusals(of: 1).first { return word(refusal) }
    if let draft = effects.drafts.first?.draft, !draft.changesOthers {
      // The store refuses it.
      if case .edit(of: 3, _) = draft.content { return "theirs" }
      if case .deletion(of: 3) = draft.content { return "theirs" }
    }
    return "yes"
  }

  private func word(_ refusal: Refusal) -> String {
    switch refusal {
    case .noSuchRoom, .notInvited: "absent"
    case .notMember: "outside"
    case .needsRole: "role"
    case .banned: "banned"
    case .muted: "muted"
    case .archived: "closed"
    case .notPrivate: "public"
    case _: "\(refusal)"
    }
  }
}
