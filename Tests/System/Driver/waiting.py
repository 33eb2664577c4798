"""Waiting for what a server does in its own time, such as noticing a moved clock."""

import time


def eventually(read, holds, seconds: float = 20):
    """Reads again and again until it holds, and returns what was read.

    The pauses grow with the time waited: reading often starts a command, whose work would slow down what it waits for.
    """
    began = time.monotonic()
    while True:
        seen = read()
        if holds(seen):
            return seen
        waited = time.monotonic() - began
        assert waited < seconds, f"waited in vain; last: {seen}"
        time.sleep(min(0.05 + waited / 10, 0.5))
