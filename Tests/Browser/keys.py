"""The keys of a keyboard, as the DevTools protocol wants them told."""


class Keys:
    """Keys that write nothing, by the names of UI Events; those that write are their character."""

    ENTER, TAB, ESCAPE, DELETE, F6 = "Enter", "Tab", "Escape", "Delete", "F6"
    ARROW_UP, ARROW_DOWN = "ArrowUp", "ArrowDown"
    SHIFT, CONTROL, ALT = "Shift", "Control", "Alt"


CODES = {"Enter": 13, "Tab": 9, "Escape": 27, "Delete": 46, "F6": 117, "ArrowUp": 38,
         "ArrowDown": 40, "Shift": 16, "Control": 17, "Alt": 18}
MODIFIERS = {"Alt": 1, "Control": 2, "Shift": 8}


def strokes(keys):
    """What Input.dispatchKeyEvent is given for these; a chord is a tuple, its last key struck."""
    for chord in keys:
        *held, struck = chord if isinstance(chord, tuple) else (chord,)
        modifiers = 0
        for key in held:
            modifiers |= MODIFIERS[key]
            yield {"type": "rawKeyDown", "modifiers": modifiers, **told(key)}
        # With Control or Alt a key writes nothing.
        text = "" if modifiers & 3 else "\r" if struck == "Enter" else struck
        writes = {"text": text} if len(text) == 1 else {}
        yield {"type": "keyDown" if writes else "rawKeyDown", "modifiers": modifiers,
               **told(struck), **writes}
        yield {"type": "keyUp", "modifiers": modifiers, **told(struck)}
        for key in reversed(held):
            modifiers &= ~MODIFIERS[key]
            yield {"type": "keyUp", "modifiers": modifiers, **told(key)}


def told(key):
    """The key itself, without what it writes."""
    code = CODES.get(key) or (ord(key.upper()) if key.isalnum() or key == " " else 0)
    return {"key": key, "code": key if key in CODES else "", "windowsVirtualKeyCode": code}
