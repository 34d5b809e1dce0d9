"""Accessibility by axe-core, and what it cannot see: what a screen reader is given to read."""

import axe_playwright_python
from pathlib import Path

import parts
from case import BrowserCase

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
GRAVE = ("serious", "critical")


class AccessTests(BrowserCase):
    seconds_max = 120

    def lively(self, server):
        """A room in which every kind of thing is to be seen."""
        bob = self.program(server, "bob")
        bob.call("create", room="garden", topic="What grows, and what does not")
        bob.call("join", room="lobby")
        bob.send("Good morning, *everybody*! See https://example.com/ and `code`.")
        bob.send("```\nlet tea = Pot()\n```\n> quoted\n\n@ann **look**")
        seq = bob.send("a message that is edited")
        bob.call("edit", room="lobby", seq=seq, text="a message that was edited")
        bob.call("delete", room="lobby", seq=bob.send("gone"))
        bob.send("你好，世界 😀", replyTo=seq)
        bob.send("שלום")
        return bob

    def grave(self, page, name):
        """What axe-core finds that keeps people out; lesser findings are counted."""
        page.window.script("if (!window.axe) { " + AXE + "\n; window.axe = axe; }")
        found = page.window.promise(
            "const r = await axe.run(document, {resultTypes: ['violations']});"
            "return r.violations.map(v => [v.impact, v.id, v.help,"
            " v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.failureSummary)])")
        self.lesser += [f"{v[1]} ({v[0]})" for v in found if v[0] not in GRAVE]
        return [(name, *v) for v in found if v[0] in GRAVE]

    def look_everywhere(self, language, search_for):
        server = self.server()
        self.lesser, problems = [], []
        bob = self.lively(server)
        page = self.page(server)
        schemes = ("light", "dark")

        def look(name):
            for scheme in schemes:
                page.window.prefer(scheme, language)
                problems.extend(self.grave(page, f"{name}, {scheme}, {language}"))

        page.window.prefer("light", language)
        page.window.reload()
        page.window.element(parts.SIGN_IN_NAME)
        look("sign-in")
        page.window.click(parts.WAY_REGISTER)
        look("register")
        page.window.click(parts.WAY_GUEST)
        page.sign_in("ann")
        bob.call("join", **{"with": "ann"})
        bob.send("psst", with_="ann")
        page.has_unread("with:bob", 1)
        self.assertEqual(page.window.script("return document.documentElement.lang")[:2], language)
        look("chat")
        page.window.click(parts.PEOPLE)
        page.person("bob")
        look("people")
        bob.finds(search_for)
        page.window.click(parts.SEARCH)
        page.window.element(parts.QUERY)
        page.window.insert(search_for)
        page.press_enter()
        page.has_text(parts.FINDING, search_for)
        look("search")
        page.window.click(parts.SETTINGS)
        page.window.element(parts.DIALOG)
        look("settings")
        self.figure(f"lesser findings: {', '.join(sorted(set(self.lesser))) or 'none'}")
        self.assertEqual(problems, [])

    def test_axe_finds_nothing_serious_in_english(self):
        self.look_everywhere("en", "morning")

    def test_axe_finds_nothing_serious_in_chinese(self):
        self.look_everywhere("zh", "你好")

    def test_axe_finds_nothing_serious_on_a_phone(self):
        server = self.server()
        self.lesser, problems = [], []
        self.lively(server)
        page = self.page(server, "ann", 390, 844)
        page.window.size(390, 844, is_phone=True)
        problems += self.grave(page, "rooms on a phone")
        page.go("room:lobby")
        problems += self.grave(page, "chat on a phone")
        self.assertEqual(problems, [])

    def test_a_screen_reader_hears_author_and_text_before_the_time(self):
        server = self.server()
        self.lively(server)
        page = self.page(server, "ann")
        page.sees("שלום")
        log = page.window.script(
            "const log = document.querySelector(arguments[0]);"
            "return [log.getAttribute('role'), log.getAttribute('aria-live')]", parts.MESSAGES)
        self.assertEqual(log[0], "log")
        orders = page.window.script(
            "return [...document.querySelectorAll(arguments[0])].map(article => {"
            "  const at = s => article.textContent.indexOf(article.querySelector(s).textContent);"
            "  return [at(arguments[1]), at(arguments[2]), at('time')]; })",
            parts.MESSAGE, parts.AUTHOR, parts.BODY)
        self.assertGreater(len(orders), 4)
        for author, body, time in orders:
            self.assertTrue(0 <= author < body < time, orders)
