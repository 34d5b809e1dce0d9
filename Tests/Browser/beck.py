"""Starts and ends servers, and speaks to them as programs and people without a browser do."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from waiting import PATIENCE_SECONDS, until

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("BECK_PROGRAM", str(ROOT / ".build/release/beck"))


class Server:
    """One `beck serve` with a data directory of its own, on one port of 127.0.0.1."""

    def __init__(self, *flags, listen=("127.0.0.1",)):
        self.flags = flags
        self.listen = listen
        self.directory = tempfile.mkdtemp(prefix="beck-browser-")
        self.port = 0
        self.heard = []
        self.process = None
        self.start()

    @property
    def address(self):
        """Where the page is: the one place that knows."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        """Starts it, again on the port that it had; returns when it listens."""
        command = [PROGRAM, "serve", *self.flags]
        if "--memory" not in self.flags:
            command += ["--data", self.directory + "/data"]
        for host in self.listen:
            command += ["--listen", f"{host}:{self.port}"]
        self.heard = []
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()
        self.port = int(self._said(r"listening on \S*:(\d+)\b", len(self.listen)))

    @property
    def owner_code(self):
        """What makes somebody the first owner of a new directory."""
        return self._said(r'"code":"([^"]+)"')

    def _read(self, stream):
        for line in stream:
            self.heard.append(line)

    def _said(self, pattern, times=1):
        def found():
            all_found = re.findall(pattern, "".join(self.heard))
            if len(all_found) < times and self.process.poll() is not None:
                raise AssertionError(f"beck serve ended: {''.join(self.heard)}")
            return all_found[0] if len(all_found) >= times else None

        return until(found, f"the server says {pattern}")

    def kill(self):
        """As a power cut would: no farewell, nothing flushed."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        """Ends it and removes what it kept."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)


class Refused(Exception):
    """An error that the server answered."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error.get('message')}")
        self.code = error["code"]


class Program:
    """A person who speaks JSON lines (docs/wire/json.md) over a plain socket."""

    def __init__(self, port, name=None, **login):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.events = []
        self.last_id = 0
        if name:
            self.call("login", name=name, **login)

    def call(self, method, **arguments):
        """Asks, and gives what the answer has; what comes before it is kept as events."""
        return self.answer(self.ask(method, **arguments))

    def ask(self, method, **arguments):
        """Asks without waiting; `answer` has the answer. `from` is spelled `from_`."""
        self.last_id += 1
        arguments = {key.rstrip("_"): value for key, value in arguments.items()}
        line = json.dumps({"id": self.last_id, method: arguments}) + "\n"
        self.socket.sendall(line.encode())
        return self.last_id

    def answer(self, number):
        while True:
            heard = self._next(f"the answer to request {number}")
            if heard.get("id") == number:
                if "error" in heard:
                    raise Refused(heard["error"])
                return heard["ok"]
            self.events.append(heard)

    def event(self, kind, **fields):
        """The first event of the kind that has these fields, among those not taken yet."""
        fields = {key.rstrip("_"): value for key, value in fields.items()}
        position = 0
        while True:
            while position < len(self.events):
                found = self.events[position].get(kind)
                if found is not None and all(found.get(k) == v for k, v in fields.items()):
                    del self.events[position]
                    return found
                position += 1
            self.events.append(self._next(f"the event {kind} with {fields}"))

    def send(self, text, room="lobby", **arguments):
        """Says it and gives its number, when it is kept."""
        place = {} if "with_" in arguments else {"room": room}
        return self.call("send", text=text, **place, **arguments)["seq"]

    def say_all(self, texts, room="lobby"):
        """Says them in one go, thousands if need be, and waits until the last one is kept."""
        lines = [json.dumps({"id": n, "send": {"room": room, "text": text}}) + "\n"
                 for n, text in enumerate(texts)]
        sending = threading.Thread(target=self.socket.sendall, args=("".join(lines).encode(),))
        sending.start()
        self.answer(len(texts) - 1)
        sending.join()
        self.events = [event for event in self.events if "ok" not in event]

    def history(self, **place):
        """All messages of a place, oldest first."""
        found, before = [], {}
        while True:
            page = self.call("history", limit=500, **place, **before)
            found = page["messages"] + found
            if not page["more"]:
                return found
            before = {"before": found[0]["seq"]}

    def texts(self, room="lobby"):
        return [message["text"] for message in self.history(room=room)]

    def finds(self, query):
        """Waits until a search finds this: the index of words is a moment behind the history."""
        until(lambda: self.call("search", query=query)["messages"], f"a search finds {query!r}",
              pause_seconds=0.2)

    def _next(self, awaited):
        try:
            line = self.lines.readline()
        except TimeoutError:
            line = ""
        if not line:
            raise AssertionError(f"the server did not send {awaited}; before: {self.events[-5:]}")
        return json.loads(line)

    def close(self):
        self.socket.close()


class Netcat:
    """A person with nothing but a socket, who types lines (docs/wire/plain.md)."""

    def __init__(self, port, name):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.heard = []
        self.type(f"iam:{name}")
        self.hears(f"{name} has joined")

    def type(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def hears(self, line):
        """Reads until this line comes."""
        while line not in self.heard:
            try:
                heard = self.lines.readline()
            except TimeoutError:
                heard = ""
            if not heard:
                raise AssertionError(f"netcat did not hear {line!r}, but {self.heard}")
            self.heard.append(heard.rstrip("\n"))

    def close(self):
        self.socket.close()
