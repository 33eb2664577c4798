"""Where the program under test is."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3]


class NotBuilt(Exception):
    """There is nothing to test."""


def program() -> Path:
    """The program under test, as TENURE_PROGRAM names it; the debug build otherwise."""
    path = Path(os.environ.get("TENURE_PROGRAM") or PACKAGE / ".build/debug/tenure").resolve()
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no program at {path}: run 'make test', or set TENURE_PROGRAM")
    return path


def job_server() -> Path:
    """The server with the tests' own room, which is built beside the program."""
    path = program().parent / "job-server"
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no server for jobs at {path}: run 'make test', or build job-server beside the program")
    return path


def sample() -> Path:
    """The sample app, which is built beside the program."""
    path = program().parent / "notes-cli"
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no sample app at {path}: run 'make test', or build notes-cli beside the program")
    return path
