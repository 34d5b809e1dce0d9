"""One window of the browser: what a person does in it, and what a test reads from it."""

import base64
import json
from pathlib import Path

from devtools import Failed
from keys import strokes
from waiting import PATIENCE_SECONDS, until

#: Runs in each window before any script of the page: what went wrong there, kept for the test.
WATCH = """
window.__wrong = [];
addEventListener('error', e => __wrong.push('error: ' + e.message));
addEventListener('unhandledrejection', e => __wrong.push('rejection: ' + e.reason));
document.addEventListener('securitypolicyviolation', e =>
  __wrong.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
window.__shift = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) __shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""

#: Looks for a second, so that the one who waits can look at the time between.
WAIT = """
const given = [...arguments];
const end = performance.now() + 1000;
return new Promise(done => (function look() {
  let value = null;
  try { value = (function () { BODY }).apply(null, given); } catch { /* not there yet */ }
  if (value || performance.now() > end) done(value ?? null);
  else setTimeout(look, 20);
})());
"""

#: Where the mouse has to go to hit this element; nothing where another lies over it, or it is gone.
PLACE_OF = """function () {
  if (!this.isConnected) return 'gone';
  this.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
  const box = this.getClientRects()[0];
  if (!box) return null;
  const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right);
  const top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
  const x = (left + right) / 2, y = (top + bottom) / 2;
  const hit = document.elementFromPoint(x, y);
  return hit && this.contains(hit) ? [x, y] : null;
}"""

SCRIPT_SECONDS_MAX = 120
LOAD_SECONDS_MAX = 30


class Gone(Exception):
    """An element is not on the page any more."""


class Element:
    """Something on a page."""

    def __init__(self, window, object_id):
        self.window = window
        self.object_id = object_id

    def call(self, function):
        """Runs a function of the page, whose `this` is the element."""
        try:
            return self.window.value(self.window.command(
                "Runtime.callFunctionOn", functionDeclaration=function, objectId=self.object_id))
        except Failed as problem:
            raise Gone(str(problem)) from None

    def middle(self):
        """Where the mouse hits it, brought into sight if need be; waits while others lie above."""
        place = until(lambda: self.call(PLACE_OF), "an element can be pointed at")
        if place == "gone":
            raise Gone("an element is not on the page any more")
        return place

    def click(self):
        self.window.mouse("mouseMoved", *self.middle())
        # What a pointer brings about may have moved it.
        place = self.middle()
        for kind in ("mousePressed", "mouseReleased"):
            self.window.mouse(kind, *place, button="left", clickCount=1)


class Window:
    """One window. Windows live side by side; none is in front of another."""

    def __init__(self, browser, session):
        self.browser = browser
        self.session = session
        self.origins = set()
        #: Which documents were loaded to their end.
        self.loaded = []
        self.beginnings = []

    def begin(self, width, height):
        self.command("Page.enable")
        self.command("Page.setLifecycleEventsEnabled", enabled=True)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)
        self.agent = self.script("return navigator.userAgent")
        self.size(width, height)

    def command(self, name, seconds=SCRIPT_SECONDS_MAX, **arguments):
        """A command of the DevTools protocol, sent to this window."""
        return self.browser.tools.call(name, self.session, seconds, **arguments)

    def value(self, answered):
        """What a script gave: an element of the page, or what can be said in JSON."""
        if "exceptionDetails" in answered:
            told = answered["exceptionDetails"]
            raise AssertionError(told.get("exception", {}).get("description") or told["text"])
        found = answered["result"]
        if "objectId" not in found:
            return found.get("value")
        if found.get("subtype") == "node":
            return Element(self, found["objectId"])
        return self.command(
            "Runtime.callFunctionOn", functionDeclaration="function () { return this; }",
            objectId=found["objectId"], returnByValue=True)["result"].get("value")

    def script(self, body, *arguments, kind="function"):
        """Runs the body of a function in the page; gives what it returns, or what it promises."""
        expression = f"({kind} () {{ {body}\n}}).apply(null, {json.dumps(arguments)})"
        return self.value(self.command(
            "Runtime.evaluate", expression=expression, awaitPromise=True, userGesture=True))

    def promise(self, body, *arguments):
        """Runs the body of an async function in the page; waits for it."""
        return self.script(body, *arguments, kind="async function")

    def wait(self, body, *arguments, awaited, seconds=PATIENCE_SECONDS):
        """Waits until the body of a function gives something true, and gives that.

        The page itself looks again and again, which costs less than to ask it each time. Where it
        is loaded anew meanwhile, the next document is asked.
        """
        script = WAIT.replace("BODY", body)

        def holds():
            try:
                return self.script(script, *arguments)
            except Failed:
                return None

        return until(holds, awaited, seconds)

    # What a person does.

    def go(self, address):
        if "//" in address:
            self.origins.add("/".join(address.split("/")[:3]))
        answered = self.command("Page.navigate", url=address)
        if "errorText" in answered:
            raise AssertionError(f"{address} cannot be loaded: {answered['errorText']}")
        loader = answered.get("loaderId")
        self.browser.tools.listen(
            lambda: loader in self.loaded, f"load {address}", LOAD_SECONDS_MAX)

    def reload(self):
        self.while_it_loads(lambda: self.command("Page.reload"))

    def while_it_loads(self, act):
        """Does what loads the page anew, and returns when the next document is there."""
        before = len(self.loaded)
        act()
        self.browser.tools.listen(
            lambda: len(self.loaded) > before, "load the page anew", LOAD_SECONDS_MAX)

    def click(self, selector):
        """Clicks what is there."""
        self.click_on(lambda: self.element(selector), selector)

    def click_on(self, find, awaited):
        """Clicks what is found, also where the page puts another in its place meanwhile."""
        def done():
            try:
                find().click()
                return True
            except Gone:
                return False

        until(done, f"{awaited} can be clicked")

    def element(self, selector):
        return self.wait(
            "const all = [...document.querySelectorAll(arguments[0])];"
            "return all.find(e => e.checkVisibility({visibilityProperty: true})) || null",
            selector, awaited=f"something visible at {selector}")

    def point_at(self, element):
        """Moves the mouse onto an element."""
        self.mouse("mouseMoved", *element.middle())

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def press(self, *keys):
        """Presses keys where the focus is; a chord is a tuple, its last key the struck one."""
        for stroke in strokes(keys):
            self.command("Input.dispatchKeyEvent", **stroke)

    def insert(self, text):
        """Types text where the focus is, as an input method would: whole, of any script."""
        self.command("Input.insertText", text=text)

    # What surrounds the page.

    def size(self, width, height, is_phone=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=is_phone)

    def begin_with(self, source):
        """Runs this in each document from now on, before any script of it."""
        added = self.command("Page.addScriptToEvaluateOnNewDocument", source=source)
        self.beginnings.append(added["identifier"])

    def hide(self, is_hidden=True):
        """Another tab is in front of this one, or no more; told in the browser's own words."""
        self.script(
            "const state = arguments[0] ? 'hidden' : 'visible';"
            "Object.defineProperty(document, 'visibilityState',"
            " {configurable: true, get: () => state});"
            "document.dispatchEvent(new Event('visibilitychange'))", is_hidden)
        self.look(not is_hidden)

    def look(self, is_looking):
        """Somebody looks at this window from now on, or at something else.

        Every window is told that it has the focus, so the page is told of another in the
        browser's own words.
        """
        self.script(
            "document.hasFocus = () => arguments[0];"
            "dispatchEvent(new Event(arguments[0] ? 'focus' : 'blur'))", is_looking)

    def prefer(self, scheme="light", language="en", is_still=True):
        """What the person's system says: light or dark, a language, less motion."""
        motion = "reduce" if is_still else "no-preference"
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}])
        self.command("Emulation.setUserAgentOverride", userAgent=self.agent,
                     acceptLanguage=language)

    # What is kept of it.

    def watch_network(self):
        """From here on what it asks and is answered is kept (`Chromium.exchanges`)."""
        self.command("Network.enable")

    def wrongs(self):
        """Errors, unhandled rejections and policy violations of the page that is loaded."""
        return self.script("return window.__wrong || []")

    def picture(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        """Leaves it for another test, as if it were new: nothing is kept of where it was."""
        try:
            self.script("try { sessionStorage.clear() } catch { /* it has none */ }")
            self.command("Network.disable")
            while self.beginnings:
                self.command("Page.removeScriptToEvaluateOnNewDocument",
                             identifier=self.beginnings.pop())
            self.go("about:blank")
            for origin in self.origins:
                self.command("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
            self.origins.clear()
            self.loaded.clear()
            self.browser.idle.append(self)
        except (AssertionError, Failed, OSError):
            pass  # The browser has ended, or this window is not well: others are made.
