"""One headless Chromium and its windows. Knows nothing of chat."""

import json
import os

from devtools import DevTools
from window import Window

#: Debian's Chromium without what is around a page: half of the other's work in these tests.
CHROMIUM = os.environ.get("BECK_CHROMIUM", "/usr/lib/chromium/chromium-headless-shell")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --mute-audio"
    " --disable-background-networking --disable-component-update --disable-extensions"
    " --no-first-run --no-default-browser-check --disable-breakpad --disable-crash-reporter"
    " --use-mock-keychain --password-store=basic --force-color-profile=srgb"
    # Fewer processes: the windows of a test are people who trust each other.
    " --process-per-site --in-process-gpu"
    # Several windows are looked at at once; none is to be slowed because another is in front.
    " --disable-background-timer-throttling --disable-renderer-backgrounding"
    " --disable-backgrounding-occluded-windows"
).split() + [
    # Headless there is no mouse; the pages are to believe in one.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
    "availablePointerTypes=4",
    # Names and addresses of elsewhere that lead to this machine: what a hostile name server says,
    # and a machine of the local network. Nothing is ever sent to the real ones.
    "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP 192.0.2.7 127.0.0.1",
]


class Chromium:
    """A browser process; windows are made and closed in it."""

    def __init__(self, *flags):
        self.tools = DevTools(CHROMIUM, (*FLAGS, *flags))
        self.tools.on_event = self._told
        self.idle = []
        self.windows = {}
        self.lines = []
        self.asked = {}
        self.with_origin = set()
        self.answered = []

    def window(self, width=1280, height=800):
        """A window as new; one that was left is taken again, which costs a tenth."""
        if self.idle:
            window = self.idle.pop()
            window.size(width, height)
            return window
        target = self.tools.call("Target.createTarget", url="about:blank", newWindow=True)
        session = self.tools.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        window = self.windows[session] = Window(self, session)
        self._look_at(session)
        window.begin(width, height)
        return window

    def _look_at(self, session):
        """Is told what happens in a page, or in a frame of another origin inside of one."""
        for domain in ("Log", "Runtime"):
            self.tools.send(domain + ".enable", session)
        self.tools.send("Target.setAutoAttach", session, autoAttach=True, flatten=True,
                        waitForDebuggerOnStart=True)

    def _told(self, session, method, told):
        if method == "Log.entryAdded":
            entry = told["entry"]
            self.lines.append((entry["level"], f"{entry.get('url', '')} {entry['text']}"))
        elif method == "Runtime.consoleAPICalled":
            words = " ".join(str(a.get("value", a.get("description"))) for a in told["args"])
            self.lines.append((told["type"], words))
        elif method == "Runtime.exceptionThrown":
            self.lines.append(("error", json.dumps(told["exceptionDetails"])))
        elif method == "Network.requestWillBeSent":
            self.asked[told["requestId"]] = told["request"]
        elif method == "Network.requestWillBeSentExtraInfo":
            if "Origin" in told["headers"]:
                self.with_origin.add(told["requestId"])
        elif method == "Network.responseReceivedExtraInfo":
            self.answered.append((told["requestId"], told["statusCode"]))
        elif method == "Page.lifecycleEvent" and told["name"] == "load":
            if session in self.windows:
                self.windows[session].loaded.append(told["loaderId"])
        elif method == "Target.attachedToTarget" and session:
            self._look_at(told["sessionId"])
            self.tools.send("Runtime.runIfWaitingForDebugger", told["sessionId"])

    def console(self):
        """What the consoles of all windows got since the last call, as (level, message)."""
        self.tools.call("Browser.getVersion")  # What was told before it has come then.
        lines, self.lines = self.lines, []
        return lines

    def exchanges(self):
        """Of the windows that watch the network: (method, address, whether it had an Origin,
        status), also of answers that the page may not read."""
        self.tools.call("Browser.getVersion")
        found = [(self.asked[number]["method"], self.asked[number]["url"],
                  number in self.with_origin, status) for number, status in self.answered]
        self.asked, self.with_origin, self.answered = {}, set(), []
        return found

    def end(self):
        self.tools.end()
