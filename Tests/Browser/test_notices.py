"""Notifications on the desktop: of what is meant for somebody who does not look, and of no more."""

import parts
from case import BrowserCase

#: In the place of the browser's own, which would show them where no test can look.
RECORDER = """
window.__notices = [];
window.Notification = class {
  static permission = 'default';
  static async requestPermission() { return (this.permission = 'granted'); }
  constructor(title, more) {
    Object.assign(this, more, {title});
    __notices.push(this);
  }
  close() { this.isClosed = true; }
};
"""


class NoticeTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.beck = self.server()
        self.ann = self.program(self.beck, "ann")
        self.ann.call("join", room="lobby")

    def page_with_notices(self, name="bob"):
        """Somebody who has turned them on."""
        page = self.page(self.beck)
        page.window.begin_with(RECORDER)
        page.window.reload()
        page.sign_in(name)
        page.window.click(parts.SETTINGS)
        page.press_button(parts.DIALOG, parts.NOTIFY_ON)
        page.press_button(parts.DIALOG, parts.CLOSE)
        return page

    def notices(self, page):
        """What was shown: title and text of each."""
        return page.window.script("return __notices.map(one => [one.title, one.body])")

    def has_notices(self, page, *wanted):
        page.window.wait("return __notices.length === arguments[0]", len(wanted),
                         awaited=f"{page.name} was shown {len(wanted)} notifications")
        self.assertEqual(self.notices(page), [list(one) for one in wanted])

    def test_a_message_for_somebody_in_a_hidden_window_makes_one_and_it_leads_there(self):
        bob = self.page_with_notices()
        bob.go("room:tea")
        bob.window.hide()
        self.ann.send("**@bob**, are you there?")
        self.has_notices(bob, ("ann · #lobby", "@bob, are you there?"))
        bob.has_title(r"^\(1\) #tea")
        bob.window.script("__notices[0].onclick()")
        bob.is_at("room:lobby")
        bob.sees("@bob, are you there?")
        self.assertTrue(bob.window.script("return __notices[0].isClosed"))
        bob.window.hide(False)
        bob.has_title("^#lobby")

    def test_a_conversation_makes_one_whatever_is_said(self):
        bob = self.page_with_notices()
        bob.window.look(False)
        self.ann.call("join", **{"with": "bob"})
        self.ann.send("psst", with_="bob")
        self.has_notices(bob, ("ann", "psst"))
        bob.has_title(r"^\(1\) #lobby")
        bob.window.script("__notices[0].onclick()")
        bob.is_at("with:ann")

    def test_none_comes_while_one_looks_of_own_words_or_of_what_names_somebody_else(self):
        bob = self.page_with_notices()
        self.ann.send("@bob while you look")
        bob.sees("@bob while you look")
        bob.window.hide()
        self.ann.send("to everybody")
        self.ann.send("@bobby and bobbin are others")
        phone = self.program(self.beck)
        phone.call("login", token=bob.token())
        phone.call("join", room="lobby")
        phone.send("@bob, a note to myself")
        self.ann.send("now you, Bob")
        # The last thing said is the first that makes one.
        self.has_notices(bob, ("ann · #lobby", "now you, Bob"))
        bob.has_title(r"^\(3\) #lobby")

    def test_none_comes_where_they_are_turned_off(self):
        bob = self.page_with_notices()
        bob.window.click(parts.SETTINGS)
        bob.press_button(parts.DIALOG, parts.NOTIFY_OFF)
        bob.press_button(parts.DIALOG, parts.CLOSE)
        bob.window.hide()
        self.ann.send("@bob, are you there?")
        bob.has_title(r"^\(1\) #lobby")
        self.assertEqual(self.notices(bob), [])
