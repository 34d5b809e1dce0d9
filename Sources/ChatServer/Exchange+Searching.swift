/// From a request for a search to the index and back. Nothing is shown that the asker may not read,
/// also where that has changed meanwhile.

import ChatHub
import ChatModel
import Dialects
package import Stores

/// A search that somebody carries out elsewhere; to be answered by ``Exchange/found(_:for:at:)``.
package struct SearchJob: Sendable {
  package let query: SearchQuery
  let search: Search
  let room: RoomName?
  let sight: Sight
  let connection: ConnectionID
  let asked: RequestID?
}

extension Exchange {
  /// The searches that are to be carried out.
  package mutating func takeSearchJobs() -> [SearchJob] {
    defer { searchesWanted = [] }
    return searchesWanted
  }

  /// Answers a search; the connection's next request waits for it.
  mutating func search(
    _ search: Search, in room: RoomName?, _ sight: Sight, for id: ConnectionID,
    _ asked: RequestID?
  ) {
    guard let connection = connections[id] else { return }
    let query: SearchQuery
    do throws(SearchProblem) {
      query = try SearchQuery(search, in: room, seeing: sight)
    } catch {
      return answer(connection, asked, .refused(.badRequest(error.description)))
    }
    connection.isWaiting = true
    let job = SearchJob(
      query: query, search: search, room: room, sight: sight, connection: id, asked: asked)
    guard let history else { return searchesWanted.append(job) }
    found(Result { () throws(StoreError) in try history.find(query) }, for: job)
  }

  /// What was found, or why nothing could be looked for.
  package mutating func found(
    _ result: Result<SearchPage, StoreError>, for job: SearchJob, at now: Duration
  ) {
    self.now = now
    found(result, for: job)
    settle()
  }

  private mutating func found(_ result: Result<SearchPage, StoreError>, for job: SearchJob) {
    guard let connection = connections[job.connection] else { return }
    connection.isWaiting = false
    markReady(connection)
    guard let person = connection.person else { return }
    switch result {
    case .failure(let error) where error == .cursorIsGone:
      answer(connection, job.asked, .refused(.badRequest(error.sentence)))
    case .failure(let error):
      reportUnread(error)
      answer(connection, job.asked, .refused(.notRead))
    case .success(let page):
      let findings = Findings(
        messages: page.messages.compactMap { message in
          let room = message.draft.room
          guard hub.mayRead(room, person), message.seq <= hub.published(in: room) else {
            return nil
          }
          return Findings.Finding(message, in: hub.place(of: room, for: person))
        }, cursor: page.cursor)
      give(findings, of: page.messages.count, to: connection, job)
    }
  }

  /// A page that is too long for one line is asked for once more, with fewer messages.
  private mutating func give(
    _ findings: Findings, of count: Int, to connection: ClientConnection, _ job: SearchJob
  ) {
    let fitting = Encoder.count(
      fitting: findings, bytesMax: limits.pageBytesMax, to: job.asked,
      for: connection.dialect.form)
    guard fitting < findings.messages.count else {
      return answer(connection, job.asked, .found(findings))
    }
    var shorter = job.search
    // At least one fewer each time, so that it ends.
    shorter.limit = max(1, min(fitting, count - 1))
    search(shorter, in: job.room, job.sight, for: job.connection, job.asked)
  }
}
