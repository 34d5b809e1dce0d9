"""The first load: few bytes, nothing from elsewhere, and nothing that moves."""

import parts
from case import BrowserCase

WIRE_BYTES_MAX = 60_000
SHIFT_MAX = 0.02


class LoadingTests(BrowserCase):
    def loaded(self, page):
        """All that was fetched for the page: (address, bytes on the wire)."""
        return page.window.script(
            "return [...performance.getEntriesByType('navigation'),"
            " ...performance.getEntriesByType('resource')].map(e => [e.name, e.transferSize])")

    def test_the_first_load_is_small_and_all_of_this_server(self):
        server = self.server()
        page = self.page(server)
        page.window.element(parts.SIGN_IN_NAME)
        page.window.wait("return document.readyState === 'complete'", awaited="all is loaded")
        files = self.loaded(page)
        size = sum(count for _, count in files)
        self.figure(f"{len(files)} files, {size:,} bytes on the wire")
        self.assertEqual([name for name, _ in files if not name.startswith(server.address)], [])
        self.assertTrue(all(count > 0 for _, count in files), files)
        self.assertLess(size, WIRE_BYTES_MAX)
        page.window.reload()
        page.window.element(parts.SIGN_IN_NAME)
        again = sum(count for _, count in self.loaded(page))
        self.figure(f"a second load: {again:,} bytes")
        self.assertLess(again, size / 2)

    def test_nothing_moves_while_it_loads(self):
        server = self.server()
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        ann.say_all([f"message {n}" for n in range(40)])
        for width, height in ((1280, 800), (390, 844)):
            page = self.page(server, None, width, height)
            page.window.element(parts.SIGN_IN_NAME)
            self.is_still(page, f"sign-in at {width}")
            page.sign_in(f"bob{width}")
            page.go("room:lobby")
            page.sees("message 39")
            page.window.reload()
            page.is_open()
            page.sees("message 39")
            self.is_still(page, f"chat at {width}")

    def is_still(self, page, name):
        page.window.promise("for (let n = 0; n < 5; n++) await new Promise(requestAnimationFrame)")
        shift = page.window.script("return __shift")
        self.figure(f"{name}: layout shift {shift:.4f}")
        self.assertLess(shift, SHIFT_MAX)
