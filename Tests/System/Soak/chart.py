"""Draws the memory and the request rate of a soak over time as an SVG file, with the faults as marks."""

import statistics
from html import escape

from measures import Measures, Sample

WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 1000, 180, 70, 20, 50, 60
COLORS = {"SQLite": "#1f6fb2", "PostgreSQL": "#c2571a"}
STYLE = (
    "text { font: 12px sans-serif; fill: #222 } .axis { stroke: #bbb } .fault { opacity: 0.45 } "
    "@media (prefers-color-scheme: dark) { text { fill: #ddd } svg { background: #1a1a1a } }")
BUCKETS = 200


def svg(measures: Measures, title: str) -> str:
    names = list(measures.samples)
    length = max([1.0, *(one.at for taken in measures.samples.values() for one in taken)])
    memory = {name: smoothed(measures.samples[name]) for name in names}
    rate = {name: rates(measures, name, length) for name in names}
    height = TOP + 2 * PANEL + 2 * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", f'<text x="{LEFT}" y="20">{escape(title)}</text>']
    for place, name in enumerate(names):
        x = WIDTH - RIGHT - 110 * (len(names) - place)
        parts.append(f'<text x="{x}" y="20" style="fill:{COLORS[name]}">{escape(name)}</text>')
    parts += panel("memory of the server, MiB", memory, measures, length, TOP)
    parts += panel("answered requests per second", rate, measures, length, TOP + PANEL + GAP)
    return "\n".join([*parts, "</svg>\n"])


def smoothed(taken: list[Sample]) -> list[tuple[float, float, int]]:
    """The median of each sample and its neighbours in MiB, which hides the short peaks of password hashing."""
    known = [one for one in taken if one.memory is not None]
    return [
        (one.at, statistics.median(near.memory for near in known[max(0, place - 2):place + 3]) / 1024, one.server)
        for place, one in enumerate(known)]


def rates(measures: Measures, name: str, length: float) -> list[tuple[float, float, int]]:
    taken = measures.samples[name]
    step = max(1, len(taken) // BUCKETS)
    chosen = taken[::step]
    return [
        (later.at, (later.answered - earlier.answered) / (later.at - earlier.at), 0)
        for earlier, later in zip(chosen, chosen[1:]) if later.at > earlier.at]


def panel(label: str, lines: dict, measures: Measures, length: float, top: float) -> list[str]:
    most = max([1.0, *(value for line in lines.values() for _, value, _ in line)])

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * at / length

    def y(value: float) -> float:
        return top + PANEL * (1 - value / most)

    parts = [f'<text x="{LEFT}" y="{top - 6}">{escape(label)}</text>']
    for part in range(5):
        value = most * part / 4
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>')
        at = length * part / 4
        anchor = "end" if part == 4 else "middle"
        parts.append(f'<text x="{x(at):.1f}" y="{top + PANEL + 16}" text-anchor="{anchor}">{at / 60:.1f} min</text>')
    for at, site, kind in measures.marks:
        parts.append(
            f'<line class="fault" x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{top}" y2="{top + PANEL}" '
            f'stroke="{COLORS[site]}"><title>{escape(f"{site}: {kind}, {at:.0f} s")}</title></line>')
    for name, line in lines.items():
        # Each server process has its own line.
        for server in dict.fromkeys(one[2] for one in line):
            points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value, own in line if own == server)
            parts.append(f'<polyline fill="none" stroke="{COLORS[name]}" stroke-width="1.5" points="{points}"/>')
    return parts
