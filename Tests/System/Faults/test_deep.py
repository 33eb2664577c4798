"""Checks that `doctor --deep` names damage that the declarations of single tables don't forbid.

Examples are columns that can't be decoded together, gaps in the events, and differences of the schema.
"""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
import whole_store
from installation import Installation, temporary_home

# The damaged table, the column that must be reported, and the damage. Nothing else is wrong with the damaged rows.
DAMAGES = [
    ("policies", "entitlements", "entitlements = ',,'"),
    ("licenses", "state", "state = 'asleep'"),
    ("licenses", "term_end", "term_end = term_start - 1"),
    ("licenses", "key_hash", "key_hash = x'00'"),
    ("events", None, "UPDATE licenses SET state = 'revoked' WHERE state = 'active'"),
    ("events", None, "UPDATE licenses SET state = 'suspended' WHERE state = 'active'"),
    ("events", None, "UPDATE licenses SET state = 'returned' WHERE state = 'active'"),
    ("activations", "identity", "identity = 'what?'"),
    ("settings", None, "DELETE FROM settings WHERE name LIKE '%check%'"),
    ("catalog_version", None, "DELETE FROM catalog_version"),
    ("licenses", "holder", "holder = CAST(x'41ff42' AS TEXT)"),
    ("events", None, "DELETE FROM events WHERE kind = 'license.issued'"),
    ("events", None, "DELETE FROM events WHERE kind = 'activation.created'"),
    ("events", None, "DELETE FROM events WHERE kind = 'app_license.issued'"),
    ("licenses", None, "DROP INDEX licenses_by_holder"),
    ("licenses", None, "DROP INDEX licenses_by_key"),
    ("licenses", None, "DROP INDEX licenses_by_holder; CREATE INDEX licenses_by_holder ON licenses (state)"),
    ("spare", None, "CREATE TABLE spare (id INTEGER PRIMARY KEY)"),
    ("licenses", None, "CREATE INDEX spare ON licenses (state)"),
    ("licenses", None, "CREATE TRIGGER spare AFTER UPDATE ON licenses BEGIN SELECT 1; END"),
    ("migrations", None, "DELETE FROM migrations"),
    ("events", "detail", "detail = '' WHERE kind = 'license.issued'"),
    ("events", None, "DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)"),
    ("events", None, "DELETE FROM events WHERE tenant = (SELECT max(tenant) FROM events)"),
    ("sign_ins", "replaced", "replaced = '5-4'"),
    ("enrolments", "scope", "scope = 'planet:mars'"),
    ("events", "license_id", "UPDATE licenses SET tenant = 'beta' WHERE tenant = 'acme'"),
]


def statement(store: sqlite3.Connection, table: str, damage: str) -> str:
    """The SQL statement of a damage; if it names no rows, it damages the table's last row."""
    if damage.split()[0] in ("UPDATE", "DELETE", "INSERT"):
        return damage
    if " WHERE " in damage:
        changes, where = damage.split(" WHERE ", 1)
        return f"UPDATE {table} SET {changes} WHERE {where}"
    columns = store.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk").fetchall()
    key = ", ".join(name for name, in columns)
    return f"UPDATE {table} SET {damage} WHERE ({key}) IN (SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT 1)"


@pytest.fixture(scope="module")
def whole():
    """An installation with data of every kind, and without a running server."""
    with temporary_home() as home:
        installation = Installation(home)
        whole_store.fill(installation)
        with closing(sqlite3.connect(installation.database)) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        yield installation


def faults(installation: Installation) -> list[tuple[str, str]]:
    """The reported damage, each as the table and the rest of the message."""
    told = installation.run("doctor", "--deep", "--json")
    found = [json.loads(line) for line in told.out.splitlines()]
    damage = [one["message"] for one in found if one["subject"] == "damage"]
    assert (told.code == 1) == any(one["level"] == "failure" for one in found), told
    return [tuple(message.split(", ", 1)) for message in damage]


def test_doctor_deep_reports_nothing_for_a_sound_store(whole):
    assert faults(whole) == []
    assert "everything is consistent" in whole.do("doctor", "--deep").out


@pytest.mark.parametrize(
    "table, column, damage", DAMAGES, ids=[f"{table}-{damage}"[:60].replace("/", " ") for table, _, damage in DAMAGES])
def test_doctor_deep_names_the_table_of_a_fault_and_for_an_invalid_value_its_column(whole, home, table, column, damage):
    damaged = Installation(home)
    shutil.copytree(whole.data, damaged.data)
    with closing(sqlite3.connect(damaged.database)) as store:
        store.execute("PRAGMA ignore_check_constraints = ON")
        if damage.split()[0] in ("CREATE", "DROP"):
            store.executescript(damage)
        else:
            assert store.execute(statement(store, table, damage)).rowcount > 0, "nothing was damaged"
        store.commit()
    found = faults(damaged)
    told = [rest for name, rest in found if name == table]
    assert told, f"{damage} is not told of {table}: {found}"
    if column:
        assert any(f": {column}: " in rest for rest in told), found
