/// A few seeds of the simulation; `./test` runs hundreds in a release build, by Simulate.

import Simulation
import Testing

@Suite struct SimulationTests {
  @Test(arguments: 1...3) func everyPromiseIsKept(seed: UInt64) throws {
    _ = try World(seed: seed).run()
  }

  @Test func aSeedIsReplayedToTheByte() throws {
    let first = try World(seed: 1).run()
    #expect(try World(seed: 1).run() == first)
  }
}
