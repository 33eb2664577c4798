"""Starts and stops the measured programs, and reads their resource usage from the kernel."""

import re
import signal
import struct
import subprocess
import time
from pathlib import Path


class Server:
    """A server process on the loopback interface."""

    def __init__(self, name, words, log):
        self.name = name
        self.log = open(log, "wb")
        began = time.monotonic()
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        self.seconds_to_ready = time.monotonic() - began
        found = re.search(r"ready on http://127\.0\.0\.1:(\d+)", line)
        if not found:
            self.stop()
            raise SystemExit(f"bench: {name} did not start; see {log}")
        self.port = int(found[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def threads(self):
        """The CPU nanoseconds that each thread has used, with the thread's name."""
        used = {}
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                used[task.name] = ((task / "comm").read_text().strip(), int((task / "schedstat").read_text().split()[0]))
            except (FileNotFoundError, ProcessLookupError):
                continue  # A thread that has just ended.
        return used

    def memory(self):
        """The process's anonymous memory and its mapped file pages, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return tuple(
            int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) / 1024 for name in ("RssAnon", "RssFile"))


def cpu_between(before, after):
    """The CPU microseconds between two samples, and the ratio of the CPU times of the two event threads (1 is even)."""
    spent = {task: used - before.get(task, ("", 0))[1] for task, (_, used) in after.items()}
    events = sorted(spent[task] for task, (name, _) in after.items() if name == "http")
    evenness = events[0] / events[-1] if len(events) > 1 and events[-1] else 0
    return sum(spent.values()) / 1000, evenness


def commits(database):
    """The number of transactions of a database; SQLite counts them in the shared index of its WAL."""
    with open(f"{database}-shm", "rb") as index:
        return struct.unpack_from("=I", index.read(12), 8)[0]
