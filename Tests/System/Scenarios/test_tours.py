"""Checks that the documented tours match their scenarios: every command in order, with its output."""

import re

import pytest
import transcript
from program import PACKAGE

TOURS = {
    "content-tour": ("tour_of_contents", 40), "marketplace-tour": ("tour_of_a_marketplace", 26)}
# Commands that a reader runs in place of the scenario's directives.
ELSEWHERE = ("tenure serve", "export ")


def printed(page: str) -> list[tuple[str, str]]:
    """The commands of a page, each with the output shown below it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            while lines and lines[0].startswith("> "):
                command += "\n" + lines.pop(0)[2:]
            found.append((command, "".join(line + "\n" for line in lines)))
    return [one for one in found if not one[0].startswith(ELSEWHERE)]


@pytest.mark.parametrize("page", TOURS)
def test_the_commands_and_outputs_of_a_documented_tour_match_its_scenario(page):
    scenario, least = TOURS[page]
    text = (PACKAGE / f"Tests/System/Scenarios/{scenario}.scenario").read_text()
    steps = iter(step for step in transcript.read(text) if step.verb == "run")
    known: dict[str, str] = {}
    commands = printed((PACKAGE / f"Documentation/{page}.md").read_text())
    assert len(commands) > least
    for command, output in commands:
        step = next((step for step in steps if step.text == command), None)
        assert step is not None, f"the scenario does not run: {command}"
        captured = transcript.match(step.expected, output, known)
        assert captured is not None, transcript.difference(step.expected, output, known)
        known |= captured


@pytest.mark.parametrize("page, least", [("marketplace-tour", 2)])
def test_the_pictures_of_a_tour_exist(page, least):
    folder = PACKAGE / "Documentation"
    pictures = re.findall(r'<img src="([^"]+)" alt="[^"]{20,}"', (folder / f"{page}.md").read_text())
    assert len(pictures) >= least
    for picture in pictures:
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
