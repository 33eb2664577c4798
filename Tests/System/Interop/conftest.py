"""One server per storage engine for all tests; each test has its own tenant."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

from database import SharedInstallation, running_database
from fake_app_store import FakeAppStore
from fetching import SECRET, connect
from installation import Installation, temporary_home
from leaks import pytest_sessionfinish  # noqa: F401 (a hook of pytest's)
from shop import Shop
from vendor import Vendor


BOTH = ("sqlite", "postgres")


def pytest_generate_tests(metafunc):
    """Runs a file's tests on the storage engines in the file's `ENGINES`, or on both if the file has no such list."""
    for name in ("shared_installation", "hasty_installation"):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, getattr(metafunc.module, "ENGINES", BOTH), indirect=True, scope="session")


@contextmanager
def installed(engine: str):
    with temporary_home() as home:
        if engine == "sqlite":
            yield Installation(home)
            return
        with running_database("-c", "fsync=off") as database:
            installation = SharedInstallation(home, database, database.new_database(), "interop")
            installation.do("init")
            yield installation


@pytest.fixture(scope="session")
def shared_installation(request):
    with installed(request.param) as installation:
        yield installation


@pytest.fixture(scope="session")
def shared_server(shared_installation):
    with shared_installation.serving() as server:
        yield server


@pytest.fixture(scope="session")
def hasty_installation(request):
    """An installation for tests that move its clock to the next retry (`fetching.comes_to`) instead of waiting."""
    with installed(request.param) as installation:
        yield installation.moves_time()


@pytest.fixture(scope="session")
def hasty_server(hasty_installation):
    with hasty_installation.serving() as server:
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
def timed(home):
    """A tenant on a separate server whose clock the test moves."""
    installation = Installation(home).moves_time()
    with installation.serving() as server:
        yield Vendor(installation, server)


@pytest.fixture
def apple(home):
    """A fake App Store Connect on the loopback interface."""
    fake = FakeAppStore(home)
    yield fake
    fake.end()


@pytest.fixture
def shop(hasty_installation, hasty_server, apple):
    """A marketplace that is connected to the fake App Store Connect."""
    shop = Shop(hasty_installation, hasty_server, notifications={"secret": SECRET})
    assert connect(shop, apple).code == 0
    return shop

