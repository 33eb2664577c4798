"""Tests damaged stores: one that is cut short while a server uses it, and one with a flipped bit."""

import hashlib
import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from catalogs import catalog, fresh_key, license, product
from client import App
from installation import Installation


def flip_in_index(installation: Installation, key: str) -> None:
    """Flips a bit of a license's entry in the index of keys; the row itself stays correct."""
    with closing(sqlite3.connect(installation.database)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = store.execute("PRAGMA page_size").fetchone()[0]
        pages = [page for page, in store.execute(
            "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'licenses'")]
    bytes_ = bytearray(installation.database.read_bytes())
    digest = hashlib.sha256(key.encode()).digest()
    places = [bytes_.find(digest, (page - 1) * size, page * size) for page in pages]
    place = next(place for place in places if place >= 0)
    bytes_[place + 5] ^= 4
    installation.database.write_bytes(bytes_)


def test_requests_fail_and_the_log_reports_damage_if_the_database_file_of_a_running_server_is_truncated(installation):
    keys = [fresh_key() for _ in range(400)]
    installation.apply(catalog("acme", product(licenses=[license(key) for key in keys])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instances = [app.activated(key) for key in keys]
        with closing(sqlite3.connect(installation.database)) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            page = store.execute("PRAGMA page_size").fetchone()[0]
        for key, instance in zip(keys, instances):
            assert app.validate(key, instance).status == 200
        os.truncate(installation.database, 8 * page)
        told = {app.validate(key, instance).status for key, instance in zip(keys, instances)}
        assert 500 in told and told <= {200, 404, 500}, told
        assert server.client.get("/health").status == 200
        assert server.says("store_cut_short") and server.says("damaged")
        limits = Path(f"/proc/{server.pid}/limits").read_text()
        assert re.search(r"Max core file size +0 +0", limits), limits
        assert server.end_by(signal.SIGABRT) == -signal.SIGABRT, "a signal ends it, and the line before tells which"
        assert '"event":"crashed","signal": 6' in server.said
        assert all(line.startswith(("{", "tenure: ready")) for line in server.said.splitlines())


def test_a_flipped_bit_in_an_index_is_reported_by_doctor_backup_and_restore(installation, home):
    key = fresh_key()
    installation.apply(catalog("acme", product(licenses=[license(key), license(fresh_key())])))
    installation.do("backup", "whole.sqlite")
    flip_in_index(installation, key)
    with installation.serving() as server:
        assert App(server.client, "acme", "notes").activate(key).status == 404, "this is what nobody would notice"
        assert server.client.get("/ready").status == 200

    doctor = installation.run("doctor")
    assert doctor.code == 1 and "FAILURE  store" in doctor.out and "licenses" in doctor.out, doctor
    backup = installation.run("backup", "copy.sqlite")
    assert backup.code == 1 and "damaged" in backup.err
    assert not (home / "copy.sqlite").exists()
    damaged = home / "damaged.sqlite"
    damaged.write_bytes(installation.database.read_bytes())
    restored = installation.run("restore", str(damaged), "--replace")
    assert restored.code == 1 and "Nothing was changed." in restored.err
    installation.do("restore", "whole.sqlite", "--replace")
    installation.do("doctor")
