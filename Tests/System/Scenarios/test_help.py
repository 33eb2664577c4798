"""Checks that the help of every command shows its usage and an example."""

import json
import os
import re
import subprocess

from program import program


def page(*words: str) -> str:
    done = subprocess.run([str(program()), *words, "--help"], capture_output=True, text=True, check=True)
    return done.stdout


def commands(*words: str):
    """The paths of all commands, read from the help pages."""
    listed = [name for _, names in sections(*words) for name in names]
    if not listed:
        yield words
    for name in listed:
        if name != "help":
            yield from commands(*words, name)


def sections(*words: str) -> list[tuple[str, list[str]]]:
    """The headings of a group's help page, with the commands listed under each one."""
    text = page(*words)
    if " COMMAND [options]" not in text:
        return []
    blocks = re.findall(r"^([A-Z][a-z ]*):\n((?:  .*\n)+)", text, re.MULTILINE)
    return [
        (title, re.findall(r"^  ([a-z][a-z-]*) ", lines, re.MULTILINE)) for title, lines in blocks
        if title not in ("Options", "Example")]


def test_every_command_has_a_help_page_with_its_usage_and_an_example():
    found = list(commands())
    assert len(found) > 20
    for words in found:
        text = page(*words)
        assert "Usage: tenure " + " ".join(words) in text, words
        assert re.search(r"^Example:\n  (#|tenure )", text, re.MULTILINE), words


def test_the_main_help_page_lists_commands_by_purpose():
    listed = dict(sections())
    assert list(listed) == [
        "Start here", "Licenses", "Selling", "Contents", "Marketplace", "Operate", "Try out", "About this program"]
    assert all(listed.values())
    assert {"serve", "apply"} <= set(listed["Start here"])
    assert "license" in listed["Licenses"] and "device" in listed["Try out"]


def test_the_output_schema_describes_every_command_that_has_the_option_json():
    schema = subprocess.run([str(program()), "help", "json-schema"], capture_output=True, text=True, check=True).stdout
    declared = set(json.loads(schema)["$defs"])
    asked = {" ".join(words) for words in commands() if "--json" in page(*words)}
    assert len(asked) > 50 and asked - declared == set()


def test_the_main_help_page_names_the_command_that_explains_why_a_key_does_not_work():
    assert "`license explain` says why a customer's key doesn't work" in " ".join(page().split())


def test_every_command_but_serve_and_completion_has_the_option_json():
    for words in commands():
        # `serve` doesn't end, and `completion` prints code for a shell.
        assert words in (("serve",), ("completion",)) or "--json" in page(*words), words


def test_the_help_of_commands_that_change_a_license_names_the_accepted_identifiers():
    acting = [("license", name) for name in (
        "renew", "change", "rekey", "suspend", "reinstate", "revoke", "return", "link")] + [("activation", "release")]
    showing = [("license", "show"), ("license", "explain"), ("activation", "list")]
    says = {words: "Only a whole key, an id, or a masked key" in " ".join(page(*words).split()) for words in acting + showing}
    assert says == {words: words in acting for words in acting + showing}


def manual() -> str:
    return subprocess.run([str(program()), "help", "man-page"], capture_output=True, text=True, check=True).stdout


def test_the_manual_page_describes_every_command():
    described = set(re.findall(r"^\.SS (.+)$", manual().replace(r"\-", "-"), re.MULTILINE))
    assert described == {"tenure " + " ".join(words) for words in commands()} | {"tenure help"}


def test_the_manual_page_is_rendered_without_warnings():
    done = subprocess.run(
        ["man", "--warnings", "-l", "-"], input=manual(), capture_output=True, text=True,
        env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0 and done.stderr == ""
    shown = re.sub(".\b", "", done.stdout)
    assert "tenure - issues, renews and revokes licenses" in shown
    # Commands can be copied from the page as they are.
    assert "tenure license issue --check keys.csv\n" in shown
