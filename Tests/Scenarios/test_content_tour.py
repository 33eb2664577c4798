"""The tour of contents in the documentation is what its scenario runs: every command in order, and what it printed."""

import re

import transcript
from program import PACKAGE

PAGE = PACKAGE / "Documentation/content-tour.md"
SCENARIO = PACKAGE / "Tests/Scenarios/tour_of_contents.scenario"
# What a reader does in place of the scenario's directives.
ELSEWHERE = ("tenure serve ", "export URL=")


def printed(page: str) -> list[tuple[str, str]]:
    """The commands of a page with what stands below each."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            while lines and lines[0].startswith("> "):
                command += "\n" + lines.pop(0)[2:]
            found.append((command, "".join(line + "\n" for line in lines)))
    return [one for one in found if not one[0].startswith(ELSEWHERE)]


def test_every_command_of_the_page_is_run_and_printed_what_it_says():
    steps = iter(step for step in transcript.read(SCENARIO.read_text()) if step.verb == "run")
    known: dict[str, str] = {}
    commands = printed(PAGE.read_text())
    assert len(commands) > 40
    for command, output in commands:
        step = next((step for step in steps if step.text == command), None)
        assert step is not None, f"the scenario does not run: {command}"
        captured = transcript.match(step.expected, output, known)
        assert captured is not None, transcript.difference(step.expected, output, known)
        known |= captured
