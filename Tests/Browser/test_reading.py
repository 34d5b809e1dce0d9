"""How far somebody has read: the line between that and what is new, and what the server knows."""

import parts
from case import BrowserCase
from waiting import until

#: Of the messages of the log, the last that is wholly in sight.
LAST_IN_SIGHT = """
const log = document.querySelector(arguments[0]).getBoundingClientRect();
return Number([...document.querySelectorAll(arguments[1])]
  .findLast(one => one.getBoundingClientRect().bottom <= log.bottom + 1).dataset.seq);
"""

#: Keeps back what the page asks of the history, as a slow network would.
HOLD_HISTORY = """
const send = WebSocket.prototype.send;
window.__held = [];
WebSocket.prototype.send = function (text) {
  if (window.__held && text.includes('"history"')) __held.push(() => send.call(this, text));
  else send.call(this, text);
};
"""


class ReadingTests(BrowserCase):
    expected_console = r"WebSocket connection to '\S+' failed|net::ERR_CONNECTION_REFUSED"

    def talk(self, server):
        """Somebody who talks in the lobby."""
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        return ann

    def phone(self, server, page):
        """The same person without a browser."""
        phone = self.program(server)
        phone.call("login", token=page.token())
        return phone

    def mark(self, phone):
        """How far this person has read the lobby, as the server knows it."""
        rooms = phone.call("rooms")["rooms"]
        return next(room.get("mark") for room in rooms if room.get("name") == "lobby")

    def has_mark(self, phone, seq):
        until(lambda: self.mark(phone) == seq, f"the lobby was read up to {seq}",
              pause_seconds=0.2)

    def test_the_line_stands_where_the_new_begins_and_is_gone_when_that_was_read(self):
        server = self.server()
        ann = self.talk(server)
        ann.send("an old one")
        bob = self.page(server, "bob")
        bob.sees("an old one")
        phone = self.phone(server, bob)
        bob.has_no_new_line()
        bob.go("room:tea")
        ann.send("new one")
        seq = ann.send("new two")
        bob.has_unread("room:lobby", 2)
        bob.open("room:lobby")
        bob.has_new_line_above("new one")
        self.has_mark(phone, seq)
        bob.go("room:tea")
        bob.open("room:lobby")
        bob.sees("new two")
        bob.has_no_new_line()
        bob.go("room:tea")
        ann.send("a later one")
        bob.has_unread("room:lobby", 1)
        bob.open("room:lobby")
        bob.has_new_line_above("a later one")

    def test_what_comes_while_nobody_looks_stands_below_the_line_until_it_is_answered(self):
        server = self.server()
        ann, bob = self.talk(server), self.page(server, "bob")
        ann.send("seen at once")
        bob.sees("seen at once")
        bob.has_no_new_line()
        bob.window.look(False)
        ann.send("one")
        ann.send("two")
        bob.sees("two")
        bob.has_new_line_above("one")
        bob.window.look(True)
        bob.has_title("^#lobby")
        bob.has_new_line_above("one")
        bob.window.look(False)
        ann.send("three")
        bob.has_new_line_above("three")
        bob.window.look(True)
        bob.say("an answer")
        bob.sees("an answer")
        bob.has_no_new_line()

    def test_the_line_moves_as_one_reads_and_survives_a_reload(self):
        server = self.server("--no-limits")
        ann = self.talk(server)
        ann.say_all([f"old {n}" for n in range(30)])
        bob = self.page(server, "bob")
        bob.sees("old 29")
        phone = self.phone(server, bob)
        bob.go("room:tea")
        ann.say_all([f"new {n}" for n in range(45)])
        bob.has_unread("room:lobby", 45)
        bob.open("room:lobby")
        bob.has_new_line_above("new 0")
        bob.is_in_sight("new 0")
        read = bob.window.script(LAST_IN_SIGHT, parts.SCROLLER, parts.MESSAGE)
        self.assertLess(read, 75, "all of it is in sight, so that nothing is left to read")
        self.has_mark(phone, read)
        bob.window.reload()
        bob.has_new_line_above(f"new {read - 30}")
        bob.is_in_sight(f"new {read - 30}")
        bob.window.script("const log = document.querySelector(arguments[0]);"
                          "log.scrollTop = log.scrollHeight", parts.SCROLLER)
        self.has_mark(phone, 75)
        bob.window.reload()
        bob.sees("new 44")
        bob.has_unread("room:lobby", 0)
        bob.has_no_new_line()

    def test_what_was_read_right_before_a_reload_is_read_after_it(self):
        server = self.server()
        ann, bob = self.talk(server), self.page(server, "bob")
        phone = self.phone(server, bob)
        for number in range(3):
            seq = ann.send(f"quickly {number}")
            bob.sees(f"quickly {number}")
        bob.window.reload()
        bob.sees("quickly 2")
        bob.has_no_new_line()
        self.has_mark(phone, seq)

    def test_what_was_read_right_before_one_looks_away_is_above_the_line(self):
        server = self.server()
        ann, bob = self.talk(server), self.page(server, "bob")
        for number in range(3):
            ann.send(f"quickly {number}")
            bob.sees(f"quickly {number}")
        bob.window.look(False)
        ann.send("unseen")
        bob.has_new_line_above("unseen")

    def test_what_was_missed_while_there_was_no_link_is_below_the_line(self):
        server = self.server("--no-limits")
        link = self.link(server)
        ann, bob = self.talk(server), self.page(link, "bob")
        for round_number in range(2):
            ann.send(f"before {round_number}")
            bob.sees(f"before {round_number}")
            link.cut()
            bob.is_in_state("waiting", "connecting")
            said = [f"missed {round_number}.{n}" for n in range(40)]
            ann.say_all(said)
            link.mend()
            bob.is_open(seconds=20)
            bob.sees(said[-1])
            bob.has_new_line_above(said[0])

    def test_own_words_from_elsewhere_do_not_take_the_line_away(self):
        server = self.server()
        ann, bob = self.talk(server), self.page(server, "bob")
        bob.go("room:tea")
        phone = self.phone(server, bob)
        phone.call("join", room="lobby")
        phone.send("said from the phone")
        ann.send("an answer to the phone")
        bob.has_unread("room:lobby", 1)
        bob.open("room:lobby")
        bob.has_new_line_above("an answer to the phone")

    def test_nothing_is_read_before_it_is_there(self):
        server = self.server()
        ann, bob = self.talk(server), self.page(server, "bob")
        bob.go("room:tea")
        ann.send("one")
        ann.send("two")
        bob.has_unread("room:lobby", 2)
        phone = self.phone(server, bob)
        before = self.mark(phone)
        bob.window.begin_with(HOLD_HISTORY)
        bob.window.script("history.replaceState(null, '', '#/room:lobby'); location.reload()")
        bob.window.wait("return window.__held?.length", awaited="the page asks for the history")
        # Whoever comes to the window now looks at an empty room.
        bob.window.look(False)
        bob.window.look(True)
        self.assertEqual(self.mark(phone), before)
        bob.window.script("const held = __held; window.__held = null; held.forEach(go => go())")
        bob.has_new_line_above("one")
