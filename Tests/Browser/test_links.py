"""Whatever happens to the connection: nothing is lost, nothing is said twice, in the same order."""

from case import BrowserCase
from waiting import until

DOWN = ("waiting", "connecting")


class LinkTests(BrowserCase):
    expected_console = r"WebSocket connection to '\S+' failed|net::ERR_CONNECTION_REFUSED"

    def has_all(self, server, pages, said):
        """The server and each page have exactly these, in this order."""
        eve = self.program(server, "eve")
        until(lambda: len(eve.texts()) >= len(said), f"the server has {len(said)} messages")
        self.assertEqual(eve.texts(), said)
        for page in pages:
            page.shows(said)

    def test_a_reload_in_the_middle_of_sending_loses_and_doubles_nothing(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        said = [f"line {number}" for number in range(40)]
        ann.say_at_once(said[:25], then_reload=True)
        ann.is_open()
        ann.say_at_once(said[25:], then_reload=True)
        ann.is_open()
        self.has_all(server, [ann, bob], said)

    def test_a_killed_server_that_comes_back_has_everything_once(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        said = [f"line {number}" for number in range(20)]
        ann.say_at_once(said[:10])
        server.kill()
        ann.is_in_state(*DOWN)
        bob.is_in_state(*DOWN)
        self.assertNotIn("Connected", ann.state_words())
        ann.say_at_once(said[10:])
        ann.message("line 19")
        self.assertIsNotNone(ann.message("line 19")["delivery"])
        server.start()
        ann.is_open(seconds=20)
        bob.is_open(seconds=20)
        self.has_all(server, [ann, bob], said)

    def test_a_cut_network_says_so_and_mends_without_loss(self):
        server = self.server()
        link = self.link(server)
        ann, bob = self.page(link, "ann"), self.page(server, "bob")
        said = [f"line {number}" for number in range(20)]
        ann.say_at_once(said[:10])
        link.cut()
        ann.is_in_state(*DOWN)
        self.assertRegex(ann.state_words(), "[Tt]rying again|Connecting")
        ann.say_at_once(said[10:])
        self.assertIsNotNone(ann.message("line 19")["delivery"])
        link.mend()
        ann.is_open(seconds=20)
        self.has_all(server, [ann, bob], said)

    def test_resets_again_and_again_while_one_sends_lose_and_double_nothing(self):
        server = self.server("--no-limits")
        link = self.link(server)
        ann, bob = self.page(link, "ann"), self.page(server, "bob")
        said = [f"line {number}" for number in range(60)]
        for start in range(0, 60, 10):
            ann.say_at_once(said[start:start + 10])
            link.reset()
            ann.is_open(seconds=20)
        self.has_all(server, [ann, bob], said)

    def test_what_others_say_during_a_cut_is_there_after_it(self):
        server = self.server()
        link = self.link(server)
        ann = self.page(link, "ann")
        bob = self.program(server, "bob")
        bob.call("join", room="lobby")
        bob.send("before")
        ann.sees("before")
        link.cut()
        ann.is_in_state(*DOWN)
        said = [f"meanwhile {number}" for number in range(30)]
        bob.say_all(said)
        link.mend()
        ann.is_open(seconds=20)
        ann.shows(["before", *said])


class SilenceTests(BrowserCase):
    #: Most of its time nothing happens, so that it begins first, beside the others.
    waits_seconds = 35
    expected_console = LinkTests.expected_console

    def test_a_link_that_is_silent_is_noticed_in_35_seconds(self):
        server = self.server()
        link = self.link(server)
        ann = self.page(link, "ann")
        ann.say("before")
        ann.sees("before")
        link.silence()
        ann.say("into the silence")
        ann.is_in_state(*DOWN, seconds=35)
        link.mend()
        ann.is_open(seconds=20)
        ann.shows(["before", "into the silence"])
        self.assertEqual(self.program(server, "eve").texts(), ["before", "into the silence"])
