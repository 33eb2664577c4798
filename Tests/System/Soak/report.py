"""Prints the progress of a soak and its results."""

import collections
import shutil
import sys

from measures import MOST_KIB_PER_HOUR, SHORTEST_SECONDS

BAR = 20
SHOWN = 30
LINE_SECONDS = 60
WIDTHS = {"answered": 12, "unavailable": 8, "unanswered": 8}


class Progress:
    """A bar on a terminal, and a line per minute elsewhere."""

    def __init__(self, seconds: float):
        self.seconds, self.is_terminal = seconds, sys.stdout.isatty()
        self._next = 0.0

    def say(self, now: float, answered: int, faults: int, problems: int, what: str) -> None:
        text = (
            f"{now / 60:5.1f} of {self.seconds / 60:.0f} min, {answered} answers, {faults} faults, {problems} problems")
        if self.is_terminal:
            full = min(BAR, int(BAR * now / self.seconds))
            width = shutil.get_terminal_size().columns - 1
            print("\r" + f"[{'#' * full}{' ' * (BAR - full)}] {text}; {what:40}"[:width], end="", flush=True)
        elif now >= self._next:
            self._next = (now // LINE_SECONDS + 1) * LINE_SECONDS
            print(text, flush=True)

    def end(self) -> None:
        if self.is_terminal:
            print()


def verdict(soak) -> bool:
    """Prints the report; returns whether all claims hold."""
    names = [site.name for site in soak.sites]
    _print_counts(soak, names)
    print("\nfaults")
    for (site, kind), count in sorted(soak.caused.items()):
        print(f"  {site:10}  {kind:24} {count:6}")
    for note in soak.notes:
        print(f"  {note}")
    print(f"\nverified: {soak.facts} facts at the end, {soak.sampled} after faults")
    problems = [*soak.problems, *_memory(soak, names)]
    if not problems:
        print("\nall claims hold")
        return True
    print(f"\n{len(problems)} problems, among them:", file=sys.stderr)
    for problem in problems[:SHOWN]:
        print(f"  {problem}", file=sys.stderr)
    (soak.folder / "problems.txt").write_text("\n".join(problems) + "\n")
    return False


def _print_counts(soak, names: list[str]) -> None:
    counts: collections.Counter = collections.Counter()
    for name in names:
        for load in soak.loads[name]:
            for (kind, how), count in load.counts.items():
                counts[name, kind, how] += count
    print(f"\n{'requests':24}" + "".join(f"{name:>12} {'503':>7} {'none':>7}" for name in names))
    for kind in sorted({kind for _, kind, _ in counts}):
        cells = [(counts[name, kind, how], width) for name in names for how, width in WIDTHS.items()]
        print(f"  {kind:22}" + "".join(f"{count:{width}}" for count, width in cells))


def _memory(soak, names: list[str]) -> list[str]:
    """Prints the memory of each server in the stretch without faults; returns the broken claims."""
    problems = []
    print("\nmemory of the server (RssAnon) without faults, after warming up")
    for name in names:
        if ends := soak.measures.ends(name, soak.quiet_since):
            print(
                f"  {name:10}  {len(ends)} processes before, which faults ended at "
                f"{min(ends):.0f} to {max(ends):.0f} KiB")
        growth = soak.measures.growth(name, soak.quiet_since, soak.quiet_until)
        if growth is None:
            print(f"  {name:10}  too few samples")
            continue
        verdict = f"at most {MOST_KIB_PER_HOUR} KiB per hour" if growth.is_judged else (
            f"not judged: {growth.seconds:.0f} s, which is less than {SHORTEST_SECONDS} s")
        print(
            f"  {name:10}  {growth.first:.0f} KiB to {growth.last:.0f} KiB (most {growth.most}) "
            f"in {growth.seconds:.0f} s; slope {growth.per_hour:+.0f} KiB per hour ({verdict})")
        if growth.is_judged and growth.per_hour > MOST_KIB_PER_HOUR:
            problems.append(f"{name}: memory grows by {growth.per_hour:.0f} KiB per hour")
    return problems
