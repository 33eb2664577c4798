"""Samples of a soak: the memory of each server and the rate of requests."""

import threading
import time
from dataclasses import dataclass, field

from loaded_site import Site

# Growth is judged over the last three quarters of a stretch without faults, if it is at least this long.
WARM_UP = 0.25
SHORTEST_SECONDS = 600
# A leak of 50 bytes for each request would exceed this at 50 requests per second.
MOST_KIB_PER_HOUR = 8 * 1024


@dataclass
class Sample:
    at: float
    server: int
    memory: int | None
    answered: int


@dataclass
class Growth:
    """The memory of one server process in one stretch, in KiB, and the slope of a least-squares line."""

    seconds: float
    first: int
    last: int
    most: int
    per_hour: float
    samples: int

    @property
    def is_judged(self) -> bool:
        return self.seconds >= SHORTEST_SECONDS


@dataclass
class Measures:
    """Takes a sample of each site at a fixed interval in the background."""

    sites: list[Site]
    answered: dict
    interval: float
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self):
        self.samples: dict[str, list[Sample]] = {site.name: [] for site in self.sites}
        self.marks: list[tuple[float, str, str]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        while not self._is_over.wait(self.interval):
            for site in self.sites:
                self.samples[site.name].append(
                    Sample(self.now, site.starts, site.memory, self.answered[site.name]()))

    @property
    def now(self) -> float:
        return time.monotonic() - self.began

    def mark(self, at: float, site: str, kind: str) -> None:
        self.marks.append((at, site, kind))

    def end(self) -> None:
        self._is_over.set()
        self._thread.join()

    def growth(self, site: str, since: float, until: float) -> Growth | None:
        """The growth within the interval, after a warm-up, of the process that was running at its end."""
        taken = [one for one in self.samples[site] if since <= one.at <= until and one.memory is not None]
        taken = [one for one in taken if one.server == taken[-1].server]
        if not taken:
            return None
        start = taken[0].at + (taken[-1].at - taken[0].at) * WARM_UP
        taken = [one for one in taken if one.at >= start]
        if len(taken) < 2:
            return None
        length = taken[-1].at - taken[0].at
        return Growth(
            length, taken[0].memory, taken[-1].memory, max(one.memory for one in taken), slope(taken) * 3600, len(taken))


def slope(taken: list[Sample]) -> float:
    """The slope of the least-squares line through the memory, in KiB per second."""
    middle, mean = sum(one.at for one in taken) / len(taken), sum(one.memory for one in taken) / len(taken)
    spread = sum((one.at - middle) ** 2 for one in taken)
    return sum((one.at - middle) * (one.memory - mean) for one in taken) / spread if spread else 0.0
