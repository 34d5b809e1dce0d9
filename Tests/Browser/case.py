"""What every test here has: servers, windows and helpers that end with it, and what is kept."""

import os
import re
import unittest
from pathlib import Path

from beck import Netcat, Program, Server
from chromium import Chromium
from link import Link
from page import Page

#: What is kept of a run, for people to look at: git knows nothing of it.
ARTEFACTS = Path(os.environ.get(
    "BECK_ARTEFACTS", Path(__file__).resolve().parent.parent.parent / "ci-artefacts"))
PICTURES = ARTEFACTS / "pictures"
FAILURES = ARTEFACTS / "browser-failures"


class BrowserCase(unittest.TestCase):
    """Tests of a class share nothing but the browser process, which the next class shares too."""

    #: What the browser is started with; a class with flags of its own gets a browser of its own.
    browser_flags = ()
    #: How long a test may take, all waiting included.
    seconds_max = 80
    #: Console lines that a test provokes, as a pattern: everything else at level error fails it.
    expected_console = None

    maxDiff = None
    _browser = None
    _browser_flags = None

    @classmethod
    def browser(cls):
        if BrowserCase._browser and BrowserCase._browser_flags != cls.browser_flags:
            cls.end_browser()
        if not BrowserCase._browser:
            BrowserCase._browser = Chromium(*cls.browser_flags)
            BrowserCase._browser_flags = cls.browser_flags
        return BrowserCase._browser

    @staticmethod
    def end_browser():
        if BrowserCase._browser:
            browser, BrowserCase._browser = BrowserCase._browser, None
            browser.end()

    def setUp(self):
        self.pages = []
        self.figures = []
        self.console_lines = []
        if BrowserCase._browser:
            BrowserCase._browser.console()  # Of the test before.

    def tearDown(self):
        """Nothing went wrong unseen: no page has an error that its test did not expect."""
        for page in self.pages:
            self.is_clean(page.window.wrongs(), f"the page of {page.name}")
        self.is_clean(
            [line for level, line in self.console() if level == "error"], "a console")

    def is_clean(self, problems, where):
        """None of these is left but those that the test expects."""
        if self.expected_console:
            problems = [p for p in problems if not re.search(self.expected_console, p)]
        self.assertEqual(problems, [], f"errors in {where}")

    def console(self):
        """All console lines since the test began."""
        if BrowserCase._browser:
            self.console_lines += BrowserCase._browser.console()
        return self.console_lines

    def server(self, *flags, **more):
        server = Server(*flags, **more)
        self.addCleanup(server.end)
        return server

    def link(self, server):
        link = Link(server.port)
        self.addCleanup(link.end)
        return link

    def program(self, server, name=None, **login):
        program = Program(server.port, name, **login)
        self.addCleanup(program.close)
        return program

    def netcat(self, server, name):
        person = Netcat(server.port, name)
        self.addCleanup(person.close)
        return person

    def page(self, where, name=None, width=1280, height=800):
        """A window with the page of a server or link; with a name, somebody is signed in."""
        window = self.browser().window(width, height)
        self.addCleanup(window.close)
        window.prefer()
        page = Page(window, name)
        self.pages.append(page)
        window.go(where.address)
        if name:
            page.sign_in(name)
        return page

    def figure(self, sentence):
        """A measured figure, printed below the test's line."""
        self.figures.append(sentence)

    def picture(self, page, name):
        """A picture that is kept in any case."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.window.picture(PICTURES / f"{name}.png")
        return PICTURES / f"{name}.png"

    def keep_artefacts(self):
        """Of a failed test: what each page looked like, and what its console said."""
        folder = FAILURES / self.id().replace("/", "_")
        folder.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(self.pages):
            try:
                page.window.picture(folder / f"{number}-{page.name}.png")
                html = page.window.script("return document.documentElement.outerHTML")
                (folder / f"{number}-{page.name}.html").write_text(html)
            except Exception as problem:  # The browser may be what failed.
                (folder / f"{number}-{page.name}.lost").write_text(str(problem))
        try:
            lines = [f"{level}: {message}" for level, message in self.console()]
            (folder / "console").write_text("\n".join(lines))
        except Exception as problem:
            (folder / "console.lost").write_text(str(problem))
