"""A long history: 10,000 messages are scrolled through with few elements, and nothing jumps."""

from statistics import median

import parts
from case import BrowserCase

#: What may be on the page at any time, with all that belongs to rows, columns and pictures.
ROWS_MAX = 300
ELEMENTS_MAX = 4_000
#: How far a message may move that nobody scrolled.
JUMP_PIXELS_MAX = 2
#: How somebody scrolls: so many times by a wheel, then by the bar.
SMALL_STEPS, SMALL_PIXELS, LARGE_PIXELS = 40, 600, 2_400

#: Scrolls by steps in one direction until its end is reached: small ones first, as a wheel makes
#: them, then large ones, as somebody makes who drags the bar. At each step it notes where a message
#: is, lets the page do what it does (load older messages, where it is near the top; else whatever
#: it does in a frame), and looks where that message is now: whatever it moved by itself is a jump.
JOURNEY = """
const [scroller, message, small, large, smallSteps, isLast, list] = arguments;
const log = document.querySelector(scroller);
const frame = () => new Promise(requestAnimationFrame);
const found = {frames: [], jumps: [], rows: 0, elements: 0, steps: 0, lost: 0, least: 1e9, most: 0};
const seqs = () => [...document.querySelectorAll(message)];
const middle = () => {
  const box = log.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 80, box.top + box.height / 2);
  return at && at.closest(message);
};
const top = seq => {
  const one = document.querySelector(`${message}[data-seq="${seq}"]`);
  return one ? one.getBoundingClientRect().top : null;
};
let before = performance.now(), isAtEnd = false;
const measure = () => {
  const now = performance.now();
  found.frames.push(now - before);
  before = now;
  const all = seqs();
  found.rows = Math.max(found.rows, all.length);
  found.elements = Math.max(found.elements, document.getElementsByTagName('*').length);
  for (const one of [all[0], all[all.length - 1]]) {
    found.least = Math.min(found.least, one.dataset.seq);
    found.most = Math.max(found.most, one.dataset.seq);
  }
};
let arrived = () => {};
new MutationObserver(() => arrived()).observe(document.querySelector(list), {childList: true});
const arrival = () => new Promise(done => { arrived = done; setTimeout(done, 500); });
const isThere = () => document.querySelector(`${message}[data-seq="${isLast}"]`);
const left = step => (step < 0 ? log.scrollTop
  : log.scrollHeight - log.clientHeight - log.scrollTop);
const until = performance.now() + 100_000;
while (!isAtEnd && performance.now() < until) {
  const step = found.steps < smallSteps ? small : large;
  log.scrollTop += step;
  found.steps += 1;
  await frame();
  before = performance.now();
  const anchor = middle();
  const seq = anchor && anchor.dataset.seq, at = anchor && anchor.getBoundingClientRect().top;
  const patience = performance.now() + 5_000;
  while (left(step) < 300 && !isThere() && performance.now() < patience) await arrival();
  await frame();
  measure();
  if (seq) {
    const now = top(seq);
    if (now === null) found.lost += 1;
    else if (Math.abs(now - at) > 0.5) found.jumps.push(Math.round((now - at) * 10) / 10);
  }
  isAtEnd = isThere() && left(step) <= 1;
}
found.isAtEnd = Boolean(isAtEnd);
return found;
"""


