"""One server and two browsers for all tests; each test has its own marketplace."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

from browser import Browser
from household import Household
from installation import Installation, temporary_home
from leaks import pytest_sessionfinish  # noqa: F401 (a hook of pytest's)


@pytest.fixture(scope="session")
def installation():
    with temporary_home() as home:
        yield Installation(home).moves_time()


@pytest.fixture(scope="session")
def server(installation):
    with installation.serving() as server:
        yield server


@pytest.fixture
def household(installation, server):
    return Household(installation, server, deviceLimit=6)


@pytest.fixture(scope="session")
def plain_browser():
    with temporary_home() as home:
        browser = Browser(home)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def measuring_browser():
    with temporary_home() as home:
        browser = Browser(home, scripts=True)
        yield browser
        browser.close()


@pytest.fixture
def browser(plain_browser):
    """A browser without scripts and cookies; it must log no error on any page of the test."""
    plain_browser.forget()
    yield plain_browser
    assert plain_browser.complaints() == []
