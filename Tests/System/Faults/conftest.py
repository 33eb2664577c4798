"""Servers that are mistreated: one for all tests that leave it whole, and folders of their own for the others."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

from installation import Installation, temporary_home
from leaks import pytest_sessionfinish  # noqa: F401 (a hook of pytest's)
from vendor import Vendor


@pytest.fixture(scope="session")
def shared_installation():
    with temporary_home() as home:
        yield Installation(home)


@pytest.fixture(scope="session")
def shared_server(shared_installation):
    with shared_installation.serving() as server:
        yield server


@pytest.fixture
def vendor(shared_installation, shared_server):
    """A tenant of the server that tests share which leave it whole."""
    return Vendor(shared_installation, shared_server)


@pytest.fixture
def home():
    """An empty folder."""
    with temporary_home() as home:
        yield home


@pytest.fixture
def installation(home):
    """A data folder of its own, with nothing in it yet."""
    return Installation(home)

