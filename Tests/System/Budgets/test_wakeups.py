"""Checks how often the threads of an idle server wake up."""

import time
from pathlib import Path

from vendor import Vendor

# One of the three is a timer of Dispatch, which starts with Dispatch's first thread.
MOST_A_SECOND = 3
SECONDS = 30


def wakeups(pid: int) -> int:
    """The number of voluntary context switches of a process's threads so far."""
    count = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        lines = dict(line.split(":", 1) for line in (thread / "status").read_text().splitlines() if ":" in line)
        count += int(lines["voluntary_ctxt_switches"])
    return count


def test_an_idle_server_wakes_up_at_most_three_times_a_second(installation, server):
    vendor = Vendor(installation, server)
    vendor.app().activated(vendor.offer_license())
    # Work that the activation started in the background ends within a few seconds.
    time.sleep(10)
    before = wakeups(server.pid)
    time.sleep(SECONDS)
    rate = (wakeups(server.pid) - before) / SECONDS
    print(f"an idle server wakes up {rate:.2f} times a second")
    assert rate <= MOST_A_SECOND
