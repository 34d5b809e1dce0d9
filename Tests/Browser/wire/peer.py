"""A client made of a bare socket, which can send what no library would."""

import base64
import hashlib
import json
import os
import socket
import struct

from frames import CLOSE, PING, PONG, TEXT, frame
from waiting import PATIENCE_SECONDS

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 1.3


class HTTPAnswer:
    """An answer's status line, fields (names in small letters) and, where asked for, body."""

    def __init__(self, head):
        status, *lines = head.decode("latin-1").split("\r\n")
        self.version, code, *_ = status.split(" ", 2)
        self.status = int(code)
        self.fields = {}
        for line in lines:
            name, value = line.split(":", 1)
            self.fields[name.lower()] = value.strip()
        self.body = b""


class Peer:
    """A connection on which bytes are sent, and answers and frames read one by one."""

    def __init__(self, port):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.held = b""
        self.key = base64.b64encode(os.urandom(16)).decode()

    def send(self, *pieces):
        """Sends each piece by itself. What the server has closed meanwhile is not our problem."""
        try:
            for piece in pieces:
                self.socket.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def request(self, method="GET", target="/ws", version="HTTP/1.1", fields=(), without=(),
                body=b""):
        """An upgrade's head (RFC 6455 4.1), less the fields in `without`, with others added."""
        usual = [
            ("Host", f"127.0.0.1:{self.port}"), ("Upgrade", "websocket"),
            ("Connection", "Upgrade"), ("Sec-WebSocket-Key", self.key),
            ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Protocol", "beck.json"),
        ]
        lines = [f"{method} {target} {version}"]
        lines += [f"{name}: {value}" for name, value in usual if name not in without]
        lines += [f"{name}: {value}" for name, value in fields]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body

    def answer(self):
        """The next HTTP answer, its body read by its length."""
        while b"\r\n\r\n" not in self.held:
            if not self._more():
                raise AssertionError(f"no whole answer: {self.held!r}")
        head, self.held = self.held.split(b"\r\n\r\n", 1)
        answer = HTTPAnswer(head)
        length = int(answer.fields.get("content-length", 0)) if answer.status != 101 else 0
        while len(self.held) < length and self._more():
            pass
        answer.body, self.held = self.held[:length], self.held[length:]
        return answer

    def upgrade(self, **more):
        """Becomes a WebSocket; gives the answer."""
        self.send(self.request(**more))
        answer = self.answer()
        if answer.status != 101:
            raise AssertionError(f"no upgrade but {answer.status}: {answer.body!r}")
        return answer

    @property
    def accept(self):
        """What Sec-WebSocket-Accept has to be (RFC 6455 4.2.2)."""
        return base64.b64encode(hashlib.sha1((self.key + GUID).encode()).digest()).decode()

    def frame(self):
        """The next frame as (opcode, payload); None at the end. A server's frame is whole,
        unmasked, and has no reserved bit (RFC 6455 5.1)."""
        start = self._take(2)
        if start is None:
            return None
        first, second = start
        assert first & 0xF0 == 0x80, f"fragmented, or a reserved bit is set: {first:#x}"
        assert second & 0x80 == 0, "a server's frame is masked"
        length = second
        if length == 126:
            length = struct.unpack("!H", self._take(2))[0]
            assert length > 125, "a length that is not in its shortest form"
        elif length == 127:
            length = struct.unpack("!Q", self._take(8))[0]
            assert length > 65_535, "a length that is not in its shortest form"
        payload = self._take(length)
        assert payload is not None, "the end in the middle of a frame"
        return first & 0x0F, payload

    def until_answered(self):
        """Asks and pings once more, and gives all frames before both are answered, or fails."""
        self.send(frame(TEXT, asks("the end")), frame(PING, b"the end"))
        before, awaited = [], [answers("the end"), (PONG, b"the end")]
        while awaited:
            heard = self.frame()
            if heard is None or heard[0] == CLOSE:
                raise AssertionError(f"closed ({heard}); before that: {before}")
            ended = [one for one in awaited if is_frame(heard, one)]
            if ended:
                awaited.remove(ended[0])
            else:
                before.append(heard)
        return before

    def until_close(self):
        """All frames before the close frame, its code (None without), and its reason.

        The server has to close the connection then, and to say nothing more.
        """
        before = []
        while (heard := self.frame()) is not None:
            opcode, payload = heard
            if opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else None
                assert self._take(1) is None, "something comes behind the close frame"
                return before, code, payload[2:].decode()
            before.append(heard)
        raise AssertionError(f"closed without a close frame; before that: {before}")

    def close(self):
        self.socket.close()

    def _more(self):
        try:
            read = self.socket.recv(65_536)
        except TimeoutError:
            raise AssertionError("nothing came, and no end") from None
        except ConnectionResetError:
            return False
        self.held += read
        return bool(read)

    def _take(self, count):
        while len(self.held) < count:
            if not self._more():
                return None
        taken, self.held = self.held[:count], self.held[count:]
        return taken


def asks(id_text, padding=0):
    """A request that the server answers with the same id, so that it works as an echo.

    Blanks behind the object make it as long as a test wants.
    """
    if isinstance(id_text, str):
        id_text = id_text.encode()
    return b'{"ping":{},"id":"' + id_text + b'"}' + b" " * padding


def answers(id_text):
    """The frame that answers `asks` with this id, as far as a test knows it."""
    return TEXT, id_text


def is_frame(heard, expected):
    """Whether it is the one: a text by the id in it, others by all of their bytes."""
    if expected[0] == TEXT:
        return heard[0] == TEXT and json.loads(heard[1]).get("id") == expected[1]
    return heard == expected
