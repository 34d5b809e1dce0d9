import Dialects
import ChatModel
@main enum Bench {
  static func main() {
    print("size", MemoryLayout<Dialect>.size)
    for (label, text) in [("short", "hello there"), ("medium", String(repeating: "word ", count: 10)), ("100", String(repeating: "abcd ", count: 20)), ("utf8", String(repeating: "häße ", count: 20)), ("1000", String(repeating: "abcd ", count: 200))] {
      for lines in [16, 600] {
        var dialect = Dialect()
        var read: [UInt8] = []
        for _ in 0..<lines { read += Array("msg:\(text)\n".utf8) }
        if read.count > 65536 { continue }
        var n = 0
        let rounds = 200_000_000 / read.count / 4
        let clock = ContinuousClock()
        let took = clock.measure {
          for _ in 0..<rounds {
            read.withUnsafeBytes { dialect.received($0, at: .zero) }
            while let heard = dialect.next() { if case .request = heard { n += 1 } }
          }
        }
        let s = Double(took.components.attoseconds) / 1e18 + Double(took.components.seconds)
        print(label, lines, Int(Double(rounds * read.count) / s / 1e6), "MB/s", Int(s * 1e9 / Double(n)), "ns/line")
      }
    }
    var out: [UInt8] = []
    out.reserveCapacity(1 << 20)
    let event = Event.said(try! UserName("Bob"), MessageText(String(repeating: "abcd ", count: 20))!)
    let took = ContinuousClock().measure { for _ in 0..<1_000_000 { out.removeAll(keepingCapacity: true); PlainEncoder.encode(event, for: .line, into: &out) } }
    print("encode", took / 1_000_000)
  }
}