class HistoryTests(BrowserCase):
    seconds_max = 240
    waits_seconds = 30

    def test_the_sign_of_the_day_stands_over_old_messages_and_not_over_the_beginning(self):
        server = self.server()
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        ann.say_all([f"message {n}" for n in range(40)])
        page = self.page(server, "bob")
        page.sees("message 39")
        self.scroll(page, 300)
        page.window.wait("return document.querySelector(arguments[0])", parts.DAY_SIGN_SHOWN,
                         awaited="the day is said over old messages")
        self.scroll(page, 0)
        sign = page.window.promise(
            "for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);"
            "return document.querySelector(arguments[0]).className", parts.DAY_SIGN)
        self.assertEqual(sign, "", "the sign lies over the beginning of the room")

    def lobby_with(self, count):
        """A server whose lobby has so many messages, "old 0" and on, and ann, who said them."""
        server = self.server("--no-limits")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        ann.say_all([f"old {n}" for n in range(count)])
        return server, ann

    def scroll(self, page, top):
        page.window.script(
            "document.querySelector(arguments[0]).scrollTop = arguments[1]", parts.SCROLLER, top)

    def test_ten_thousand_messages_scroll_with_few_elements_and_without_a_jump(self):
        server = self.server("--no-limits")
        ann = self.program(server, "ann")
        ann.call("join", room="lobby")
        words = "what was said here a long while ago, of some length or other".split()
        ann.say_all([f"number {n}: " + " ".join(words[:1 + n * 7 % len(words)])
                     + ("\nand a second line" if n % 11 == 0 else "") for n in range(10_000)])
        bob = self.page(server, "bob")
        bob.window.wait("return document.querySelector(`${arguments[0]}[data-seq='10000']`)",
                        parts.MESSAGE, awaited="the newest message is on the page")
        up = self.journey(bob, "up", -1, 1)
        down = self.journey(bob, "down", 1, 10_000)
        for way in (up, down):
            self.assertTrue(way["isAtEnd"], f"not at the end after {way['steps']} steps: {way}")
            self.assertLessEqual(way["rows"], ROWS_MAX)
            self.assertLessEqual(way["elements"], ELEMENTS_MAX)
            self.assertEqual(way["lost"], 0, "the message in the middle was taken away")
            self.assertLess(max(map(abs, way["jumps"]), default=0), JUMP_PIXELS_MAX)
        self.assertEqual(up["least"], 1)
        self.assertEqual(down["most"], 10_000)

    def journey(self, page, name, way, last):
        found = page.window.promise(
            JOURNEY, parts.SCROLLER, parts.MESSAGE, way * SMALL_PIXELS, way * LARGE_PIXELS,
            SMALL_STEPS, last, parts.MESSAGES)
        frames = sorted(found.pop("frames"))
        self.figure(
            f"{name}: {found['steps']} steps, frames median {median(frames):.1f} ms, 95 % "
            f"{frames[len(frames) * 95 // 100]:.1f} ms, longest {frames[-1]:.0f} ms; at most "
            f"{found['rows']} messages and {found['elements']} elements on the page; "
            f"{len(found['jumps'])} moves over half a pixel, the widest "
            f"{max(map(abs, found['jumps']), default=0)} px")
        return found

    def test_who_drags_the_bar_to_the_end_is_there_before_it_is_painted(self):
        server, ann = self.lobby_with(300)
        bob = self.page(server, "bob")
        bob.sees("old 299")
        bob.window.promise(
            "const log = document.querySelector(arguments[0]);"
            "log.scrollTop -= 1200;"
            "for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame)",
            parts.SCROLLER)
        # Rows that nobody has seen are taken for as high as others are, until they are there.
        ann.say_all([f"new {n}\nin\nfour\nlines" for n in range(120)])
        bob.has_text(parts.TO_NEWEST, "120")
        left = bob.window.promise(
            "const log = document.querySelector(arguments[0]);"
            "log.scrollTop = log.scrollHeight;"
            "const left = [];"
            "for (let n = 0; n < 4; n++) {"
            "  await new Promise(requestAnimationFrame);"
            "  left.push(log.scrollHeight - log.clientHeight - log.scrollTop);"
            "}"
            "return left", parts.SCROLLER)
        self.assertLessEqual(max(left), JUMP_PIXELS_MAX, "it is at the end only a while later")
        bob.is_in_sight("new 119\nin\nfour\nlines")

    def test_who_scrolls_away_in_the_moment_of_a_change_is_not_taken_back(self):
        server, ann = self.lobby_with(60)
        bob = self.page(server)
        bob.window.begin_with(
            "window.WebSocket = class extends WebSocket {"
            "  constructor(...given) { super(...given); window.__socket = this; }"
            "};")
        bob.window.reload()
        bob.sign_in("bob")
        bob.sees("old 0", "old 59")
        # What the server tells comes before the browser tells of the scroll.
        moved = bob.window.promise(
            "const log = document.querySelector(arguments[0]), top = log.scrollTop;"
            "log.scrollTop -= 500;"
            "const edited = {room: 'lobby', seq: 61, of: 60, by: 'ann', text: 'changed',"
            "  at: new Date().toISOString()};"
            "__socket.onmessage({data: JSON.stringify({edited})});"
            "for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);"
            "return top - log.scrollTop", parts.SCROLLER)
        bob.sees("changed")
        self.assertAlmostEqual(moved, 500, delta=JUMP_PIXELS_MAX)

    def test_what_arrives_while_one_reads_old_messages_moves_nothing(self):
        server, ann = self.lobby_with(300)
        bob = self.page(server, "bob")
        bob.sees("old 299")
        place = bob.window.promise(
            "const log = document.querySelector(arguments[0]);"
            "log.scrollTop -= 1500;"
            "for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);"
            "const box = log.getBoundingClientRect();"
            "const one = document.elementFromPoint(box.left + 80, box.top + 200)"
            ".closest(arguments[1]);"
            "return [one.dataset.seq, one.getBoundingClientRect().top]",
            parts.SCROLLER, parts.MESSAGE)
        ann.say_all([f"new {n}" for n in range(30)])
        bob.has_text(parts.TO_NEWEST, "30")
        top = bob.window.script(
            "return document.querySelector(`${arguments[0]}[data-seq='${arguments[1]}']`)"
            ".getBoundingClientRect().top", parts.MESSAGE, place[0])
        self.assertAlmostEqual(top, place[1], delta=JUMP_PIXELS_MAX)
        bob.window.click(parts.TO_NEWEST)
        bob.is_in_sight("new 29")
