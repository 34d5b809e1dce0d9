"""Which rooms somebody is in, is offered and is told of, wherever they sign in."""

import parts
from case import BrowserCase

PASSWORD = "a long password"


class RoomsTests(BrowserCase):
    def found(self, page):
        """The rooms that are offered to be entered."""
        page.window.click(parts.ADD)
        page.choose(parts.FIND_ROOM)
        page.window.element(parts.DIALOG)
        page.has_text(parts.FOUND_ROOM, "lobby")
        return page.window.script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)",
            parts.FOUND_ROOM)

    def owner(self, server):
        olga = self.program(server)
        olga.call("register", name="olga", password=PASSWORD, code=server.owner_code)
        return olga

    def test_an_account_is_in_its_rooms_in_another_browser_too(self):
        server = self.server()
        olga = self.owner(server)
        for room in ("tea", "garden"):
            olga.call("create", room=room)
            olga.send(f"welcome to {room}", room=room)
        first = self.page(server)
        first.sign_in("olga", PASSWORD)
        first.join("tea")
        first.sees("welcome to tea")
        first.go("room:lobby")
        first.window.go("about:blank")
        second = self.page(server)
        second.window.script("localStorage.clear()")
        second.window.reload()
        second.sign_in("olga", PASSWORD)
        second.open("room:tea")
        second.sees("welcome to tea")
        second.window.element(parts.COMPOSER)
        # What it never entered it is not in.
        self.assertIsNone(second.window.script(
            "return document.querySelector(arguments[0])", parts.PLACE.format(key="room:garden")))

    def test_an_account_without_rooms_begins_in_the_lobby(self):
        server = self.server()
        self.owner(server)
        page = self.page(server)
        page.sign_in("olga", PASSWORD)
        page.is_at("room:lobby")
        page.window.element(parts.COMPOSER)

    def test_only_rooms_that_one_may_know_of_are_offered(self):
        server = self.server()
        olga = self.owner(server)
        olga.call("create", room="secret", private=True)
        bob = self.page(server, "bob")
        for room in ("secret", "@audit"):
            bob.go(f"room:{room}")
        bob.go("room:lobby")
        self.assertEqual(self.found(bob), ["lobby"])
        page = self.page(server)
        page.sign_in("olga", PASSWORD)
        self.assertEqual(sorted(self.found(page)), ["@audit", "lobby", "secret"])

    def test_what_the_server_says_at_each_sign_in_is_said_once_in_a_browser(self):
        server = self.server()
        bob = self.page(server, "bob")
        bob.has_text(parts.NOTICES, "kept")
        bob.window.script("sessionStorage.clear()")
        bob.window.reload()
        bob.sign_in("bobby")
        bob.say("here again")
        bob.sees("here again")
        self.assertEqual(
            bob.window.script("return document.querySelector(arguments[0]).innerText",
                              parts.NOTICES), "")
