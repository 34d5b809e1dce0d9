/// Whatever is asked, in whatever order, with a store that fails: facts are the store's, everybody
/// is answered once, and nobody is where they may not be.

import Testing

@Suite struct MischiefTests {
  @Test(arguments: 1...8)
  func whatIsShownIsWhatIsKept(seed: UInt64) {
    var mischief = Mischief(seed: seed)
    mischief.run(steps: 3_000)
    #expect(mischief.wrong.prefix(3) == [])
  }
}
