"""Draws a flame graph: each box is a function, as wide as the share of samples in which it ran, above its caller."""

import html
import re
from collections import Counter

ROW, WIDTH, LEAST = 16, 1200, 0.5
FRAME = re.compile(r"^\s+[0-9a-f]+ (.*) \(([^()]*)\)$")


def stacks(lines):
    """Reads the output of `perf script` and yields each sample's frames as (function, library), callers first."""
    frames = []
    for line in lines:
        if found := FRAME.match(line):
            function, library = found[1], found[2].rsplit("/", 1)[-1]
            frames.append((re.sub(r"\+0x[0-9a-f]+$", "", function), library))
        elif frames:
            yield tuple(reversed(frames))
            frames = []
    if frames:
        yield tuple(reversed(frames))


class FlameGraph:
    def __init__(self, samples):
        self.samples = Counter(samples)
        self.total = sum(self.samples.values())

    def shares(self):
        """The share of samples in each library's own functions, largest first."""
        libraries = Counter()
        for stack, count in self.samples.items():
            libraries[stack[-1][1]] += count
        return [(library, count / self.total) for library, count in libraries.most_common()]

    def svg(self, title):
        boxes = list(self._boxes(sorted(self.samples.items()), 0, 0))
        rows = max((depth for depth, *_ in boxes), default=0) + 1
        height = 40 + rows * ROW
        drawn = "".join(self._drawn(height, *box) for box in boxes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="monospace" '
            f'font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
            f'<text x="8" y="20" font-size="14">{html.escape(title)}</text>{drawn}</svg>\n')

    def _boxes(self, samples, depth, start):
        """Yields (depth, first sample, samples, frame) for each function, and then for the functions that it calls."""
        while samples:
            stack, _ = samples[0]
            if len(stack) <= depth:
                start += samples.pop(0)[1]
                continue
            frame = stack[depth]
            inside = 0
            while inside < len(samples) and len(samples[inside][0]) > depth and samples[inside][0][depth] == frame:
                inside += 1
            count = sum(count for _, count in samples[:inside])
            # A box that is too narrow to be seen is left out, together with the functions that it calls.
            if count / self.total * WIDTH >= LEAST:
                yield depth, start, count, frame
                yield from self._boxes(samples[:inside], depth + 1, start)
            start += count
            samples = samples[inside:]

    def _drawn(self, height, depth, start, count, frame):
        function, library = (html.escape(part) for part in frame)
        left, width = start / self.total * WIDTH, count / self.total * WIDTH
        top = height - (depth + 1) * ROW - 4
        letters = int((width - 4) / 6.7)
        label = html.escape(frame[0][:letters]) if letters > 2 else ""
        return (
            f'<g><title>{function} ({library}): {count / self.total:.1%}</title>'
            f'<rect x="{left:.1f}" y="{top}" width="{max(width - 0.5, 0.3):.1f}" height="{ROW - 1}" fill="{colour(frame[1])}"/>'
            f'<text x="{left + 2:.1f}" y="{top + 11}">{label}</text></g>')


def colour(library):
    """The color of a library's kind of code."""
    kinds = {"tenure": "#f2b866", "kernel": "#b9c4cf", "swift": "#e8917f", "sodium": "#9fc78d", "sqlite": "#8db4dd",
             "libc": "#ddd08a"}
    return next((value for name, value in kinds.items() if name in library), "#d8d8d8")
