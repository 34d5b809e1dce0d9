/// What the store has late, or not at all: for who is there still, and for who is being sent away.
/// By hand, without sockets, clock or store.

import ChatModel
import ChatServer
import Stores
import Testing

@Suite struct LatePageTests {
  var hall = Hall()

  @Test mutating func aPageThatComesAfterTheFarewellIsGivenToNobody() {
    let ann = hall.program("ann")
    hall.say(ann, "a")
    _ = ann.socket.lines()
    hall.ask(ann, #"{"id":3,"history":{"room":"lobby"}}"#)
    let pages = hall.readPages()
    #expect(pages.count == 1)
    hall.exchange.stopTaking()
    hall.exchange.endAll(at: hall.now)
    #expect(ann.socket.isFinished)
    hall.give(pages)
    #expect(ann.socket.lines().gist == ["closing"])
  }

  @Test mutating func aPageThatCannotBeReadIsSaidToBeNone() {
    let ann = hall.program("ann")
    hall.ask(ann, #"{"id":3,"history":{"room":"lobby"}}"#, #"{"id":4,"ping":{}}"#)
    hall.failPages(.failed("the disk is gone"))
    #expect(ann.socket.lines().gist == ["3 busy", "4 ok"])
    hall.ask(ann, #"{"id":5,"history":{"room":"lobby"}}"#)
    hall.failPages(.failed("the disk is gone"))
    #expect(ann.socket.lines().gist == ["5 busy"])
    let line = "the disk is gone; the history is not shown until it works again"
    #expect(hall.log.lines == [line], "and once to the operator")
    hall.now += .seconds(60)
    hall.ask(ann, #"{"id":6,"history":{"room":"lobby"}}"#)
    hall.failPages(.failed("the disk is gone"))
    #expect(hall.log.lines == [line, line])
  }

  @Test mutating func aMessageThatHasNoNumberLeftIsRefusedAndTheOthersAreNot() {
    let ann = hall.program("ann")
    hall.ask(
      ann, #"{"id":3,"send":{"room":"lobby","text":"a"}}"#,
      #"{"id":4,"send":{"room":"lobby","text":"b"}}"#)
    _ = hall.exchange.takeBatch()
    let kept: [Kept] = [
      .refused(.failed("the room is full")), .stored(seq: 1, at: Moment(milliseconds: 1)),
    ]
    hall.exchange.kept(.success(kept), at: hall.now)
    hall.exchange.flush(at: hall.now)
    #expect(ann.socket.lines().gist == ["3 not-stored", "4 ok", "b"])
    #expect(hall.log.lines == ["the room is full; messages are refused until it works again"])
  }

  @Test mutating func anAddressThatMakesTooManyRoomsIsToldWhenToTryAgain() {
    let ann = hall.program("ann")
    for number in 1...10 {
      #expect(hall.ask(ann, #"{"id":3,"join":{"room":"r\#(number)"}}"#).gist.first == "3 ok")
    }
    #expect(hall.ask(ann, #"{"id":3,"join":{"room":"r11"}}"#).gist == ["3 rate-limited"])
  }
}
