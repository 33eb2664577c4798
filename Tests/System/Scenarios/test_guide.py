"""Checks that every sentence of the player's guide names existing tests."""

import re

from program import PACKAGE

PAGE = PACKAGE / "Documentation/content.md"


def is_there(name: str, path: str) -> bool:
    """Whether a file contains a test of that name; a scenario's name is that of its file."""
    file = (PAGE.parent / path).resolve()
    if not file.is_file():
        return False
    text = file.read_text()
    return f"func `{name}`" in text or f"def {name}(" in text or (file.suffix == ".scenario" and file.stem == name)


def test_each_row_of_the_documented_table_about_kolluss_player_guide_names_existing_tests():
    section = PAGE.read_text().split("## A player's guide, sentence by sentence")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 23
    for row in rows:
        named = re.findall(r"\[([^\]]+)\]\((\.\./Tests/[^)]+)\)", row)
        assert named, row
        assert all(is_there(name, path) for name, path in named), [one for one in named if not is_there(*one)]
