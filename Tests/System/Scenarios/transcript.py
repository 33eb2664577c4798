"""Reads scenario files and compares the printed output with the expected output.

CONTRIBUTING.md describes the format of a scenario.
"""

import difflib
import re
import textwrap
from dataclasses import dataclass, field

PLACEHOLDER = re.compile(r"(\[\.\.\.\]|\{[a-z][a-z0-9_]*\})")
DIRECTIVE = re.compile(r"(serve|stop|kill)( .*)?$")
# A date in the format in which commands print it for people.
DATE = r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC"
ESCAPED = re.compile(r"\\(\$ |\? |> |#|serve|stop|kill|\\)")


class Malformed(Exception):
    """A scenario file has an invalid format."""


@dataclass
class Step:
    """One command with its expected output and exit code, or one directive."""

    line: int
    verb: str
    text: str
    expected: list[str] = field(default_factory=list)
    code: int = 0


def read(text: str) -> list[Step]:
    """The steps of a scenario, in order."""
    steps: list[Step] = []
    claim = False
    after_gap = True
    has_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        step = steps[-1] if steps else None
        in_command = step is not None and step.verb == "run"
        if line.startswith("$ "):
            steps.append(Step(number, "run", line[2:]))
            has_code = False
        elif line.startswith("> ") and in_command and not step.expected and not has_code:
            step.text += "\n" + line[2:]
        elif (after_gap or not in_command) and line.startswith("#"):
            claim = claim or not steps
        elif (after_gap or not in_command) and (match := DIRECTIVE.match(line)):
            steps.append(Step(number, match[1], (match[2] or "").strip()))
        elif in_command and (match := re.fullmatch(r"\? (\d+)", line)):
            step.code = int(match[1])
            has_code = True
        elif in_command:
            step.expected.append(ESCAPED.sub(r"\1", line, count=1) if line.startswith("\\") else line)
        elif line.strip():
            raise Malformed(f"line {number}: neither a command, a directive nor a comment: {line}")
        after_gap = not line.strip()
    if not claim:
        raise Malformed("a scenario begins with a comment that says its claim")
    if not steps:
        raise Malformed("the scenario has no steps")
    for step in steps:
        while step.expected and not step.expected[-1].strip():
            step.expected.pop()
    return steps


def pattern(line: str, known: dict[str, str], seen: set[str]) -> str:
    """The regular expression for one expected line; `seen` collects the names that it captures."""
    parts = []
    for part in PLACEHOLDER.split(line):
        if part == "[...]":
            parts.append(".*?")
        elif PLACEHOLDER.fullmatch(part):
            name = part[1:-1]
            if name in known:
                parts.append(re.escape(known[name]))
            elif name in seen:
                parts.append(f"(?P={name})")
            else:
                seen.add(name)
                parts.append(rf"(?P<{name}>{DATE}|[^\s\"',]+)")
        else:
            parts.append(re.escape(part))
    return "".join(parts)


def match(expected: list[str], actual: str, known: dict[str, str]) -> dict[str, str] | None:
    """The words that the placeholders capture, by name; None if the output differs from the expected one.

    A name that an earlier step captured must match the same word again.
    """
    seen: set[str] = set()
    parts = []
    for line in expected:
        parts.append(r"(?:.*\n)*?" if line == "..." else pattern(line, known, seen) + r"\n")
    if actual and not actual.endswith("\n"):
        actual += "\n"
    found = re.fullmatch("".join(parts), actual)
    return found.groupdict() if found else None


def difference(expected: list[str], actual: str, known: dict[str, str]) -> str:
    """A unified diff in which lines that placeholders accept count as equal."""
    accepted = [(re.compile(pattern(line, known, set())), line) for line in expected if line != "..."]
    shown = []
    for line in actual.splitlines():
        shown.append(next((text for rule, text in accepted if rule.fullmatch(line)), line))
    return "\n".join(difflib.unified_diff(expected, shown, "expected", "actual", lineterm=""))


def indented(text: str) -> str:
    return textwrap.indent(text.rstrip("\n"), "    ")
