"""One SQLite server for all tests of this folder."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

from counting import CountedInstallation
from installation import temporary_home


@pytest.fixture(scope="session")
def installation():
    with temporary_home() as home:
        yield CountedInstallation(home)


@pytest.fixture(scope="session")
def server(installation):
    with installation.serving() as server:
        yield server
