"""What somebody writes is text, whatever it looks like; and it is shown as it is meant."""

import parts
from case import BrowserCase

HOSTILE = [
    "<script>window.__pwned = 1</script>",
    "<img src=x onerror='window.__pwned = 2'>",
    "<svg onload=\"window.__pwned = 3\"><a xlink:href='javascript:window.__pwned=4'>x</a></svg>",
    "[click](javascript:window.__pwned=5) javascript:window.__pwned=6",
    "<a href=\"javascript:window.__pwned=7\">x</a> data:text/html,<script>alert(1)</script>",
    "`<img src=x onerror=window.__pwned=8>` **<b onclick=window.__pwned=9>x</b>**",
    "```\n</code></pre><script>window.__pwned = 10</script>\n```",
    "> <iframe srcdoc='<script>parent.__pwned = 11</script>'></iframe>",
    "https://example.com/\"onmouseover=\"window.__pwned=12\" https://e.example/'><script>x",
    "{{constructor.constructor('window.__pwned=13')()}} ${window.__pwned=14}",
    "\u202e\u202egnp.exe\u202c \u2066\u2067\u2069 \u200e\u200f\u061c",
    "Z" + "\u0301\u0489\u0316" * 600,
    "a" * 4096,
    "](" * 300 + "**" * 300 + "`" * 300 + "> " * 100,
    "\ufeff\u0000\u0007\u001b[31m\ufffe\uffff\U0010ffff",
]


class TextTests(BrowserCase):
    def test_markup_of_others_does_nothing(self):
        server = self.server("--no-limits")
        ann = self.program(server, "img src=x onerror=window.__pwned=20>")
        ann.call("create", room="tea", topic="<script>window.__pwned = 21</script>")
        bob = self.page(server, "bob")
        bob.join("tea")
        for text in [*HOSTILE, "the end"]:
            ann.send(text, room="tea")
        bob.sees("the end")
        self.assertEqual(len(bob.messages()), len(HOSTILE) + 1)
        self.is_harmless(bob)
        bob.window.reload()
        bob.is_open()
        bob.sees("the end")
        self.is_harmless(bob)
        bob.window.click(parts.PEOPLE)
        bob.person("img src=x onerror=window.__pwned=20>")
        self.is_harmless(bob)

    def is_harmless(self, page):
        """Nothing ran, nothing was made that could run, nothing hides the rest of the page."""
        self.assertIsNone(page.window.script("return window.__pwned ?? null"))
        made = page.window.script(
            "return [...document.querySelectorAll('#shell script, #shell img, #shell iframe,"
            " #shell object, #shell embed, #shell form form, #shell [onload], #shell [onclick],"
            " #shell [onerror], #shell [onmouseover]')].map(e => e.outerHTML)")
        self.assertEqual(made, [])
        links = page.window.script(
            "return [...document.querySelectorAll('#messages a')]"
            ".map(a => [a.protocol, a.rel, a.target])")
        for protocol, rel, target in links:
            self.assertIn(protocol, ("http:", "https:", "mailto:"))
            self.assertEqual(set(rel.split()), {"noopener", "noreferrer", "nofollow"})
            self.assertEqual(target, "_blank")
        wide = page.window.script(
            "const log = document.querySelector(arguments[0]);"
            "return [log.scrollWidth - log.clientWidth,"
            " document.documentElement.scrollWidth - innerWidth]", parts.SCROLLER)
        self.assertEqual([max(0, w) for w in wide], [0, 0], "something makes the page wider")

    def test_a_tower_of_marks_hides_no_other_message(self):
        server = self.server("--no-limits")
        bob = self.page(server, "bob")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        ann.send("above")
        for _ in range(5):
            ann.send("o" + "\u0308\u0489" * 1000)
        ann.send("below")
        bob.sees("below")
        # The topmost thing at each message's middle is that message, not a mark of another one.
        hidden = bob.window.script(
            "return [...document.querySelectorAll(arguments[0])].filter(a => {"
            "  const box = a.getBoundingClientRect();"
            "  const at = document.elementFromPoint(box.left + 60, box.top + box.height / 2);"
            "  return box.top > 80 && !a.contains(at); }).map(a => a.innerText.slice(0, 20))",
            parts.MESSAGE)
        self.assertEqual(hidden, [])
        heights = bob.window.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map(a => [getComputedStyle(a.querySelector('.body')).overflowY, a.scrollHeight,"
            " a.clientHeight])", parts.MESSAGE)
        for _, inner, outer in heights:
            self.assertLessEqual(inner, outer + 400)

    def test_text_that_runs_from_right_to_left_says_so(self):
        server = self.server()
        ann, bob = self.page(server, "ann"), self.page(server, "bob")
        ann.say("שלום, עולם!")
        ann.say("Hello שלום")
        bob.sees("שלום, עולם!", "Hello שלום")
        runs = bob.window.script(
            "return [...document.querySelectorAll(arguments[0] + ' .body')].map(b =>"
            " [b.querySelector('[dir]').dir,"
            "  getComputedStyle(b.querySelector('[dir]')).direction])", parts.MESSAGE)
        self.assertEqual(runs, [["auto", "rtl"], ["auto", "ltr"]])
        self.assertEqual(
            bob.window.script("return document.querySelector(arguments[0]).localName",
                              parts.MESSAGE + " " + parts.AUTHOR), "bdi")

    def test_links_code_and_emphasis_are_what_they_look_like(self):
        server = self.server()
        ann = self.page(server, "ann")
        ann.say("see https://example.com/a_(b)?c=d#e. **strong** *soft* `code` mailto:a@b.example")
        ann.window.wait("return document.querySelector('#messages strong')",
                        awaited="the message is there")
        found = ann.window.script(
            "const of = s => [...document.querySelectorAll('#messages article ' + s)]"
            ".map(e => e.href ?? e.textContent);"
            "return [of('a'), of('strong'), of('em'), of('code')]")
        self.assertEqual(found, [
            ["https://example.com/a_(b)?c=d#e", "mailto:a@b.example"], ["strong"], ["soft"],
            ["code"]])
