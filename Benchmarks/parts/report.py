"""Reports the figures: one JSON line for each, a table, and a chart."""

import json
import statistics


class Report:
    def __init__(self):
        self.figures = []

    def add(self, name, values, unit, target=None, least=False):
        """Adds a figure: the median of all rounds. The target is a maximum, or a minimum if `least` is true."""
        values = [round(value, 3) for value in (values if isinstance(values, list) else [values])]
        figure = {"figure": name, "value": round(statistics.median(values), 3), "unit": unit}
        if target is not None:
            figure["target"] = f"{'>=' if least else '<='} {target}"
            figure["met"] = figure["value"] >= target if least else figure["value"] <= target
        figure["rounds"] = values
        self.figures.append(figure)
        print(json.dumps(figure), flush=True)

    def table(self):
        rows = [("figure", "median", "unit", "range", "target", "")]
        for figure in self.figures:
            low, high = min(figure["rounds"]), max(figure["rounds"])
            rows.append((
                figure["figure"], shown(figure["value"]), figure["unit"],
                f"{shown(low)} to {shown(high)}" if len(figure["rounds"]) > 1 else "",
                figure.get("target", ""), {True: "met", False: "MISSED", None: ""}[figure.get("met")]))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.rjust(width) if column == 1 else cell.ljust(width)
                      for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)

    def json(self):
        return json.dumps(self.figures, indent=1) + "\n"

    def svg(self, title):
        """A bar chart. Figures of one unit share a scale; dots are rounds, and the line is the target."""
        rows, height, labels, width = [], 22, 330, 900
        largest = {}
        for figure in self.figures:
            limit = float(figure["target"].split()[1]) if "target" in figure else 0
            largest[figure["unit"]] = max([largest.get(figure["unit"], 0), limit, *figure["rounds"]])
        for place, figure in enumerate(self.figures):
            top = 50 + place * height
            scale = (width - labels - 110) / (largest[figure["unit"]] or 1)
            colour = {True: "#2a9d55", False: "#c8403a", None: "#5b7fa6"}[figure.get("met")]
            rows.append(f'<text x="{labels - 8}" y="{top + 12}" text-anchor="end">{figure["figure"]}</text>')
            rows.append(f'<rect x="{labels}" y="{top}" width="{figure["value"] * scale:.1f}" height="15" fill="{colour}"/>')
            for value in figure["rounds"]:
                rows.append(f'<circle cx="{labels + value * scale:.1f}" cy="{top + 7.5}" r="2" fill="#0006"/>')
            if "target" in figure:
                line = labels + float(figure["target"].split()[1]) * scale
                rows.append(f'<line x1="{line:.1f}" x2="{line:.1f}" y1="{top - 2}" y2="{top + 17}" stroke="#000"/>')
            rows.append(f'<text x="{width - 8}" y="{top + 12}" text-anchor="end">'
                        f'{shown(figure["value"])} {figure["unit"]}</text>')
        total = 60 + len(self.figures) * height
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" font-family="sans-serif" '
                f'font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
                f'<text x="12" y="26" font-size="16">{title}</text>' + "".join(rows) + "</svg>\n")


def shown(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"
