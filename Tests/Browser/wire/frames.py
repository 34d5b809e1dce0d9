"""WebSocket frames as bytes (RFC 6455 5.2), right ones and wrong ones alike."""

import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def masked(payload, mask):
    """The payload under its mask (RFC 6455 5.3)."""
    if not payload:
        return b""
    key = (mask * (len(payload) // 4 + 1))[:len(payload)]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")
    return mixed.to_bytes(len(payload), "big")


def head(opcode, length, fin=True, rsv=0, mask=b"\x12\x34\x56\x78", form=None):
    """A frame's head. `form` is how the length is written (7, 16, 64 bits); else the shortest."""
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    second = 0x80 if mask is not None else 0
    form = form or (7 if length < 126 else 16 if length < 65_536 else 64)
    if form == 7:
        out = struct.pack("!BB", first, second | length)
    elif form == 16:
        out = struct.pack("!BBH", first, second | 126, length)
    else:
        out = struct.pack("!BBQ", first, second | 127, length)
    return out + (mask or b"")


def frame(opcode, payload=b"", mask=b"\x12\x34\x56\x78", **more):
    """A whole frame, masked as a client's must be unless `mask` is None."""
    if isinstance(payload, str):
        payload = payload.encode()
    body = payload if mask is None else masked(payload, mask)
    return head(opcode, len(payload), mask=mask, **more) + body


def text(payload, **more):
    return frame(TEXT, payload, **more)


def ping(payload=b"", **more):
    return frame(PING, payload, **more)


def close(code=None, reason=b"", **more):
    if isinstance(reason, str):
        reason = reason.encode()
    return frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason, **more)


def fragments(payloads, opcode=TEXT):
    """One message in these pieces: the first frame has its opcode, the last one the FIN bit."""
    last = len(payloads) - 1
    return [
        frame(opcode if number == 0 else CONTINUATION, payload, fin=number == last)
        for number, payload in enumerate(payloads)
    ]
