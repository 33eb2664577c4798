"""Fixtures with two servers on one PostgreSQL database."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

import catalogs
from database import SharedInstallation, running_database
from installation import temporary_home
from leaks import pytest_sessionfinish  # noqa: F401 (a hook of pytest's)


class Pair:
    """Two installations with one store and one master key, and their servers."""

    def __init__(self, home: Path, database):
        store = database.new_database()
        self.database = database
        self.installations = [SharedInstallation(home, database, store, f"server{number}") for number in (0, 1)]
        self.installation = self.installations[0]
        self.tenant = catalogs.fresh()
        self.servers = []

    def start(self) -> "Pair":
        assert not self.servers, "the fixture has started them"
        self.installation.do("init")
        self.servers = [installation.start() for installation in self.installations]
        return self

    def discard(self) -> None:
        for server in self.servers:
            server.discard()

    def offer(self, policy: dict | None = None, **members) -> str:
        """Offers one product with one more license, and returns the license key."""
        key, policy = catalogs.fresh_key(), policy or catalogs.policy()
        self.installation.apply(catalogs.catalog(self.tenant, catalogs.product(
            policies=[policy], licenses=[catalogs.license(key, policy["id"], **members)])))
        return key


@pytest.fixture(scope="session")
def database():
    with running_database("-c", "fsync=off", "-c", "max_connections=100") as database:
        yield database


@pytest.fixture
def home():
    with temporary_home() as home:
        yield home


@pytest.fixture
def pair(home, database):
    """Two running servers."""
    pair = Pair(home, database)
    try:
        yield pair.start()
    finally:
        pair.discard()


@pytest.fixture
def fragile_pair(home):
    """Two servers on a separate database server that the test may stop."""
    with running_database() as database:
        pair = Pair(home, database)
        try:
            yield pair.start()
        finally:
            pair.discard()


@pytest.fixture
def unborn_pair(home, database):
    """Two installations before `tenure init`."""
    pair = Pair(home, database)
    try:
        yield pair
    finally:
        pair.discard()
