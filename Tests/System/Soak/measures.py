"""Samples of a soak: the memory of each server and the rate of requests."""

import statistics
import threading
import time
from dataclasses import dataclass, field

from loaded_site import Site

# Growth is judged over the last three quarters of the time without faults, if they last at least SHORTEST_SECONDS.
WARM_UP = 0.25
SHORTEST_SECONDS = 600
PARTS = 30
# At the usual 150 requests per second, a leak of 16 bytes for each request exceeds this.
MOST_KIB_PER_HOUR = 8 * 1024


@dataclass
class Sample:
    at: float
    server: int
    memory: int | None
    answered: int


@dataclass
class Growth:
    """The memory of one server process in one stretch: medians of its parts in KiB, and the slope of their line."""

    seconds: float
    first: float
    last: float
    most: int
    per_hour: float

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

    def ends(self, site: str, until: float) -> list[float]:
        """The memory in KiB of each process that a fault ended, as a median of its last samples."""
        processes: dict[int, list[int]] = {}
        for one in self.samples[site]:
            if one.memory is not None and one.at <= until:
                processes.setdefault(one.server, []).append(one.memory)
        return [statistics.median(memory[-5:]) for memory in list(processes.values())[:-1]]

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
        points = medians(taken)
        return Growth(length, points[0][1], points[-1][1], max(one.memory for one in taken), slope(points) * 3600)


def medians(taken: list[Sample]) -> list[tuple[float, float]]:
    """The median time and memory of up to 30 parts. The medians hide the 64 MiB that hashing a password takes."""
    size = max(1, len(taken) // PARTS)
    parts = [taken[first:first + size] for first in range(0, len(taken), size)]
    return [
        (statistics.median(one.at for one in part), statistics.median(one.memory for one in part))
        for part in parts if len(part) == size]


def slope(points: list[tuple[float, float]]) -> float:
    """The slope of the least-squares line through the points."""
    middle, mean = statistics.mean(x for x, _ in points), statistics.mean(y for _, y in points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * (y - mean) for x, y in points) / spread if spread else 0.0
