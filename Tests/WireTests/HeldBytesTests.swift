/// Bytes that are held: what is taken is what came, in its order, and nothing is kept of it.

import Testing

@testable import Wire

@Suite struct HeldBytesTests {
  private var held = HeldBytes()

  private mutating func append(_ text: String) {
    Array(text.utf8).withUnsafeBytes { held.append($0) }
  }

  private mutating func take(_ count: Int) -> String {
    String(decoding: held.take(count), as: UTF8.self)
  }

  private var text: String { String(decoding: held.bytes[held.start...], as: UTF8.self) }

  @Test mutating func whatCameIsTakenInItsOrder() {
    append("abc")
    append("")
    append("def")
    #expect(held.count == 6 && !held.isEmpty && text == "abcdef")
    let first = take(2)
    #expect(first == "ab" && text == "cdef")
    held.drop(1)
    append("gh")
    #expect(text == "defgh" && held.count == 5)
    let rest = take(5)
    #expect(rest == "defgh" && held.isEmpty && held.count == 0)
  }

  @Test mutating func takingNothingChangesNothing() {
    let none = take(0)
    #expect(none == "" && held.isEmpty)
    append("a")
    held.drop(0)
    let nothing = take(0)
    #expect(nothing == "" && text == "a")
  }

  @Test mutating func whoHoldsNothingKeepsNoRoomForIt() {
    let long = String(repeating: "x", count: 10_000)
    append(long)
    held.drop(10_000)
    #expect(held.bytes.capacity == 0 && held.start == 0)
    append(long)
    let whole = take(10_000)
    #expect(whole == long && held.bytes.capacity == 0)
    append("ab" + long)
    held.drop(2)
    let behind = take(10_000)
    #expect(behind == long && held.bytes.capacity == 0 && held.start == 0)
  }

  @Test mutating func whatWasTakenIsLetGoOfWhenMoreComes() {
    append(String(repeating: "x", count: 100) + "a")
    held.drop(100)
    #expect(held.start == 100 && held.count == 1)
    append("b")
    #expect(held.bytes == Array("ab".utf8) && held.start == 0)
  }

  @Test func noMoreIsDroppedThanIsHeld() async {
    await #expect(processExitsWith: .failure) {
      var held = HeldBytes()
      [UInt8](repeating: 1, count: 3).withUnsafeBytes { held.append($0) }
      held.drop(4)
    }
  }
}
