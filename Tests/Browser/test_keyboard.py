"""Everything can be done without a mouse."""

import parts
from case import BrowserCase
from keys import Keys


class KeyboardTests(BrowserCase):
    def focus(self, page):
        """What has the keyboard, as a selector-like word."""
        return page.window.script(
            "const e = document.activeElement;"
            "return e.id ? '#' + e.id : e.localName + (e.dataset.seq ? ':' + e.dataset.seq : '')")

    def test_from_sign_in_to_a_message_and_to_another_room(self):
        server = self.server()
        page = self.page(server)
        window = page.window
        window.element(parts.SIGN_IN_NAME)
        self.assertEqual(self.focus(page), parts.SIGN_IN_NAME)
        window.press(*"ann", Keys.ENTER)
        page.name = "ann"
        page.is_open()
        window.wait("return document.activeElement.matches(arguments[0])", parts.COMPOSER,
                    awaited="the composer has the keyboard")
        window.press(*"hello", Keys.ENTER)
        page.shows(["hello"])
        # To the left column by F6, to the button that makes rooms, and through its menu.
        self.assertTrue(self.steps_to(page, parts.ADD, (Keys.SHIFT, Keys.TAB)))
        window.press(Keys.ENTER)
        window.element(parts.MENU_ENTRY)
        window.press(Keys.ENTER)
        window.element(parts.DIALOG)
        window.press(*"tea")
        window.wait("return document.querySelector(arguments[0] + ' li button')", parts.DIALOG,
                    awaited="the room can be made")
        window.press(Keys.ENTER)
        page.is_at("room:tea")
        window.press(*"first", Keys.ENTER)
        page.shows(["first"])
        window.press((Keys.ALT, Keys.ARROW_UP))
        page.is_at("room:lobby")
        page.shows(["hello"])
        window.press((Keys.ALT, Keys.ARROW_DOWN))
        page.is_at("room:tea")

    def test_the_keyboard_stays_where_a_dialog_has_led(self):
        server = self.server()
        page = self.page(server, "ann")
        window = page.window
        # The next frame comes as soon as it can, as it may: before the browser tells of the dialog.
        window.script("""
          window.requestAnimationFrame = act => {
            let turns = 50;
            const next = () => (turns-- ? Promise.resolve().then(next) : act(performance.now()));
            next();
            return 1;
          };
          window.wasClosed = 0;
          addEventListener('close', () => setTimeout(() => wasClosed += 1), {capture: true});""")
        window.element(parts.ADD).call("function () { this.focus(); }")
        window.press(Keys.ENTER)
        window.element(parts.MENU_ENTRY)
        window.press(Keys.ENTER)
        window.element(parts.DIALOG)
        window.press(*"tea", Keys.ENTER)
        page.is_at("room:tea")
        window.wait("return window.wasClosed", awaited="the dialog was closed")
        self.assertEqual(self.focus(page), parts.COMPOSER)

    def steps_to(self, page, selector, key, most=40):
        """Presses a key until this has the keyboard; whether it ever does."""
        for _ in range(most):
            if page.window.script("return document.activeElement.matches(arguments[0])", selector):
                return True
            page.window.press(key)
        return False

    def test_f6_goes_round_the_columns_and_escape_back_to_the_composer(self):
        server = self.server()
        ann = self.page(server, "ann")
        ann.say("one")
        ann.sees("one")
        self.assertEqual(self.focus(ann), parts.COMPOSER)
        inside = []
        for _ in range(3):
            ann.window.press(Keys.F6)
            inside.append(ann.window.script(
                "return arguments[0].find(s => document.activeElement.closest(s))",
                [parts.PLACES, parts.MESSAGES, "#composer"]))
        self.assertEqual(sorted(inside), sorted([parts.PLACES, parts.MESSAGES, "#composer"]))
        for away in (Keys.F6, (Keys.CONTROL, "k")):
            ann.window.press(away)
            self.assertNotEqual(self.focus(ann), parts.COMPOSER)
            ann.window.press(Keys.ESCAPE)
            self.assertEqual(self.focus(ann), parts.COMPOSER)

    def test_a_message_is_answered_and_deleted_by_keys(self):
        server = self.server()
        bob = self.program(server, "bob")
        bob.call("join", room="lobby")
        bob.send("a question")
        ann = self.page(server, "ann")
        ann.say("a slip")
        ann.sees("a question", "a slip")
        self.to_message(ann, 1)
        ann.window.press("r")
        ann.window.press(*"an answer", Keys.ENTER)
        ann.sees("an answer")
        self.assertIn("a question", ann.message("an answer")["quote"])
        self.to_message(ann, 2)
        ann.window.press(Keys.DELETE)
        ann.window.element(parts.DIALOG)
        # What has the keyboard first must not be what cannot be undone, or one key is enough.
        self.steps_to(ann, parts.DIALOG_GO, Keys.TAB)
        ann.window.press(Keys.ENTER)
        ann.sees_not("a slip")
        self.assertEqual(bob.texts()[1], "")

    def to_message(self, page, seq):
        """To the log by F6, and up to this message."""
        self.assertTrue(self.steps_to(page, parts.MESSAGES + " article", Keys.F6))
        self.assertTrue(self.steps_to(
            page, f'{parts.MESSAGES} article[data-seq="{seq}"]', Keys.ARROW_UP))
