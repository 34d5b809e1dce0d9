"""Waits for what is to happen, with a bound and a sentence. The only place that lets time pass."""

import threading
import time

#: Bounds are for a slow machine that builds something beside; what is waited for takes less.
PATIENCE_SECONDS = 15


def until(condition, awaited, seconds=PATIENCE_SECONDS, pause_seconds=0.02):
    """Gives the first true value of `condition()`; else fails with what was awaited and seen."""
    end = time.monotonic() + seconds
    never = threading.Event()
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not in {seconds} s: {awaited}; last seen: {value!r}")
        never.wait(pause_seconds)
