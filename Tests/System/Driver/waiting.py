"""Waits until a server's work in the background, such as noticing a moved clock, has had its effect."""

import time


def eventually(read, holds, seconds: float = 20):
    """Calls `read` until `holds` accepts the value, and returns that value.

    The pauses grow, because `read` often starts a command, whose work slows down the server.
    """
    began = time.monotonic()
    while True:
        seen = read()
        if holds(seen):
            return seen
        waited = time.monotonic() - began
        assert waited < seconds, f"waited in vain; last: {seen}"
        time.sleep(min(0.05 + waited / 10, 0.5))
