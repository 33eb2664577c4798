"""Runs a short soak: it passes on a sound store, and notices changes that are undone directly in the store."""

import os
import sqlite3
import subprocess
import sys
import time
import xml.dom.minidom
from contextlib import closing
from pathlib import Path

from program import program
from waiting import eventually

SOAK = Path(__file__).resolve().parents[1] / "Soak/soak.py"


def start(home, seconds: int, **members: str) -> subprocess.Popen:
    environment = os.environ | {
        "TENURE_PROGRAM": str(program()), "PYTHONDONTWRITEBYTECODE": "1", "SOAK_SECONDS": str(seconds),
        "SOAK_SEED": "7", "SOAK_ENGINES": "sqlite", "SOAK_FOLDER": str(home / "soak")} | members
    return subprocess.Popen(
        [sys.executable, str(SOAK)], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)


def test_a_short_soak_test_of_a_sound_server_passes(home):
    out, err = start(home, 20, SOAK_SVG=str(home / "soak.svg")).communicate(timeout=300)
    assert out.endswith("all claims hold\n"), out + err
    assert "SOAK_SEED=7" in out and "kill twice" in out
    drawn = xml.dom.minidom.parse(str(home / "soak.svg"))
    assert {line.getAttribute("class") for line in drawn.getElementsByTagName("line")} == {"axis", "fault"}
    assert not (home / "soak").exists()


def test_a_soak_test_fails_if_a_trial_is_deleted_directly_from_the_store(home):
    soak = start(home, 10)
    try:
        found = eventually(lambda: list((home / "soak").glob("**/data/tenure.sqlite")), bool, 60)

        seen: list[tuple[int, float]] = []

        def lose() -> int:
            try:
                with closing(sqlite3.connect(found[0], timeout=30)) as store, store:
                    if not store.execute("SELECT 1 FROM sqlite_schema WHERE name = 'trials'").fetchone():
                        return 0
                    seen.append((store.execute("SELECT count(*) FROM trials").fetchone()[0], time.monotonic()))
                    # After two seconds, a trial's start is acknowledged. Without its row, the trial starts again later.
                    if not any(count and time.monotonic() - at > 2 for count, at in seen):
                        return 0
                    return store.execute("DELETE FROM trials").rowcount
            except sqlite3.OperationalError:  # the soak has just filled the disk, on purpose
                return 0

        assert eventually(lose, bool, 60)
        out, err = soak.communicate(timeout=300)
        assert soak.returncode == 1 and "LOST: a trial" in err, out + err
        assert "LOST: a trial" in (home / "soak/problems.txt").read_text()
        assert list((home / "soak").glob("**/tenure.sqlite")), "the store is kept"
    finally:
        soak.kill()
        soak.communicate()
