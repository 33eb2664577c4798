"""A shared server for fault tests that leave it intact, and a separate folder for each other test."""

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
    """A tenant on the shared server."""
    return Vendor(shared_installation, shared_server)


@pytest.fixture
def home():
    """An empty folder."""
    with temporary_home() as home:
        yield home


@pytest.fixture
def installation(home):
    """An installation with a new data folder."""
    return Installation(home)

