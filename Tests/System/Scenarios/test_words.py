"""Checks that documentation, examples and help use one word per idea."""

import re
from pathlib import Path

import pytest
from test_help import commands, page

PACKAGE = Path(__file__).parents[3]
# The pages of decisions may mention other terms.
PAGES = [
    *(path for path in (PACKAGE / "Documentation").glob("*") if path.suffix in {".md", ".json"} and not path.name.startswith("decisions")),
    *(PACKAGE / name for name in ("README.md", "SECURITY.md")), *(PACKAGE / "Examples").rglob("*.md")]
# The term for the use of a license on a device is "activation".
OTHER_WORDS = re.compile(r"\bseats?\b", re.IGNORECASE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_documentation_page_uses_no_banned_word(path):
    assert not OTHER_WORDS.findall(path.read_text())


def test_the_help_uses_no_banned_word():
    said = {words: OTHER_WORDS.findall(page(*words)) for words in commands()}
    assert len(said) > 20 and not {words: found for words, found in said.items() if found}
