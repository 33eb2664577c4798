"""Fails a run of tests in which a server or command logged a secret. Imported by each suite's conftest.py."""

import secrecy

SHOWN = 5


def pytest_sessionfinish(session) -> None:
    lines = secrecy.leaks()
    if lines:
        print(f"\n{len(lines)} logged lines contain a secret, among them:", *lines[:SHOWN], sep="\n  ")
        session.exitstatus = 1
