"""Where the program under test is."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]


class NotBuilt(Exception):
    """There is nothing to test."""


def program() -> Path:
    """The program under test, as TENURE_PROGRAM names it; the debug build otherwise."""
    path = Path(os.environ.get("TENURE_PROGRAM") or PACKAGE / ".build/debug/tenure").resolve()
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no program at {path}: run 'make test', or set TENURE_PROGRAM")
    return path
