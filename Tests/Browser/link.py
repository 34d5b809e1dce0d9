"""A network between the page and its server that a test can cut, silence and mend."""

import selectors
import socket
import struct
import threading

#: An end with this option is a reset (RST), not a farewell (FIN).
RESET = struct.pack("ii", 1, 0)


class Link:
    """Forwards a port of its own to the server's, in both directions.

    `cut` resets what is connected and refuses what is new; `silence` takes everything and lets
    nothing through, as a cable does that somebody pulled; `mend` makes it whole again. What was
    connected in a silence stays dead, as it does behind a router that forgot.
    """

    def __init__(self, port):
        self.server_port = port
        self.listener = self._listen(0)
        self.port = self.listener.getsockname()[1]
        self.pairs = set()
        self.lock = threading.Lock()
        self.is_silent = False
        self.accepted = 0

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    def cut(self):
        listener, self.listener = self.listener, None
        self._stop(listener)
        self._reset_all()

    def reset(self):
        """Resets what is connected; what is new comes through."""
        self._reset_all()

    def silence(self):
        self.is_silent = True

    def mend(self):
        if self.is_silent:
            self.is_silent = False
            self._reset_all()
        if self.listener is None:
            self.listener = self._listen(self.port)

    def end(self):
        if self.listener:
            self._stop(self.listener)
        self._reset_all()

    def _listen(self, port):
        listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    @staticmethod
    def _stop(listener):
        # A thread that waits in accept() keeps a closed socket listening; this wakes it.
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            self.accepted += 1
            try:
                far = socket.create_connection(("127.0.0.1", self.server_port), 5)
            except OSError:
                near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                near.close()
                continue
            with self.lock:
                self.pairs.add((near, far))
            threading.Thread(target=self._forward, args=(near, far), daemon=True).start()

    def _forward(self, near, far):
        pair, other = (near, far), {near: far, far: near}
        with selectors.DefaultSelector() as ready:
            for end in other:
                ready.register(end, selectors.EVENT_READ)
            try:
                while len(ready.get_map()):
                    for key, _ in ready.select():
                        if pair not in self.pairs:
                            raise OSError  # It was reset.
                        self._pass_on(key.fileobj, other[key.fileobj], ready)
            except OSError:
                pass
        with self.lock:
            self.pairs.discard(pair)
        near.close()
        far.close()

    def _pass_on(self, end, other, ready):
        data = end.recv(65536)
        if not data:
            ready.unregister(end)
        if self.is_silent:
            return
        if data:
            other.sendall(data)
        else:
            other.shutdown(socket.SHUT_WR)

    def _reset_all(self):
        with self.lock:
            pairs, self.pairs = self.pairs, set()
        for pair in pairs:
            for end in pair:
                self._reset(end)

    @staticmethod
    def _reset(end):
        """Wakes the thread of the pair, whose closing then resets."""
        try:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            end.shutdown(socket.SHUT_RD)
        except OSError:
            pass  # It is closed already.
