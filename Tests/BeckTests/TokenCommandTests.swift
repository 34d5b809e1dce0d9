/// `beck token` as built, against a server that runs.

import Foundation
import TestSupport
import Testing

@Suite struct TokenCommandTests {
  private let secret = "correct horse"

  private func stage() throws -> OperatorStage {
    let stage = try OperatorStage()
    _ = try stage.output("account", "create", "ann", "--password-file", "-", input: secret)
    return stage
  }

  @Test func theTokenStandsAloneOnStandardOutput() throws {
    let stage = try stage()
    let ending = try stage.run("token", "ann", "--days", "365")
    #expect(ending.status == 0)
    let token = ending.output.dropLast()
    #expect(ending.output.last == "\n" && !token.contains("\n") && token.count > 60)
    #expect(ending.errors.wholeMatch(of: /a token of ann, good until \d{4}-.*:\d\d UTC\n/) != nil)
    let client = try JSONClient(port: stage.beck.port)
    #expect(client.ask("login", ["token": String(token)]).isOK)
    let lines = try stage.rows("audit").compactMap { $0["text"] as? String }
    #expect(lines.last == "made a token of ann for 365 days")
  }

  @Test func asJSONItSaysWhoseItIsAndUntilWhen() throws {
    let stage = try stage()
    let row = try #require(try stage.rows("token", "ANN").first)
    #expect(row["name"] as? String == "ann")
    let until = try #require(row["until"] as? String)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let days = try style.parse(until).timeIntervalSinceNow / 86_400
    #expect((29.9...30).contains(days))
    let client = try JSONClient(port: stage.beck.port)
    #expect(client.ask("login", ["token": row["token"] as? String ?? ""]).isOK)
  }

  @Test func anotherPasswordMakesItVoid() throws {
    let stage = try stage()
    let token = try stage.rows("token", "ann").first?["token"] as? String ?? ""
    _ = try stage.output(
      "account", "password", "ann", "--password-file", "-", input: "battery staple")
    let client = try JSONClient(port: stage.beck.port)
    #expect(client.ask("login", ["token": token]).code == "bad-token")
  }

  @Test func whoHasNoAccountIsGivenNone() throws {
    let stage = try stage()
    let nobody = try stage.run("token", "bob")
    #expect(nobody.status == 1 && nobody.output.isEmpty)
    #expect(
      nobody.errors
        == "beck token: there is no account bob; beck account list shows those there are\n")
    _ = try stage.output("account", "disable", "ann")
    let disabled = try stage.run("token", "ann")
    #expect(disabled.status == 1 && disabled.output.isEmpty)
    #expect(disabled.errors.contains("this account is disabled"))
  }
}
