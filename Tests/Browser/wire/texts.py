"""Texts that are UTF-8 and that are none, at every position (RFC 6455 8.1, RFC 3629)."""

from cases import BAD_TEXT, Case, bytewise, unfinished
from frames import fragments, frame, text
from peer import answers, asks

GOOD = {
    "Greek": "κόσμε", "Chinese": "你好世界", "emoji": "😀👩‍👩‍👧",
    "first of 1": " ", "last of 1": "\x7e",
    "first of 2": "\u0080", "last of 2": "\u07ff", "first of 3": "\u0800", "last of 3": "\uffff",
    "before the surrogates": "\ud7ff", "behind them": "\ue000", "replacement": "\ufffd",
    "first of 4": "\U00010000", "last of all": "\U0010ffff", "no character": "\ufffe",
}

BAD = {
    "a continuation alone": b"\x80", "the last continuation alone": b"\xbf",
    "two continuations": b"\x80\xbf", "the start of 2 alone": b"\xc3 ",
    "the start of 3 alone": b"\xe2 ", "the start of 4 alone": b"\xf0 ",
    "3 without its last": b"\xe2\x82 ", "4 without its last": b"\xf0\x9f\x98 ",
    "the byte fe": b"\xfe", "the byte ff": b"\xff",
    "a slash in 2": b"\xc0\xaf", "a slash in 3": b"\xe0\x80\xaf",
    "a slash in 4": b"\xf0\x80\x80\xaf",
    "zero in 2": b"\xc0\x80", "zero in 3": b"\xe0\x80\x80", "zero in 4": b"\xf0\x80\x80\x80",
    "the last overlong 2": b"\xc1\xbf", "the last overlong 3": b"\xe0\x9f\xbf",
    "the last overlong 4": b"\xf0\x8f\xbf\xbf",
    "the first surrogate": b"\xed\xa0\x80", "the last surrogate": b"\xed\xbf\xbf",
    "a pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "beyond the last": b"\xf4\x90\x80\x80", "a start of 4 beyond": b"\xf5\x80\x80\x80",
    "5 bytes": b"\xf8\x88\x80\x80\x80", "6 bytes": b"\xfc\x84\x80\x80\x80\x80",
}

CHARACTERS = ("é".encode(), "€".encode(), "😀".encode())


def good():
    """Every character that there is may be said, whole and cut anywhere."""
    for name, letters in GOOD.items():
        message = asks(letters)
        yield Case(f"{name}, whole", [text(message)], [answers(letters)])
        yield Case(f"{name}, byte by byte", bytewise(text(message)), [answers(letters)])
        first = message.index(letters.encode())
        for cut in range(first, first + len(letters.encode()) + 1):
            yield Case(f"{name}, in fragments cut at {cut}",
                       fragments([message[:cut], message[cut:]]), [answers(letters)])


def bad():
    """What is no UTF-8 closes with 1007, in whole messages and in fragments."""
    for name, letters in BAD.items():
        message = asks(letters)
        yield Case(f"{name}, whole", [text(message)], [], BAD_TEXT)
        yield Case(f"{name}, alone", [text(letters)], [], BAD_TEXT)
        first = message.index(letters)
        for cut in range(first, first + len(letters) + 1):
            yield Case(f"{name}, in fragments cut at {cut}",
                       fragments([message[:cut], message[cut:]]), [], BAD_TEXT)


def bad_at_every_position():
    """Each byte of a character replaced by each kind of wrong byte."""
    for character in CHARACTERS:
        for position in range(len(character)):
            for wrong in (b"A", b"\x80", b"\xc3", b"\xff"):
                spoilt = character[:position] + wrong + character[position + 1:]
                try:
                    spoilt.decode()
                    continue  # It is another character.
                except UnicodeDecodeError:
                    pass
                message = asks(b"ab" + spoilt + b"cd")
                name = f"{character.hex()} with {wrong.hex()} at {position}"
                yield Case(name, [text(message)], [], BAD_TEXT)
                for cut in range(message.index(spoilt), message.index(spoilt) + len(spoilt) + 1):
                    yield Case(f"{name}, in fragments cut at {cut}",
                               fragments([message[:cut], message[cut:]]), [], BAD_TEXT)
        for end in range(1, len(character)):
            cut_off = asks(character[:end])[:-2]
            yield Case(f"{character.hex()} ends behind byte {end}", [text(cut_off)], [], BAD_TEXT)
            yield Case(f"{character.hex()} ends behind byte {end} of the last fragment",
                       fragments([cut_off, b""]), [], BAD_TEXT)


def bad_early():
    """It is refused at the first byte that shows it; nothing more has to come (8.1)."""
    for name, letters in BAD.items():
        if letters.endswith(b" "):
            continue  # What shows it is the blank.
        message = asks(letters)
        upto = message[:message.index(letters) + len(letters)]
        yield Case(f"{name}, the message not at its end", [frame(1, upto, fin=False)], [],
                   BAD_TEXT)
    yield Case("a bad second byte of 4 in another fragment",
               [frame(1, b"\xf4", fin=False), frame(0, b"\x90", fin=False)], [], BAD_TEXT)


def bad_earlier():
    """Even where the frame itself is not at its end: else a message of 64 KiB is waited for."""
    for name in ("the byte ff", "the first surrogate", "beyond the last", "a slash in 2"):
        yield Case(f"{name}, the frame not at its end", [unfinished(b"{" + BAD[name])], [],
                   BAD_TEXT)
