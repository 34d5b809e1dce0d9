"""Speaks the DevTools protocol to one Chromium over two pipes. Knows nothing of pages."""

import json
import os
import select
import shutil
import signal
import tempfile
import time


class Failed(Exception):
    """What the browser answered in place of a result."""


class DevTools:
    """A browser process. It ends with this object, and also when the process that has it ends:
    a Chromium whose pipe is closed goes, however that came about."""

    def __init__(self, program, flags):
        self.directory = tempfile.mkdtemp(prefix="beck-chromium-")
        arguments = [program, *flags, "--remote-debugging-pipe",
                     f"--user-data-dir={self.directory}", "about:blank"]
        reads, self.writing = os.pipe()
        self.reading, writes = os.pipe()
        nothing = os.open(os.devnull, os.O_RDWR)
        # Chromium reads commands at 3 and writes to 4, whatever numbers these have here.
        high = [os.dup2(end, number) for end, number in ((reads, 203), (writes, 204))]
        actions = [(os.POSIX_SPAWN_DUP2, nothing, number) for number in (0, 1, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, *pair) for pair in zip(high, (3, 4))]
        self.process = os.posix_spawn(program, arguments, os.environ, file_actions=actions)
        for end in (reads, writes, nothing, *high):
            os.close(end)
        self.held = bytearray()
        self.last_id = 0
        #: Called with (session, method, parameters) of what the browser tells by itself.
        self.on_event = lambda session, method, told: None

    def call(self, method, session=None, seconds=60, **parameters):
        """Sends a command, and gives its result; what is told meanwhile goes to `on_event`."""
        number = self.send(method, session, **parameters)
        end = time.monotonic() + seconds
        while True:
            heard = self._next(end, method)
            if heard.get("id") == number:
                if "error" in heard:
                    raise Failed(f"{method}: {heard['error']['message']}")
                return heard["result"]
            self._tell(heard)

    def send(self, method, session=None, **parameters):
        """Sends a command without waiting for its answer."""
        self.last_id += 1
        command = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]
        return self.last_id

    def listen(self, is_enough, awaited, seconds):
        """Takes what the browser tells until this is true."""
        end = time.monotonic() + seconds
        while not is_enough():
            self._tell(self._next(end, awaited))

    def _tell(self, heard):
        if "method" in heard:
            self.on_event(heard.get("sessionId"), heard["method"], heard["params"])

    def _next(self, end, awaited):
        while (at := self.held.find(b"\0")) < 0:
            ready, _, _ = select.select([self.reading], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"the browser said nothing in time to {awaited}")
            data = os.read(self.reading, 1 << 20)
            if not data:
                raise AssertionError(f"the browser ended before {awaited}")
            self.held += data
        line = self.held[:at]
        del self.held[:at + 1]
        return json.loads(line)

    def end(self):
        os.close(self.writing)
        os.close(self.reading)
        # It has nothing to keep, and takes a while to find that out by itself.
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        shutil.rmtree(self.directory, ignore_errors=True)
