"""Pictures of a lively room on desktop and phone, light and dark: kept, for people to look at."""

import tempfile
from pathlib import Path
from unittest import mock

import parts
from case import BrowserCase
from run import Outcome

#: Of each, since four of them are shown by the README.
PICTURE_BYTES_MAX = 150_000

TALK = [
    ("Noor", "Morning! The **kettle** is on. ☕"),
    ("Noor", "Does anybody know how the new `Outbox` decides who is behind?"),
    ("Tomás", "It counts bytes, not lines:\n```\nif outbox.bytes > limits.outboxBytesMax {\n"
              "  lags.begin(at: outbox.lastSeq)\n}\n```"),
    ("Tomás", "The rest comes from the history, a page at a time: https://example.org/outbox"),
    ("小林", "大家早上好！我刚刚更新了翻译 🎉"),
    ("Noor", "@Ada could you look at the pull request before lunch?"),
    ("דנה", "בוקר טוב! אני מצטרפת בעוד כמה דקות."),
    ("Tomás", "> who is behind?\n\nAnd nobody waits for a reader, that is the nice part."),
]


class PictureTests(BrowserCase):
    def test_a_lively_room_is_painted_on_desktop_and_phone_in_light_and_dark(self):
        server = self.server()
        people = {}
        for name, text in TALK:
            if name not in people:
                people[name] = self.program(server, name)
                people[name].call("join", room="lobby")
                people[name].call("join", room="garden")
            seq = people[name].send(text)
        people["Noor"].send("Exactly what I hoped for.", replyTo=seq)
        people["Noor"].send("Who waters the tomatoes this week?", room="garden")
        page = self.page(server, "Ada")
        page.join("garden")
        page.open("room:lobby")
        people["Tomás"].call("join", **{"with": "Ada"})
        people["Tomás"].send("Lunch at one?", with_="Ada")
        people["小林"].send("番茄长得很好 🍅", room="garden")
        page.has_unread("with:Tomás", 1)
        page.has_unread("room:garden", 1)
        page.say("On it. Give me ten minutes. 🙂")
        page.sees("On it. Give me ten minutes. 🙂")
        page.window.click(parts.PEOPLE)
        page.person("Noor")
        page.dismiss_notices()
        people["Noor"].call("typing", room="lobby", on=True)
        page.has_text(parts.TYPING, "Noor")
        sizes = {"desktop": (1280, 800), "phone": (390, 844)}
        for device, (width, height) in sizes.items():
            page.window.size(width, height, is_phone=device == "phone")
            if device == "phone":
                page.window.click(parts.SIDE_CLOSE)
            page.window.point_at(page.window.element(parts.COMPOSER))
            for scheme in ("light", "dark"):
                page.window.prefer(scheme)
                page.window.promise("await document.fonts.ready;"
                                    "await new Promise(requestAnimationFrame)")
                path = self.picture(page, f"{device}-{scheme}")
                self.assertGreater(path.stat().st_size, 10_000)
                self.assertLess(path.stat().st_size, PICTURE_BYTES_MAX)
                wide = page.window.script("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, f"wider than the {device}")


class FailureTests(BrowserCase):
    def test_a_test_that_fails_leaves_a_picture_the_page_and_its_console(self):
        server = self.server()

        class Failing(BrowserCase):
            def runTest(self):
                page = self.page(server, "ann")
                page.window.script("console.warn('the last words')")
                self.fail("on purpose")

        with tempfile.TemporaryDirectory() as folder, mock.patch("case.FAILURES", Path(folder)):
            outcome = Outcome()
            Failing().run(outcome)
            self.assertEqual(len(outcome.failures), 1)
            [kept] = Path(folder).iterdir()
            self.assertGreater((kept / "0-ann.png").stat().st_size, 10_000)
            self.assertIn("Beck", (kept / "0-ann.html").read_text())
            self.assertIn("the last words", (kept / "console").read_text())
