"""Checks that `doctor --deep` names the table and column of damage that no index or constraint detects."""

import json
import shutil
import sqlite3
import time
from contextlib import closing

import pytest
import whole_store
from installation import Installation, temporary_home

FUTURE = int(time.time()) + 400 * 86_400
PAST = 1_000_000_000

# The damaged table, the column that must be reported, and the damage. Nothing else is wrong with the damaged rows.
DAMAGES = [
    ("products", "trial_days", "trial_days = -1"),
    ("policies", "duration_days", "duration_days = 0"),
    ("policies", "activation_limit", "activation_limit = 0"),
    ("policies", "device_changes", "device_changes = -4"),
    ("policies", "device_changes", "activation_limit = NULL"),
    ("policies", "lease_days", "lease_days = 0"),
    ("policies", "grace_days", "grace_days = -1"),
    ("policies", "entitlements", "entitlements = 'export,export'"),
    ("policies", None, "entitlements = ',,'"),
    ("policies", "self_release_per_year", "self_release_cooldown_days = 1, self_release_per_year = 0"),
    ("policies", "self_release_cooldown_days", "self_release_cooldown_days = -1, self_release_per_year = 1"),
    ("licenses", "issued_at", f"issued_at = {FUTURE}"),
    ("licenses", "first_activated_at", f"first_activated_at = {FUTURE} WHERE state = 'active'"),
    ("licenses", "first_activated_at", f"first_activated_at = {PAST} WHERE state = 'active'"),
    ("licenses", "state", "state = 'issued' WHERE state = 'active'"),
    ("licenses", "state", "state = 'active' WHERE state = 'issued'"),
    ("licenses", "state", "state = 'expired', term_end = NULL WHERE state = 'active'"),
    ("licenses", "key_masked", "key_masked = ''"),
    ("licenses", "holder", "holder = ''"),
    ("licenses", None, "state = 'asleep'"),
    ("licenses", None, "term_end = term_start - 1"),
    ("licenses", None, "key_hash = x'00'"),
    ("events", None, "UPDATE licenses SET state = 'revoked' WHERE state = 'active'"),
    ("events", None, "UPDATE licenses SET state = 'suspended' WHERE state = 'active'"),
    ("events", None, "UPDATE licenses SET state = 'returned' WHERE state = 'active'"),
    ("activations", "activated_at", f"activated_at = {FUTURE}, last_seen_at = {FUTURE}"),
    ("activations", "last_seen_at", f"last_seen_at = {FUTURE}"),
    ("activations", "last_seen_at", f"last_seen_at = {PAST}"),
    ("activations", "released_at", f"released_at = {FUTURE}"),
    ("activations", "released_at", f"released_at = {PAST}"),
    ("activations", "released_by", "released_by = 'holder'"),
    ("activations", "counts_until", f"counts_until = {FUTURE}"),
    ("activations", "license_id", "license_id = (SELECT id FROM licenses WHERE state = 'issued')"),
    ("activations", "identity", "UPDATE activations SET identity = (SELECT min(identity) FROM activations), "
     "license_id = (SELECT min(license_id) FROM activations)"),
    ("activations", None, "identity = 'what?'"),
    ("former_keys", "replaced_at", f"replaced_at = {FUTURE}"),
    ("license_credentials", "created_at", f"created_at = {FUTURE}, expires_at = {FUTURE + 1}"),
    ("license_credentials", "expires_at", "expires_at = created_at"),
    ("license_credentials", "ended_at", f"ended_at = {PAST}"),
    ("trials", "recorded_at", f"recorded_at = {FUTURE}"),
    ("trials", "started_at", f"started_at = {FUTURE}"),
    ("signing_keys", "created_at", f"created_at = {FUTURE}"),
    ("signing_keys", "standing", "standing = 'primary', published_until = NULL WHERE standing = 'retiring'"),
    ("signing_keys", "standing", "standing = 'retired'"),
    ("signing_keys", "published_until", f"published_until = {FUTURE} WHERE standing = 'primary'"),
    ("signing_keys", "published_until", "published_until = NULL WHERE standing = 'retiring'"),
    ("signing_keys", "span_days", "span_days = 0"),
    ("signing_keys", "sealed_seed", "sealed_seed = zeroblob(60)"),
    ("signing_keys", "public_key", "public_key = zeroblob(32)"),
    ("prepared_keys", "kid", "kid = (SELECT min(kid) FROM signing_keys WHERE tenant = 'acme')"),
    ("prepared_keys", "sealed_seed", "sealed_seed = zeroblob(60)"),
    ("prepared_keys", "public_key", "public_key = zeroblob(32)"),
    ("prepared_keys", "created_at", f"created_at = {FUTURE}"),
    ("tokens", "id", "id = 'key_1'"),
    ("tokens", "scopes", "scopes = ''"),
    ("tokens", "scopes", "scopes = 'moon:read'"),
    ("tokens", "scopes", "scopes = 'licenses:write licenses:read'"),
    ("tokens", "created_at", f"created_at = {FUTURE}, expires_at = NULL"),
    ("tokens", "expires_at", "expires_at = created_at"),
    ("tokens", "revoked_at", f"revoked_at = {PAST}"),
    ("tokens", "revoked_at", f"revoked_at = {FUTURE}"),
    ("settings", "value", "value = CAST('soon' AS BLOB) WHERE name = 'clock.seen'"),
    ("settings", "value", f"value = CAST('{FUTURE}' AS BLOB) WHERE name = 'clock.seen'"),
    ("settings", "name", "INSERT INTO settings VALUES ('unfinished_copy', x'00')"),
    ("settings", None, "DELETE FROM settings WHERE name LIKE '%check%'"),
    ("catalog_version", None, "DELETE FROM catalog_version"),
    ("licenses", "key_masked", "key_masked = 'NOTE-0000-0000-0001'"),
    ("licenses", None, "holder = CAST(x'41ff42' AS TEXT)"),
    ("events", None, "DELETE FROM events WHERE kind = 'license.issued'"),
    ("events", None, "DELETE FROM events WHERE kind = 'activation.created'"),
    ("events", None, "DELETE FROM events WHERE kind = 'app_license.issued'"),
    ("enrolments", "ends_at", f"starts_at = {PAST}, ends_at = {PAST - 1}"),
    ("enrolments", "ended_at", f"state = 'ended', ended_at = {PAST}"),
    ("app_licenses", "stopped_at", f"state = 'revoked', stopped_at = {PAST}"),
    ("licenses", None, "DROP INDEX licenses_by_holder"),
    ("licenses", None, "DROP INDEX licenses_by_key"),
    ("licenses", None, "DROP INDEX licenses_by_holder; CREATE INDEX licenses_by_holder ON licenses (state)"),
    ("spare", None, "CREATE TABLE spare (id INTEGER PRIMARY KEY)"),
    ("licenses", None, "CREATE INDEX spare ON licenses (state)"),
    ("licenses", None, "CREATE TRIGGER spare AFTER UPDATE ON licenses BEGIN SELECT 1; END"),
    ("migrations", None, "DELETE FROM migrations"),
    ("answers", "at", f"at = {FUTURE}"),
    ("answers", "sealed", "sealed = zeroblob(40)"),
    ("tenant_versions", "version", "version = -1"),
    ("leaders", "term", "term = 0"),
    ("events", "at", f"at = {FUTURE}"),
    ("events", "kind", "kind = 'license.eaten'"),
    ("events", None, "detail = '' WHERE kind = 'license.issued'"),
    ("events", "kind", "detail = (SELECT detail FROM events WHERE kind = 'activation.created' LIMIT 1) "
     "WHERE kind = 'license.issued'"),
    ("events", None, "DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)"),
    ("events", "sequence", "DELETE FROM events WHERE sequence = 2"),
    ("events", None, "DELETE FROM events WHERE tenant = (SELECT max(tenant) FROM events)"),
    ("event_counters", "last", "last = last - 1"),
    ("event_counters", "last", "last = 0"),
    ("event_counters", "last", "DELETE FROM event_counters"),
    ("events", "license_id", "license_id = 5 WHERE license_id > 0"),
    ("events", "enrolment_id", "enrolment_id = 5 WHERE enrolment_id IS NOT NULL"),
    ("events", "content_license_id", "content_license_id = 5 WHERE content_license_id IS NOT NULL"),
    ("marketplace_keys", "created_at", f"created_at = {FUTURE}"),
    ("marketplace_keys", "certificate", "certificate = x'' WHERE purpose = 'signing'"),
    ("marketplace_keys", "certificate", "certificate = x'00' WHERE purpose = 'pask'"),
    ("marketplace_keys", "sealed_secret", "sealed_secret = zeroblob(40)"),
    ("app_assets", "key_blob", "key_blob = x''"),
    ("accounts", "created_at", f"created_at = {FUTURE}"),
    ("accounts", "email", "email = ''"),
    ("accounts", "password_hash", "password_hash = 'password'"),
    ("credentials", "created_at", f"created_at = {FUTURE}, expires_at = NULL"),
    ("credentials", "expires_at", "expires_at = created_at"),
    ("credentials", "ended_at", f"ended_at = {PAST}"),
    ("sign_ins", "created_at", f"created_at = {FUTURE}, expires_at = {FUTURE + 1}"),
    ("sign_ins", "expires_at", "expires_at = created_at"),
    ("sign_ins", "ended_at", f"ended_at = {PAST}"),
    ("sign_ins", "access", "access = NULL, access_at = NULL"),
    ("sign_ins", "newest", "newest = 0"),
    ("sign_ins", "used", "used = newest"),
    ("sign_ins", "client", "client = NULL"),
    ("sign_ins", None, "replaced = '5-4'"),
    ("app_grants", "granted_at", f"granted_at = {FUTURE}"),
    ("app_grants", "ended_at", f"ended_at = {PAST}"),
    ("app_licenses", "issued_at", f"issued_at = {FUTURE}, term_start = {FUTURE}, term_end = NULL"),
    ("app_licenses", "state", "state = 'expired'"),
    ("app_licenses", "stopped_at", "stopped_at = issued_at"),
    ("app_licenses", "stopped_at", "state = 'revoked'"),
    ("app_licenses", "term_start", f"term_start = {PAST}"),
    ("app_licenses", "counts_until", f"counts_until = {FUTURE}"),
    ("content_targets", "sealed", "sealed = zeroblob(40)"),
    ("callback_tokens", "sealed", "sealed = zeroblob(40)"),
    ("callback_tokens", "number", "number = 0"),
    ("enrolments", "made_at", f"made_at = {FUTURE}"),
    ("enrolments", "ended_at", "state = 'ended'"),
    ("enrolments", "ended_at", f"ended_at = {PAST}"),
    ("enrolments", "holder", "holder = ''"),
    ("enrolments", None, "scope = 'planet:mars'"),
    ("content_licenses", "version", "version = 0"),
    ("content_licenses", "counts_from", "counts_from = 9"),
    ("content_licenses", "stopped_at", f"stopped_at = {PAST}"),
    ("content_licenses", "stopped_at", "state = 'revoked'"),
    ("content_licenses", "is_released", "is_released = 1"),
    ("content_licenses", "used_plays", "used_plays = -1"),
    ("content_licenses", "used_seconds", "used_seconds = -1"),
    ("content_licenses", "settled", "settled = -1"),
    ("content_licenses", "confirmed_version", "confirmed_version = 9"),
    ("content_licenses", "uncounted_version", "uncounted_version = 1"),
    ("content_licenses", "issued_at", f"issued_at = {FUTURE}"),
    ("content_licenses", "last_seen_at", f"last_seen_at = {FUTURE}"),
    ("holder_credentials", "created_at", f"created_at = {FUTURE}, expires_at = {FUTURE + 1}"),
    ("holder_credentials", "expires_at", "expires_at = created_at"),
    ("holder_credentials", "ended_at", f"ended_at = {PAST}"),
    ("holder_credentials", "device", "device = NULL"),
    ("holder_credentials", "succeeded_at", f"succeeded_at = {FUTURE}"),
    ("holder_credentials", "released_at", f"kind = 'link', device = NULL, released_at = {PAST}"),
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


def test_a_sound_store_is_told_of_nothing(whole):
    assert faults(whole) == []
    assert "all are consistent" in whole.do("doctor", "--deep").out


@pytest.mark.parametrize(
    "table, column, damage", DAMAGES, ids=[f"{table}-{damage}"[:60].replace("/", " ") for table, _, damage in DAMAGES])
def test_damage_is_named(whole, home, table, column, damage):
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
