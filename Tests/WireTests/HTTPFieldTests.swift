/// Fields of a head: what a line may be, and how it is found again.

import Testing
import Wire

@Suite("Fields of HTTP")
struct HTTPFieldTests {
  static let lines: [(line: String, value: String?, problem: HTTPProblem?)] = [
    ("A: b", "b", nil), ("A:b", "b", nil), ("a: b", "b", nil), ("A: \t b \t ", "b", nil),
    ("A:", "", nil), ("A:  ", "", nil), ("A: b c", "b c", nil), ("A: b\tc", "b\tc", nil),
    ("A: : ", ":", nil), ("A: ä水", "ä水", nil), ("A: \"b\"", "\"b\"", nil),
    ("!#$%&'*+-.^_`|~09azAZ: b", nil, nil),
    // 9112 5.1: no blank before the colon.
    ("A : b", nil, .fieldLine), ("A\t: b", nil, .fieldLine),
    // 9112 5.2, and 2.2 for the first line.
    (" A: b", nil, .folded), ("\tA: b", nil, .folded), ("C: d\r\n b", nil, .folded),
    ("C: d\r\n\tb", nil, .folded), (" ", nil, .folded),
    // 9110 5.1: a name is a token.
    (": b", nil, .fieldLine), ("A", nil, .fieldLine), ("A B: c", nil, .fieldLine),
    ("Ä: b", nil, .fieldLine), ("A(: b", nil, .fieldLine), ("A,B: c", nil, .fieldLine),
    ("\"A\": b", nil, .fieldLine), ("[A]: b", nil, .fieldLine), ("A@: b", nil, .fieldLine),
    // 9110 5.5.
    ("A: b\0c", nil, .control), ("A: \u{1}", nil, .control), ("A: \u{1F}", nil, .control),
    ("A: \u{7F}", nil, .control), ("A\u{0}: b", nil, .control), ("A: \u{1B}[2J", nil, .control),
    // 9112 2.2.
    ("A: b\rc", nil, .lineEnd), ("A: b\nB: c", nil, .lineEnd), ("A: b\r\r", nil, .lineEnd),
    ("A: b\n", nil, .lineEnd), ("\rA: b", nil, .lineEnd), ("\nA: b", nil, .lineEnd),
  ]

  @Test("A field is a name, a colon and a value on one line", arguments: lines)
  func line(line: String, value: String?, problem: HTTPProblem?) throws {
    for (start, end) in [("", "Host: a\r\n"), ("Host: a\r\n", "")] {
      let text = "GET / HTTP/1.1\r\n\(start)\(line)\r\n\(end)\r\n"
      if let problem {
        #expect(heardInEveryChop(Array(text.utf8)) == [.refused(problem)])
      } else {
        let request = try request(text)
        #expect(request.fields.first("a") == value)
        #expect(request.fields.count == 2)
      }
    }
  }

  @Test("Every byte of a line is judged, at each place beside each neighbour")
  func bytes() {
    for byte in UInt8(0)...0xFF where byte != 0x0A && byte != 0x0D {
      for place in 0..<17 {
        var value = [UInt8](repeating: 0x61, count: 17)
        value[place] = byte
        let text = Array("GET / HTTP/1.1\r\nHost: a\r\nA: ".utf8) + value + Array("\r\n\r\n".utf8)
        let isTaken = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
        let heard = httpHeard([text]).map { words($0) }
        if heard == [isTaken ? "GET /" : "400 control"] { continue }
        Issue.record("\(byte) at \(place): \(heard)")
      }
    }
  }

  @Test("A bare CR or LF is refused wherever it is")
  func lineEnds() {
    let head = Array("GET /abc HTTP/1.1\r\nHost: a\r\nA: bcd\r\n\r\n".utf8)
    for byte in [0x0A, 0x0D] as [UInt8] {
      for place in 0..<head.count - 1 where head[place] != 0x0A && head[place] != 0x0D {
        var text = head
        text[place] = byte
        if heardInEveryChop(text) == [.refused(.lineEnd)] { continue }
        Issue.record("\(byte) at \(place)")
      }
    }
    for place in 0..<head.count where head[place] == 0x0D {
      #expect(
        heardInEveryChop(Array(head[..<place] + head[(place + 1)...])) == [.refused(.lineEnd)])
    }
  }

  @Test("Names are found in any case, and values in the order they came")
  func names() throws {
    let request = try request(
      "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a: 2, 3\r\nX-B: 4\r\nX-A:\r\n\r\n")
    #expect(request.fields.first("X-a") == "1")
    #expect(request.fields.all("x-A") == ["1", "2, 3", ""])
    #expect(request.fields.all("x-b") == ["4"])
    #expect(request.fields.first("x-") == nil)
    #expect(request.fields.all("") == [])
  }

  static let tokens: [(value: String, token: String, has: Bool)] = [
    ("upgrade", "Upgrade", true), ("keep-alive, Upgrade", "upgrade", true),
    (" ,, upgrade ,", "upgrade", true), ("upgrades", "upgrade", false),
    ("upgrade-insecure", "upgrade", false), ("up grade", "upgrade", false),
    ("", "upgrade", false), (",", "", false), ("a,b", "b", true), ("a;b", "b", false),
  ]

  @Test("A token is found in a comma list, whole and in any case", arguments: tokens)
  func token(value: String, token: String, has: Bool) throws {
    let one = try request("GET / HTTP/1.1\r\nHost: a\r\nC: \(value)\r\n\r\n")
    #expect(one.fields.has("c", token: token) == has)
    let two = try request("GET / HTTP/1.1\r\nHost: a\r\nC: x\r\nC: \(value)\r\n\r\n")
    #expect(two.fields.has("C", token: token) == has)
    #expect(!two.fields.has("D", token: token))
  }

  @Test("A value that is no UTF-8 is read as Latin-1")
  func latin1() throws {
    let text =
      Array("GET / HTTP/1.1\r\nHost: a\r\nA: gr".utf8) + [0xFC, 0xDF]
      + Array("e\r\n\r\n".utf8)
    guard case .request(let request)? = httpHeard([text]).first else {
      Issue.record("it was refused")
      return
    }
    #expect(request.fields.first("A") == "grüße")
  }

  @Test("Fields are equal that say the same, wherever they lay")
  func equality() throws {
    let sent = try request("GET / HTTP/1.1\r\nHOST:  a \r\nB: c\r\n\r\n")
    let made = HTTPRequest(
      method: "GET", target: "/", fields: HTTPFields([("Host", "a"), ("b", "c")]))
    #expect(sent == made)
    #expect(sent.fields != HTTPFields([("Host", "a"), ("b", "C")]))
    #expect(sent.fields != HTTPFields([("b", "c"), ("Host", "a")]))
    #expect(sent.fields != HTTPFields([("Host", "a")]))
  }
}
