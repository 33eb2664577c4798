"""Fails a test run in which a server or command logged a secret. Each suite's conftest.py imports it."""

import secrecy

SHOWN = 5


def pytest_sessionfinish(session) -> None:
    lines = secrecy.leaks()
    if lines:
        print(f"\n{len(lines)} logged lines contain a secret, among them:", *lines[:SHOWN], sep="\n  ")
        session.exitstatus = 1
