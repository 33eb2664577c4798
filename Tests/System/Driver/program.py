"""Finds the programs under test."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3]


class NotBuilt(Exception):
    """A program under test has not been built."""


def program() -> Path:
    """The program under test: the one that TENURE_PROGRAM names, or else the debug build."""
    path = Path(os.environ.get("TENURE_PROGRAM") or PACKAGE / ".build/debug/tenure").resolve()
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no program at {path}: run 'make test', or set TENURE_PROGRAM")
    return path


def job_server() -> Path:
    """The server with the jobs of the tests, from the folder of the debug build.

    The job server isn't shipped, so there is only a debug build of it.
    """
    debug = os.environ.get("DEBUG_PROGRAM")
    path = (Path(debug).resolve() if debug else program()).parent / "job-server"
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no server for jobs at {path}: run 'make test', or name the debug build with DEBUG_PROGRAM")
    return path


def sample() -> Path:
    """The sample app, from the program's folder."""
    path = program().parent / "notes-cli"
    if not os.access(path, os.X_OK):
        raise NotBuilt(f"there is no sample app at {path}: run 'make test', or build notes-cli beside the program")
    return path
