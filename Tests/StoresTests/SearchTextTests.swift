/// What the words of a text are, and what a query makes of them, by tables.

import ChatModel
import Testing

@testable import Stores

@Suite struct SearchTextTests {
  private static let texts: [(String, [String])] = [
    ("Hello, World!", ["hello", "world"]), ("a_b-c.d", ["a", "b", "c", "d"]),
    ("route 66", ["route", "66"]), ("  \t\n", []), ("?!*\"'()", []), ("don't", ["don", "t"]),
    ("Straße STRASSE", ["strasse", "strasse"]), ("naïve Café", ["naive", "cafe"]),
    ("cafe\u{301}", ["cafe"]),
    ("İstanbul ISTANBUL ıstanbul", ["istanbul", "istanbul", "istanbul"]),
    ("Привет ёлка", ["привет", "елка"]), ("ΟΔΥΣΣΕΥΣ Οδυσσεύς", ["οδυσσευσ", "οδυσσευσ"]),
    ("ﬁne ｆｕｌｌ ①②", ["fine", "full", "12"]), ("co\u{AD}op", ["coop"]),
    ("مُحَمَّد محمد", ["محمد", "محمد"]), ("أحمد", ["احمد"]), ("كتـــاب", ["كتاب"]),
    ("שָׁלוֹם", ["שלום"]), ("हिन्दी दिन दान", ["हिन्दी", "दिन", "दान"]),
    ("ภาษา", ["ภา", "าษ", "ษา", "า"]), ("中文字", ["中文", "文字", "字"]), ("中", ["中"]),
    ("中 文", ["中", "文"]), ("中，文", ["中", "文"]),
    ("iPhone手机 hi", ["iphone", "手机", "机", "hi"]),
    ("食べる", ["食べ", "べる", "る"]), ("ｶﾞｷﾞ", ["ガギ", "ギ"]), ("か\u{3099}", ["が"]),
    ("한국어", ["한국", "국어", "어"]), ("\u{1112}\u{1161}\u{11AB}", ["한"]),
    ("𠀀𠀁", ["𠀀𠀁", "𠀁"]), ("ok 👍🏽 now", ["ok", "👍", "now"]), ("👩‍👧", ["👩", "👧"]),
    ("❤️", ["❤"]), ("🇩🇪", ["🇩", "🇪"]), ("1️⃣", ["1"]), ("a\u{0}b", ["a", "b"]),
    ("x\u{E000}1 \u{E001}", ["x", "1"]), ("ab\u{202E}cd", ["abcd"]),
    (String(repeating: "w", count: 70), [String(repeating: "w", count: 64)]),
  ]

  @Test(arguments: texts)
  func aTextHasTheseTerms(text: String, terms: [String]) {
    let found = SearchText.terms(of: text).map(\.string)
    #expect(found.map { Array($0.utf8) } == terms.map { Array($0.utf8) }, "\(found)")
  }

  @Test func oneCharacterMayBecomeMany() {
    let text = String(repeating: "\u{FDFA}", count: 1_365)
    #expect(SearchText.terms(of: text).count > 2_700)
  }

  private static let queries: [(String, [String])] = [
    ("a b", ["a", "b"]), ("a a A", ["a"]), ("\"a b\" c", ["a b", "c"]), ("\"a b", ["a b"]),
    ("“a b” „c d“", ["a b", "c d"]), ("a\"b c\"d", ["a", "b c", "d"]), ("hel*", ["hel…"]),
    ("a* b", ["a", "b"]), ("a b*", ["a", "b…"]), ("\"a b*\"", ["a b"]), ("a *", ["a"]),
    ("foo-bar*", ["foo bar…"]), ("中文字", ["中文 文字"]), ("中", ["中…"]), ("中文*", ["中文"]),
    ("\"中文 hi\"", ["中文 文 hi"]), ("\"hi 中\"", ["hi 中…"]), ("a AND b", ["a", "and", "b"]),
    ("NEAR(a b, 2)", ["near a", "b", "2"]), ("words:x ^y {z}", ["words x", "y", "z"]),
  ]

  @Test(arguments: queries)
  func aQueryHasThesePhrases(query: String, phrases: [String]) throws {
    let found = try SearchWords(query).phrases.map {
      $0.terms.joined(separator: " ") + ($0.isOpen ? "…" : "")
    }
    #expect(found == phrases)
  }

  private static let refused: [(String, SearchProblem)] = [
    ("", .noWords), ("  ", .noWords), ("*", .noWords), ("\"\"", .noWords), ("?!", .noWords),
    (String(repeating: "a", count: 513), .tooLong(limit: 512)),
    ((0..<33).map { "a\($0)" }.joined(separator: " "), .tooManyWords(limit: 32)),
  ]

  @Test(arguments: refused)
  func aQueryThatCannotBeAnsweredIsRefused(query: String, problem: SearchProblem) {
    #expect(throws: problem) { try SearchWords(query) }
    #expect(!problem.description.isEmpty)
  }

  @Test(arguments: [
    "", "-", "1", "1-", "-1", "1-0", "0-1", "1--1", "1-1-1", "1-é", "zz'-1", "1-1 ",
  ])
  func aCursorThatNoSearchHasGivenIsRefused(cursor: String) {
    #expect(throws: SearchProblem.badCursor) {
      try SearchQuery("a", seeing: everywhere, cursor: cursor)
    }
  }
}
