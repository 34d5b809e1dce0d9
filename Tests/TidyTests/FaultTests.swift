/// The list of deliberate faults that the simulation has to find: each still has its place.

import Foundation
import Testing

@Suite struct FaultTests {
  /// `scripts/mutants` tries none of them where one has lost its line.
  @Test func everyFaultOfTheSimulationHasItsOneLine() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let list = try String(
      contentsOf: root.appendingPathComponent("Tests/Simulation/mutants.txt"), encoding: .utf8)
    let faults = list.components(separatedBy: "\n\n")
      .map { $0.split(separator: "\n").map { String($0) } }
      .filter { $0.first?.hasPrefix("#") == false }
    #expect(faults.count > 40)
    for fault in faults {
      guard fault.count == 4 else {
        Issue.record("a fault has a sentence, a file, a line and another: \(fault)")
        continue
      }
      let file = try String(contentsOf: root.appendingPathComponent(fault[1]), encoding: .utf8)
      let places = file.components(separatedBy: "\n").count { $0 == fault[2].dropFirst() }
      #expect(places == 1, "\(fault[0]): its line stands \(places) times in \(fault[1])")
    }
  }
}
