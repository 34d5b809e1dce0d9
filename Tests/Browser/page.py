"""The page as somebody uses it: what is typed and pressed, and what is to be seen."""

from keys import Keys

import parts


class Page:
    """One person's window of the page."""

    def __init__(self, window, name=None):
        self.window = window
        self.name = name or "nobody"

    # Who one is.

    def sign_in(self, name, password=None, way=None):
        """Signs in as a guest, or by password; returns when the first room is there."""
        self.name = name
        window = self.window
        window.element(parts.SIGN_IN_NAME)
        if way or password:
            window.click(way or parts.WAY_ACCOUNT)
        self.fill(parts.SIGN_IN_NAME, name)
        if password:
            self.fill(parts.SIGN_IN_PASSWORD, password)
        window.press(Keys.ENTER)
        self.is_open()
        window.wait("return document.querySelector(arguments[0])", parts.PLACE_HERE,
                    awaited=f"{name} is in a room")

    def fill(self, selector, text):
        """Puts this into a field, in place of what is in it."""
        self.window.element(selector).click()
        self.window.press((Keys.CONTROL, "a"))
        self.window.insert(text)

    def token(self):
        """What makes another connection the same person."""
        return self.window.script("return JSON.parse(sessionStorage.getItem('beck.pass')).token")

    # The connection.

    def state(self):
        return self.window.script(
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1])",
            parts.STATE, parts.STATE_ATTRIBUTE)

    def state_words(self):
        """What the page says of the connection, as it is seen; empty where it says nothing."""
        return self.window.script(
            "return document.querySelector(arguments[0]).innerText.trim()", parts.STATE)

    def is_open(self, seconds=15):
        self.is_in_state("open", seconds=seconds)

    def is_in_state(self, *states, seconds=15):
        self.window.wait(
            "const s = document.querySelector(arguments[0]).getAttribute(arguments[1]);"
            "return arguments[2].includes(s) && s",
            parts.STATE, parts.STATE_ATTRIBUTE, states,
            awaited=f"the page of {self.name} says {' or '.join(states)}", seconds=seconds)

    # Places.

    def open(self, key):
        """Goes to a place of the left column: `room:tea`, `with:bob`."""
        self.window.click(parts.PLACE.format(key=key))
        self.is_at(key)

    def go(self, key):
        """Goes to a place by its address, in the column or not."""
        self.window.script("location.hash = '#/' + arguments[0]", key)
        self.is_at(key)

    def join(self, room):
        """Goes to a room that is there, and enters it."""
        self.go(f"room:{room}")
        self.press_button("#room", parts.JOIN)
        self.window.element(parts.COMPOSER)

    def press_button(self, selector, words):
        """Presses the button with these words inside of something."""
        self.window.click_on(lambda: self.window.wait(
            "return [...document.querySelectorAll(arguments[0] + ' button')]"
            ".find(b => b.innerText.trim() === arguments[1] && b.checkVisibility())",
            selector, words, awaited=f"{self.name} sees the button {words!r}"), words)

    def is_at(self, key):
        self.window.wait(
            "return document.querySelector(arguments[0])?.closest('li').dataset.key"
            " === arguments[1]", parts.PLACE_HERE, key, awaited=f"{self.name} is at {key}")

    def has_unread(self, key, count, names_me=False):
        """Waits until so many are counted beside a place; none are where nothing stands there."""
        self.window.wait(
            "const text = document.querySelector(arguments[0])?.querySelector(arguments[1])"
            "?.innerText ?? '';"
            "return (Number(text.match(/[0-9]+/)) || 0) === arguments[2]"
            " && (!arguments[3] || text.includes('@'))",
            parts.PLACE.format(key=key), parts.UNREAD, count, names_me,
            awaited=f"{count} unread at {key} for {self.name}")

    # Messages.

    def type(self, text):
        """Writes into the composer, without sending."""
        self.window.element(parts.COMPOSER).click()
        self.window.insert(text)

    def say(self, text):
        self.type(text)
        self.window.press(Keys.ENTER)

    def press_enter(self):
        self.window.press(Keys.ENTER)

    def person(self, name):
        """Somebody's entry in the list of people."""
        return self.window.wait(
            "return [...document.querySelectorAll(arguments[0])]"
            ".find(e => e.querySelector('bdi').textContent === arguments[1])",
            parts.PERSON, name, awaited=f"{name} is in the list of people of {self.name}")

    def draft(self):
        return self.window.script(
            "return document.querySelector(arguments[0]).value", parts.COMPOSER)

    def messages(self):
        """What is on the page, from top to bottom."""
        return self.window.script(
            parts.READ_MESSAGE + "return allMessages().map(readMessage)")

    def texts(self):
        return [message["text"] for message in self.messages()]

    def message(self, text):
        """The message with this text, which has to be there once."""
        found = [message for message in self.messages() if message["text"] == text]
        assert len(found) == 1, f"{text!r} is on the page {len(found)} times: {self.texts()}"
        return found[0]

    def sees(self, *texts, seconds=15):
        """Waits until these are on the page and none of them is still being sent."""
        self._wait(
            "arguments[0].every(text => all.some(m => m.text === text && !m.delivery))",
            texts, awaited=f"{self.name} sees {texts}", seconds=seconds)

    def sees_not(self, text):
        self._wait("!all.some(m => m.text === arguments[0])", text,
                   awaited=f"{self.name} sees {text!r} no more")

    def shows(self, texts, seconds=20):
        """Waits until the page shows exactly these messages, in this order, all of them kept."""
        self._wait(
            "all.length === arguments[0].length"
            " && all.every((m, n) => m.text === arguments[0][n] && !m.delivery)",
            texts, seconds=seconds,
            awaited=f"{self.name} sees exactly {texts[:3]} … {texts[-3:]}")

    def has_new_line_above(self, text):
        """Waits until the line of what is new stands above this message, and nowhere else."""
        self.window.wait(
            parts.READ_MESSAGE
            + "const lines = [...document.querySelectorAll(arguments[0])];"
            "const below = lines[0]?.parentElement.querySelector('article');"
            "return lines.length === 1 && readMessage(below).text === arguments[1]",
            parts.NEW_LINE, text, awaited=f"the line of what is new stands above {text!r}")

    def has_no_new_line(self):
        self.window.wait("return !document.querySelector(arguments[0])", parts.NEW_LINE,
                         awaited=f"{self.name} sees no line of what is new")

    def _wait(self, condition, *arguments, awaited, seconds=15):
        """Waits until something holds of `all`, the messages on the page."""
        self.window.wait(
            parts.READ_MESSAGE + "const all = allMessages().map(readMessage);"
            "return " + condition, *arguments, awaited=awaited, seconds=seconds)

    def say_at_once(self, texts, then_reload=False):
        """Says them all in one turn of the page's loop, faster than anybody types or is answered;
        and, where told, reloads the page in the same turn."""
        act = lambda: self.window.script(
            "const [text, send] = arguments[0].map(s => document.querySelector(s));"
            "for (const each of arguments[1]) {"
            "  text.value = each;"
            "  text.dispatchEvent(new Event('input', {bubbles: true}));"
            "  send.click();"
            "}"
            "if (arguments[2]) location.reload()",
            [parts.COMPOSER, parts.SEND], texts, then_reload)
        self.window.while_it_loads(act) if then_reload else act()

    # What can be done with a message.

    def article(self, text):
        """The element of the message with this text."""
        return self.window.wait(
            parts.READ_MESSAGE
            + "return allMessages().find(a => readMessage(a).text === arguments[0])",
            text, awaited=f"{self.name} sees {text!r}")

    def act(self, text, action):
        """Points at a message and presses one of the buttons that appear beside it."""
        self.dismiss_notices()
        self.window.point_at(self.article(text))
        self.window.click(parts.ACTION.format(name=action))

    def dismiss_notices(self):
        """Presses away what lies over the page for a moment."""
        self.window.script(
            "document.querySelectorAll(arguments[0] + ' button').forEach(b => b.click())",
            parts.NOTICES)

    def choose(self, words):
        """Presses the entry with these words of the menu that is open."""
        self.window.click_on(lambda: self.window.wait(
            "return [...document.querySelectorAll(arguments[0])]"
            ".find(e => e.innerText.trim() === arguments[1])",
            parts.MENU_ENTRY, words, awaited=f"the menu has {words!r}"), words)

    def confirm(self):
        """Says yes to the dialog that is open, and waits until it is gone."""
        self.window.click(parts.DIALOG_GO)
        self.window.wait("return !document.querySelector(arguments[0])", parts.DIALOG,
                         awaited="the dialog is gone")

    # The page as a whole.

    def title(self):
        return self.window.script("return document.title")

    def has_title(self, pattern):
        self.window.wait("return new RegExp(arguments[0], 'u').test(document.title)", pattern,
                         awaited=f"the title of {self.name} is like {pattern}")

    def has_text(self, selector, text):
        """Waits until something with this selector has this in its visible text."""
        self.window.wait(
            "return [...document.querySelectorAll(arguments[0])]"
            ".some(e => e.innerText.includes(arguments[1]))",
            selector, text, awaited=f"{self.name} reads {text!r} at {selector}")

    def is_in_sight(self, text):
        """Waits until the message with this text is inside of what the log shows."""
        self.window.wait(
            parts.READ_MESSAGE
            + "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "const one = allMessages().find(a => readMessage(a).text === arguments[1])"
            "?.getBoundingClientRect();"
            "return one && one.top >= box.top - 1 && one.bottom <= box.bottom + 1",
            parts.SCROLLER, text, awaited=f"{text!r} is in sight of {self.name}")
