"""Tests issuing licenses to a file: however the command ends, the file has the key of every issued license."""

import csv
import hashlib
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
from catalogs import catalog

WORDS = ["license", "issue", "--tenant", "acme", "--product", "notes", "--policy", "pro"]


def begin(installation, count):
    """Starts a command that issues licenses to a new file."""
    out = installation.home / f"keys-{time.monotonic_ns()}.csv"
    process = subprocess.Popen(
        installation.words(*WORDS, "--count", str(count), "--out", str(out)), cwd=installation.home,
        env=installation.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)
    return process, out


def reached(process, out, size):
    """Waits until the file has that many bytes, or the command has ended."""
    while process.poll() is None and (not out.exists() or out.stat().st_size < size):
        time.sleep(0.0005)


def rows(out):
    with out.open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["expiresAt"] is not None]


def hashes(installation):
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        return {bytes(hash) for (hash,) in store.execute("SELECT key_hash FROM licenses")}


def in_file(out):
    return {hashlib.sha256(row["key"].encode()).digest() for row in rows(out)}


def not_issued(installation, out):
    """The rows that `--check` reports as not issued; its exit code and row count must be correct."""
    output = installation.run("license", "issue", "--check", str(out), "--json")
    told = output.json
    assert output.code == (1 if told["notIssued"] else 0)
    with out.open() as file:
        assert told["rows"] == sum(1 for _ in file) - 1
    return told["notIssued"]


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL], ids=lambda by: by.name)
def test_the_file_of_an_interrupted_license_issue_command_has_the_key_of_every_issued_license(installation, by):
    installation.apply(catalog("acme"))
    earlier = hashes(installation)
    for turn in range(10):
        process, out = begin(installation, 100_000)
        reached(process, out, 1 + 7_001 * turn)
        process.send_signal(by)
        said = process.communicate(timeout=60)[1]
        issued = hashes(installation) - earlier
        earlier |= issued
        found = in_file(out) if out.exists() else set()
        assert issued <= found, f"{len(issued - found)} keys are lost"
        if by == signal.SIGINT and process.returncode == 130:
            assert issued == found and f"stopped: {len(issued)} of 100000 licenses were issued" in said
        elif out.exists() and rows(out):
            assert len(not_issued(installation, out)) >= len(found - issued)
            names = {row["license"] for row in not_issued(installation, out)}
            assert {row["license"] for row in rows(out) if row["license"] in names} == {
                row["license"] for row in rows(out)
                if hashlib.sha256(row["key"].encode()).digest() not in issued}


def test_repeated_interrupts_end_a_license_issue_command_without_losing_a_key(installation):
    installation.apply(catalog("acme"))
    process, out = begin(installation, 1_000_000)
    reached(process, out, 1_000)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.001)
    process.communicate(timeout=60)
    assert process.returncode == 130 and hashes(installation) <= in_file(out)


def test_the_command_license_issue_with_check_accepts_a_complete_key_file_and_names_rows_not_issued(installation):
    installation.apply(catalog("acme"))
    out = installation.home / "keys.csv"
    installation.do(*WORDS, "--count", "600", "--out", str(out))
    assert installation.do("license", "issue", "--check", str(out)).out == "all 600 rows were issued\n"

    text = out.read_text()
    out.write_text(text + "KEY,lic_0000000000001,pro,,\nKEY,li")
    assert [row["line"] for row in not_issued(installation, out)] == [602, 603]
    out.write_text("key\n")
    assert "was not written by" in installation.run("license", "issue", "--check", str(out)).err


def test_the_error_of_a_license_issue_command_names_the_missing_option(installation):
    installation.apply(catalog("acme"))
    output = installation.run("license", "issue", "--tenant", "acme")
    assert output.code == 2 and "--policy" in output.err
