"""Checks that the help of every command shows its usage and an example."""

import re
import subprocess

from program import program


def page(*words: str) -> str:
    done = subprocess.run([str(program()), *words, "--help"], capture_output=True, text=True, check=True)
    return done.stdout


def commands(*words: str):
    """The paths of all commands, read from the help pages."""
    listed = re.search(r"^Commands:\n(.*?)\n\n", page(*words), re.MULTILINE | re.DOTALL)
    if not listed:
        yield words
        return
    for name in re.findall(r"^  ([a-z][a-z-]*)  ", listed[1], re.MULTILINE):
        if name != "help":
            yield from commands(*words, name)


def test_every_command_has_a_page_with_an_example():
    found = list(commands())
    assert len(found) > 20
    for words in found:
        text = page(*words)
        assert "Usage: tenure " + " ".join(words) in text, words
        assert re.search(r"^Example:\n  (#|tenure )", text, re.MULTILINE), words


def test_every_command_that_answers_has_json():
    for words in commands():
        # `serve` doesn't end, and `completion` prints code for a shell.
        assert words in (("serve",), ("completion",)) or "--json" in page(*words), words
