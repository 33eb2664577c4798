"""Checks that documentation, examples and help use one word per idea."""

import re
from pathlib import Path

import pytest
from test_help import commands, page

PACKAGE = Path(__file__).parents[3]
# `decisions.md` may mention other terms.
PAGES = [
    *(path for path in (PACKAGE / "Documentation").glob("*") if path.suffix in {".md", ".json"} and path.name != "decisions.md"),
    *(PACKAGE / name for name in ("README.md", "SECURITY.md")), *(PACKAGE / "Examples").rglob("*.md")]
# The term for the use of a license on a device is "activation".
OTHER_WORDS = re.compile(r"\bseats?\b", re.IGNORECASE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_uses_the_words_of_the_field(path):
    assert not OTHER_WORDS.findall(path.read_text())


def test_help_uses_them_too():
    said = {words: OTHER_WORDS.findall(page(*words)) for words in commands()}
    assert len(said) > 20 and not {words: found for words, found in said.items() if found}
