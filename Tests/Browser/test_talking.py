"""Two people talk: what one says the other sees, in one order, whatever each of them speaks."""

from datetime import datetime, timedelta, timezone

import parts
from case import BrowserCase
from keys import Keys


class TalkingTests(BrowserCase):
    def test_two_windows_and_netcat_see_each_other_in_one_order(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        carl = self.netcat(server, "carl")
        ann.say("is anybody here?")
        bob.sees("is anybody here?")
        bob.say("I am")
        carl.hears("bob: I am")
        carl.type("msg:and I, from a terminal")
        said = ["is anybody here?", "I am", "and I, from a terminal"]
        for page in (ann, bob):
            page.shows(said)
            self.assertEqual([m["from"] for m in page.messages()], ["ann", "bob", "carl"])
            seqs = [m["seq"] for m in page.messages()]
            self.assertEqual(seqs, sorted(set(seqs)))
        self.assertEqual([m["isOwn"] for m in ann.messages()], [True, False, False])

    def test_what_two_people_say_at_once_is_in_the_same_order_for_all(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        for number in range(10):
            ann.say(f"ann {number}")
            bob.say(f"bob {number}")
        order = self.program(server, "eve").texts
        bob.sees("ann 9", "bob 9")
        for page in (ann, bob):
            page.shows(order())
        for name in ("ann", "bob"):
            own = [text for text in order() if text.startswith(name)]
            self.assertEqual(own, [f"{name} {number}" for number in range(10)])

    def test_somebody_who_comes_later_sees_what_was_said(self):
        server = self.server()
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        said = [f"message {number}" for number in range(30)]
        ann.say_all(said)
        self.page(server, "bob").shows(said)

    def test_who_is_typing_is_told_and_forgotten(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        ann.type("I am about to")
        bob.has_text(parts.TYPING, "ann")
        ann.press_enter()
        bob.sees("I am about to")
        bob.window.wait("return !document.querySelector(arguments[0]).innerText", parts.TYPING,
                        awaited="nobody is typing any more")


class PlacesTests(BrowserCase):
    def test_unread_messages_are_counted_beside_the_room_and_in_the_title(self):
        server = self.server()
        bob = self.page(server, "bob")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        bob.go("room:tea")
        ann.send("one")
        ann.send("two")
        bob.has_unread("room:lobby", 2)
        bob.has_title(r"^\(2\) #tea")
        ann.send("three, @bob")
        bob.has_unread("room:lobby", 3, names_me=True)
        bob.open("room:lobby")
        bob.sees("one", "two", "three, @bob")
        bob.has_title("^#lobby")
        bob.go("room:tea")
        bob.has_unread("room:lobby", 0)

    def test_the_title_counts_what_comes_while_nobody_looks(self):
        server = self.server()
        bob = self.page(server, "bob")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        bob.window.look(False)
        ann.send("are you there?")
        bob.has_title(r"^\(1\) ")
        bob.window.look(True)
        bob.has_title("^#lobby")

    def test_a_private_message_reaches_that_person_alone(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        eve = self.program(server, "eve")
        eve.call("join", room="lobby")
        ann.go("with:bob")
        ann.say("between us")
        bob.has_unread("with:ann", 1)
        bob.open("with:ann")
        bob.sees("between us")
        bob.say("of course")
        ann.shows(["between us", "of course"])
        eve.call("ping")
        self.assertNotIn("between us", str(eve.events))
        self.assertEqual(eve.texts(), [])

    def test_a_draft_stays_in_its_room_and_survives_a_reload(self):
        server = self.server()
        ann = self.page(server, "ann")
        ann.join("tea")
        ann.type("not finished")
        ann.open("room:lobby")
        self.assertEqual(ann.draft(), "")
        ann.type("nor is this")
        ann.open("room:tea")
        self.assertEqual(ann.draft(), "not finished")
        ann.window.reload()
        ann.is_open()
        ann.is_at("room:tea")
        self.assertEqual(ann.draft(), "not finished")
        ann.open("room:lobby")
        self.assertEqual(ann.draft(), "nor is this")
        self.assertEqual(self.program(server, "eve").texts(), [])

    def test_rooms_are_joined_again_at_the_next_visit(self):
        server = self.server()
        ann = self.page(server, "ann")
        ann.join("tea")
        ann.window.go("about:blank")
        again = self.page(server, "ann")
        again.open("room:tea")
        again.open("room:lobby")


class ChangingTests(BrowserCase):
    def test_an_edit_is_seen_by_all_and_marked(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        ann.say("helo")
        bob.sees("helo")
        ann.sees("helo")
        ann.window.press(Keys.ARROW_UP)
        self.assertEqual(ann.draft(), "helo")
        ann.fill(parts.COMPOSER, "hello")
        ann.press_enter()
        for page in (ann, bob):
            page.shows(["hello"])
            self.assertTrue(page.message("hello")["isEdited"])
            page.has_text(parts.EDITED, "(edited)")

    def test_a_deleted_message_leaves_no_word_behind(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        ann.say("a secret slip")
        bob.sees("a secret slip")
        ann.sees("a secret slip")
        ann.act("a secret slip", "delete")
        ann.confirm()
        for page in (ann, bob):
            page.shows([parts.DELETED_WORDS])
            self.assertTrue(page.messages()[0]["isDeleted"])
            self.assertNotIn("slip", page.window.script("return document.body.innerHTML"))
        self.assertEqual(self.program(server, "eve").texts(), [""])

    def test_of_a_long_talk_the_name_is_said_again_and_again(self):
        server = self.server("--no-limits")
        ann, bob = self.program(server, "ann"), self.page(server, "bob")
        ann.call("join", room="lobby")
        ann.say_all([f"line {n}" for n in range(70)])
        bob.sees("line 69")
        for _ in range(2):
            runs = bob.window.script(
                "return [...document.querySelectorAll(arguments[0])]"
                ".map(a => a.classList.contains('grouped') ? 'g' : 'F').join('').split('F')"
                ".map(run => run.length)", parts.MESSAGE)
            self.assertLessEqual(max(runs), 19)
            self.assertLess(len(runs), 8, "a name for nearly each message")
            bob.window.reload()
            bob.sees("line 69")

    def test_a_reply_shows_what_it_answers(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        ann.say("who has the key?")
        bob.act("who has the key?", "reply")
        bob.say("I have")
        ann.sees("I have")
        for page in (ann, bob):
            self.assertIn("who has the key?", page.message("I have")["quote"])
        ann.say("good")
        bob.sees("good")
        self.assertIsNone(bob.message("good")["quote"])

    def test_a_moderator_puts_somebody_out_who_is_told_why(self):
        server = self.server()
        olga = self.program(server)
        olga.call("register", name="olga", password="a long password", code=server.owner_code)
        mod, bob = self.page(server), self.page(server, "bob")
        mod.sign_in("olga", password="a long password")
        mod.window.click(parts.PEOPLE)
        mod.window.click_on(lambda: mod.person("bob"), "bob")
        mod.choose(parts.PUT_OUT)
        mod.window.element(parts.DIALOG)
        mod.window.insert("too loud")
        mod.confirm()
        bob.has_text(parts.NOTICES, "too loud")
        bob.has_text("#room", parts.NOT_IN_ROOM)
        # Nobody tells him any more how many are there.
        bob.window.wait("return !document.querySelector(arguments[0]).textContent",
                        parts.PEOPLE_COUNT, awaited="no number of people is shown to bob")
        mod.say("peace at last")
        mod.sees("peace at last")
        bob.sees_not("peace at last")


    def test_who_is_muted_is_told_until_when_in_their_own_words_and_time(self):
        server = self.server()
        olga = self.program(server)
        olga.call("register", name="olga", password="a long password", code=server.owner_code)
        bob = self.page(server)
        bob.window.prefer(language="zh")
        bob.window.command("Emulation.setTimezoneOverride", timezoneId="Asia/Shanghai")
        self.addCleanup(
            bob.window.command, "Emulation.setTimezoneOverride", timezoneId="")
        bob.window.reload()
        bob.sign_in("bob")
        seconds = 7 * 86_400
        olga.call("mute", room="lobby", name="bob", reason="spam", seconds=seconds)
        bob.say("may I?")
        bob.has_text(parts.TROUBLE, "#lobby")
        said = bob.window.script("return document.querySelector(arguments[0]).innerText",
                                 parts.TROUBLE)
        end = datetime.now(timezone(timedelta(hours=8))) + timedelta(seconds=seconds)
        self.assertRegex(said, f"你在 #lobby 被禁言，到 .*{end.month}月{end.day}日.* 为止：spam")
        self.assertNotIn("UTC", said)


class SearchTests(BrowserCase):
    def test_a_search_finds_an_old_message_and_leads_to_it_and_back(self):
        server = self.server("--no-limits")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        ann.say_all([f"straw {n}" if n != 40 else "the needle is here" for n in range(600)])
        bob = self.page(server, "bob")
        bob.sees("straw 599")
        ann.finds("needle")
        bob.window.click(parts.SEARCH)
        bob.window.element(parts.QUERY).click()
        bob.window.insert("needle")
        bob.press_enter()
        bob.has_text(parts.FINDING, "the needle is here")
        bob.window.click(parts.FINDING)
        bob.is_in_sight("the needle is here")
        shown = bob.texts()
        at = shown.index("the needle is here")
        self.assertEqual(shown[at - 2:at + 3],
                         ["straw 38", "straw 39", "the needle is here", "straw 41", "straw 42"])
        bob.window.click(parts.TO_NEWEST)
        bob.is_in_sight("straw 599")
