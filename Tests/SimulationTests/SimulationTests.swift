/// A few seeds of the simulation; `./test` runs hundreds in a release build, by Simulate.

import Simulation
import Testing

@Suite struct SimulationTests {
  @Test(arguments: 1...6) func everyPromiseIsKept(seed: UInt64) throws {
    _ = try World(seed: seed).run()
  }

  @Test func aSeedIsReplayedToTheByte() throws {
    for seed in UInt64(1)...2 {
      let first = try World(seed: seed).run()
      #expect(try World(seed: seed).run() == first)
    }
  }
}
