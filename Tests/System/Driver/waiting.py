"""Waiting for what a server does in its own time, such as noticing a moved clock."""

import time


def eventually(read, holds, seconds: float = 20):
    """Reads again and again until it holds, and returns what was read."""
    deadline = time.monotonic() + seconds
    while True:
        seen = read()
        if holds(seen):
            return seen
        assert time.monotonic() < deadline, f"waited in vain; last: {seen}"
        time.sleep(0.05)
