"""What is sent and what must come back, by RFC 6455, case by case and family by family."""

from dataclasses import dataclass, field

from frames import (BINARY, CONTINUATION, PING, PONG, TEXT, close, fragments, frame, head, masked,
                    ping, text)
from peer import answers, asks

#: The longest message that is taken, in bytes (docs/wire/websocket.md).
MESSAGE_BYTES_MAX = 65_536

PROTOCOL_ERROR, UNSUPPORTED, BAD_TEXT, TOO_BIG = 1002, 1003, 1007, 1009


@dataclass
class Case:
    """Pieces of bytes, sent one by one; what frames come; and the code of a close, if one does.

    `ends` is None where the connection has to live on, else the close code, or several of which
    one has to come (None among them: a close frame without a code).
    """

    name: str
    sent: list
    frames: list = field(default_factory=list)
    ends: object = None

    @property
    def codes(self):
        return self.ends if isinstance(self.ends, (set, frozenset)) else {self.ends}


def pong(payload=b""):
    """The frame that answers a ping with these bytes."""
    return PONG, payload


def bytewise(*frames):
    return [bytes([byte]) for byte in b"".join(frames)]


def framing():
    """Lengths in each form, masks, and frames that come in any pieces (5.2, 5.3)."""
    least = len(asks("x"))
    for length in (least, 125, 126, 127, 128, 4_096, 65_535, MESSAGE_BYTES_MAX):
        whole = text(asks("x", length - least))
        yield Case(f"a text of {length} bytes", [whole], [answers("x")])
        for cut in (1, 2, 3, 5, 9, 13, 15, len(whole) - 1):
            if cut < len(whole):
                yield Case(f"a text of {length} bytes, cut behind byte {cut}",
                           [whole[:cut], whole[cut:]], [answers("x")])
    for length in (least, 126):
        yield Case(f"a text of {length} bytes, byte by byte",
                   bytewise(text(asks("x", length - least))), [answers("x")])
    for mask in (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x0a\x0a\x0a\x0a", b"\x80\x01\x7f\xfe"):
        yield Case(f"the mask {mask.hex()}", [text(asks("x"), mask=mask)], [answers("x")])
    yield Case("three texts in one piece",
               [text(asks("a")) + text(asks("b")) + text(asks("c"))],
               [answers("a"), answers("b"), answers("c")])
    # 5.1: a client's frame that is not masked; 5.2: other than the shortest form of a length.
    yield Case("a text without a mask", [text(asks("x"), mask=None)], [], PROTOCOL_ERROR)
    yield Case("a ping without a mask", [ping(b"x", mask=None)], [], PROTOCOL_ERROR)
    for form, length in ((16, 0), (16, 125), (64, 0), (64, 125), (64, 126), (64, 65_535)):
        yield Case(f"{length} written with {form} bits", [head(TEXT, length, form=form)], [],
                   PROTOCOL_ERROR)
    for length in (1 << 63, (1 << 64) - 1):
        yield Case(f"the length {length:#x}", [head(TEXT, length, form=64)], [],
                   {PROTOCOL_ERROR, TOO_BIG})
    # 5.2 and 1003 of 7.4.1: this protocol is of texts.
    for length in (0, 5):
        yield Case(f"{length} bytes of binary", [frame(BINARY, b"x" * length)], [], UNSUPPORTED)
    yield Case("the head alone of something binary", [head(BINARY, 70_000)], [],
               {UNSUPPORTED, TOO_BIG})


def sizes():
    """The longest message is taken, the next is refused as soon as it is known (1009 of 7.4.1)."""
    most, least = MESSAGE_BYTES_MAX, len(asks("x"))
    longest = asks("x", most - least)
    yield Case("the head alone of one byte too many", [head(TEXT, most + 1)], [], TOO_BIG)
    for length in (1 << 20, 1 << 32, (1 << 63) - 1):
        yield Case(f"the head alone of {length} bytes", [head(TEXT, length)], [], TOO_BIG)
    for count in (2, 16, 256):
        step = most // count
        pieces = [longest[at:at + step] for at in range(0, most, step)]
        yield Case(f"the longest in {count} fragments", fragments(pieces), [answers("x")])
        yield Case(f"one byte too many in {count} fragments",
                   fragments(pieces[:-1] + [pieces[-1] + b" "]), [], TOO_BIG)
    yield Case("too many once the second head is there",
               [frame(TEXT, longest[:40_000], fin=False), head(CONTINUATION, most - 39_999)], [],
               TOO_BIG)
    yield Case("an empty last fragment behind the longest",
               fragments([longest, b""]), [answers("x")])
    yield Case("a thousand empty fragments in one message",
               [b"".join(fragments([b""] * 1000 + [asks("x")]))], [answers("x")])


def pings():
    """A ping is answered by a pong with its bytes, at once; a pong by nothing (5.5.2, 5.5.3)."""
    for payload in (b"", b"hello", bytes(range(125)), b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff",
                    b"x" * 125):
        yield Case(f"a ping of {len(payload)} bytes ({payload[:4].hex()}…)", [ping(payload)],
                   [pong(payload)])
        yield Case(f"the same of {len(payload)} bytes ({payload[:4].hex()}…) byte by byte",
                   bytewise(ping(payload)), [pong(payload)])
    yield Case("ten pings in one piece",
               [b"".join(ping(b"%d" % n) for n in range(10))],
               [pong(b"%d" % n) for n in range(10)])
    yield Case("a ping between the bytes of nothing else, then a text",
               [ping(b"1") + text(asks("x")) + ping(b"2")], [pong(b"1"), answers("x"), pong(b"2")])
    for payload in (b"", b"nobody asked", b"\xff" * 125):
        yield Case(f"a pong that nobody asked for, of {len(payload)} bytes",
                   [frame(PONG, payload)], [])
    yield Case("a ping of 126 bytes", [ping(b"x" * 126)], [], PROTOCOL_ERROR)
    yield Case("a pong of 126 bytes", [frame(PONG, b"x" * 126)], [], PROTOCOL_ERROR)
    yield Case("a close of 126 bytes", [close(1000, b"x" * 124)], [], PROTOCOL_ERROR)
    yield Case("the head alone of a ping of 126 bytes", [head(PING, 126)], [], PROTOCOL_ERROR)


def reserved():
    """Bits that no extension gave a meaning, and opcodes that mean nothing (5.2)."""
    for rsv in range(1, 8):
        for opcode, name in ((TEXT, "text"), (PING, "ping"), (PONG, "pong"), (8, "close")):
            payload = asks("x") if opcode == TEXT else b""
            yield Case(f"reserved bits {rsv:03b} on a {name}", [frame(opcode, payload, rsv=rsv)],
                       [], PROTOCOL_ERROR)
    yield Case("a reserved bit on the second fragment",
               [frame(TEXT, b"{", fin=False), frame(CONTINUATION, b"}", rsv=4)], [],
               PROTOCOL_ERROR)
    yield Case("a text before a reserved bit is heard",
               [text(asks("x")) + ping(rsv=1)], [answers("x")], PROTOCOL_ERROR)
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        for payload in (b"", b"hello"):
            yield Case(f"the opcode {opcode:#x} with {len(payload)} bytes",
                       [frame(opcode, payload)], [], PROTOCOL_ERROR)
        yield Case(f"a text before the opcode {opcode:#x} is heard",
                   bytewise(text(asks("x")), frame(opcode)), [answers("x")], PROTOCOL_ERROR)


def fragmentation():
    """A message in several frames, and control frames between them (5.4)."""
    message = asks("fragments")
    for cut in range(len(message) + 1):
        yield Case(f"two fragments, cut at {cut}", fragments([message[:cut], message[cut:]]),
                   [answers("fragments")])
    single = fragments([bytes([byte]) for byte in message])
    yield Case("a fragment for each byte", single, [answers("fragments")])
    yield Case("a fragment for each byte, in one piece", [b"".join(single)],
               [answers("fragments")])
    with_pings = [part for number, each in enumerate(single)
                  for part in (each, ping(b"%d" % number))][:-1]
    yield Case("a ping between every two fragments", with_pings,
               [pong(b"%d" % n) for n in range(len(single) - 1)] + [answers("fragments")])
    first, last = fragments([message[:7], message[7:]])
    yield Case("a pong between two fragments", [first + frame(PONG, b"x") + last],
               [answers("fragments")])
    yield Case("empty fragments at the ends and between",
               fragments([b"", message[:7], b"", message[7:], b""]), [answers("fragments")])
    yield Case("two fragmented messages, one behind the other", [first, last, first, last],
               [answers("fragments"), answers("fragments")])
    for opcode, name in ((PING, "ping"), (PONG, "pong"), (8, "close")):
        yield Case(f"a {name} in fragments", [frame(opcode, b"", fin=False)], [], PROTOCOL_ERROR)
        yield Case(f"a {name} in fragments inside a message",
                   [first, frame(opcode, b"", fin=False)], [], PROTOCOL_ERROR)
    for fin in (True, False):
        yield Case(f"a continuation of nothing, FIN {fin:d}",
                   [frame(CONTINUATION, b"x", fin=fin)], [], PROTOCOL_ERROR)
        yield Case(f"a continuation behind a whole message, FIN {fin:d}",
                   [text(asks("x")), frame(CONTINUATION, b"x", fin=fin)], [answers("x")],
                   PROTOCOL_ERROR)
        yield Case(f"a text inside a fragmented one, FIN {fin:d}",
                   [first, text(message, fin=fin)], [], PROTOCOL_ERROR)
    yield Case("a binary one inside a fragmented text", [first, frame(BINARY, b"")], [],
               {PROTOCOL_ERROR, UNSUPPORTED})
    yield Case("the same close as ever between two fragments", [first, close(1000)], [], 1000)


def closings():
    """The closing handshake: the same code comes back (5.5.1), if it is one that may (7.4)."""
    yield Case("a close without a code", [close()], [], {None, 1000})
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
        yield Case(f"a close with {code}", [close(code)], [], code)
        yield Case(f"a close with {code} and why", [close(code, "goodbye, κόσμε")], [], code)
    for code in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535):
        yield Case(f"a close with {code}, which may not be sent", [close(code)], [],
                   PROTOCOL_ERROR)
    yield Case("a close with a reason of 123 bytes", [close(1000, b"x" * 123)], [], 1000)
    yield Case("a close with half a code", [frame(8, b"\x03")], [], PROTOCOL_ERROR)
    yield Case("a close byte by byte", bytewise(close(1000, "bye")), [], 1000)
    for reason in (b"\xff", b"ok\xc3", b"\xed\xa0\x80"):
        yield Case(f"a close whose reason is no UTF-8 ({reason.hex()})", [close(1000, reason)],
                   [], {BAD_TEXT, PROTOCOL_ERROR})
    # 5.5.1: nothing is read behind a close.
    yield Case("a text behind a close", [close(1000) + text(asks("late"))], [], 1000)
    yield Case("a ping behind a close", [close(1000) + ping(b"late")], [], 1000)
    yield Case("a second close", [close(1000) + close(1001)], [], 1000)
    yield Case("what is wrong behind a close", [close(1000) + frame(0xF, rsv=7)], [], 1000)
    yield Case("a text before a close is heard", [text(asks("x")) + close(1000)], [answers("x")],
               1000)
    yield Case("a ping before a close is answered", [ping(b"x") + close(1000)], [pong(b"x")],
               1000)


def unfinished(payload):
    """A text's head for one byte more than this, so that its end is never seen."""
    mask = b"\x12\x34\x56\x78"
    return head(TEXT, len(payload) + 1, mask=mask) + masked(payload, mask)
