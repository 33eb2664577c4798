"""Counts the allocations and system calls of a running server with a preloaded library."""

import bisect
import mmap
import re
import shutil
import struct
import subprocess
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path

from installation import Installation

ROUNDS, MOST_ROUNDS, WARM = 3, 30, 30
DEPTH, STACKS = 30, 1 << 14
HEAD, STACK = struct.Struct("<4Q"), struct.Struct(f"<{3 + DEPTH}Q")
RECORDING = slice(24, 32)


@dataclass(frozen=True)
class Cost:
    """The cost of one request: allocations, their bytes, and system calls."""

    allocations: float
    bytes: float
    calls: float

    def keeps(self, budget: "Cost") -> bool:
        """Whether this cost is within a budget."""
        return all(cost <= most for cost, most in zip(astuple(self), astuple(budget)))

    def __str__(self):
        return f"{self.allocations:.1f} allocations, {self.bytes:,.0f} bytes, {self.calls:.1f} calls of the system"


class CountedInstallation(Installation):
    """An installation whose programs count their allocations and system calls."""

    def __init__(self, home: Path):
        super().__init__(home)
        self.counts, self.library = home / "counts", home / "counter.so"
        source = Path(__file__).with_name("counter.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        with open(self.counts, "wb") as file:
            file.truncate(HEAD.size + STACKS * STACK.size)
        with open(self.counts, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 0)

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"LD_PRELOAD": str(self.library), "COUNTS": str(self.counts)}

    def cost(self, requests: list, send, budget: Cost, again: bool) -> Cost:
        """The average cost of one request in the cheapest of a few rounds.

        The cheapest round counts because the server also does work that belongs to no request. If `again` is true,
        rounds are added while the cost exceeds the budget: on a slow disk, reads use another thread pool and cost more.
        """
        for request in requests[:WARM]:
            send(request)
        size = (len(requests) - WARM) // ROUNDS
        rounds = []
        for turn in range(MOST_ROUNDS if again else ROUNDS):
            part = requests[WARM + turn % ROUNDS * size:][:size]
            before = self._counted()
            for request in part:
                send(request)
            rounds.append([(after - early) / size for early, after in zip(before, self._counted())])
            cost = Cost(*map(min, zip(*rounds)))
            if turn >= ROUNDS - 1 and cost.keeps(budget):
                break
        return cost

    def _counted(self) -> tuple[int, ...]:
        return HEAD.unpack_from(self.map)[:3]

    def sites(self, pid: int, requests: list, send) -> str:
        """A table of the call stacks that allocate for these requests, the most frequent stack first."""
        self.map[HEAD.size:] = bytes(STACKS * STACK.size)
        self.map[RECORDING] = struct.pack("<Q", 1)
        for request in requests:
            send(request)
        self.map[RECORDING] = struct.pack("<Q", 0)
        stacks = [
            stack for place in range(STACKS)
            if (stack := STACK.unpack_from(self.map, HEAD.size + place * STACK.size))[0]]
        names = Symbols(pid, {frame for stack in stacks for frame in stack[3:] if frame})
        shown = Counter()
        size = Counter()
        for _, count, taken, *frames in stacks:
            path = " < ".join(names[frame] for frame in frames if frame)
            shown[path] += count
            size[path] += taken
        return "\n".join(
            f"{count / len(requests):6.2f} {size[path] / len(requests):8.0f}  {path}"
            for path, count in shown.most_common() if count * 4 > len(requests))


class Symbols(dict):
    """The names of the functions at addresses of a running process, by address."""

    def __init__(self, pid: int, addresses: set[int]):
        places = []
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) ..x. ([0-9a-f]+) \S+ \d+ +(/\S+)$", line)
            if found:
                start, end, offset = (int(part, 16) for part in found.groups()[:3])
                places.append((start, end, offset, found[4]))
        tables = {path: functions(path) for path in {place[3] for place in places}}
        for address in addresses:
            self[address] = hex(address)
            for start, end, offset, path in places:
                if start <= address < end:
                    starts, names = tables[path]
                    index = bisect.bisect(starts, address - start + offset) - 1
                    self[address] = names[index] if index >= 0 else Path(path).name
        plain = demangled(list(self.values()))
        for address, name in zip(self, plain):
            self[address] = name


def functions(path: str) -> tuple[list[int], list[str]]:
    """The file offsets at which the functions of a program or library begin, and their names."""
    segments = []
    for line in output("readelf", "-lW", path).splitlines():
        if found := re.match(r" +LOAD +0x(\S+) 0x(\S+) 0x\S+ 0x(\S+)", line):
            segments.append(tuple(int(part, 16) for part in found.groups()))
    found = {}
    for table in ("-sW", "--dyn-syms"):
        for line in output("readelf", table, "-W", path).splitlines():
            words = line.split()
            if len(words) >= 8 and words[3] == "FUNC" and words[6] != "UND":
                address = int(words[1], 16)
                for offset, start, size in segments:
                    if start <= address < start + size:
                        found[address - start + offset] = words[7].split("@")[0]
    return sorted(found), [found[start] for start in sorted(found)]


def output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, errors="replace").stdout


def demangled(names: list[str]) -> list[str]:
    """The demangled names, or the same names if Swift is not installed."""
    tool = shutil.which("swift")
    if not tool:
        return names
    done = subprocess.run(
        [tool, "demangle", "--simplified"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n").split("\n")
