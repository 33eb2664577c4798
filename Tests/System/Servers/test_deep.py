"""Tests `doctor --deep` on a database that servers are using."""

import json
import subprocess

import pytest
from client import App
from shop import Shop


@pytest.mark.parametrize("statement, told", [
    ("UPDATE licenses SET holder = ''", "licenses, lic_"),
    ("UPDATE activations SET released_by = 'holder'", "activations, "),
    ("UPDATE activations SET identity = 'what?'", "activations, the first: cannot be read"),
    ("UPDATE signing_keys SET public_key = decode(repeat('00', 32), 'hex')", "signing_keys, k1-"),
    ("UPDATE events SET at = 9999999999", "events, "),
    ("DELETE FROM events", "events, "),
    ("DELETE FROM events WHERE sequence = 2", "events, "),
    ("DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)", "events, "),
    ("UPDATE event_counters SET last = last - 1", "event_counters, "),
    ("DROP INDEX licenses_by_holder", "licenses, index licenses_by_holder: is missing"),
    ("DROP INDEX licenses_by_key", "licenses, index licenses_by_key: is missing"),
    ("DROP INDEX licenses_by_holder; CREATE INDEX licenses_by_holder ON licenses (state)",
     "licenses, index licenses_by_holder: is defined as "),
    ("CREATE TABLE spare (id bigint)", "spare, table spare: is not declared"),
    ("CREATE INDEX spare ON licenses (state)", "licenses, index spare: is not declared"),
    ("CREATE TRIGGER spare BEFORE UPDATE ON licenses FOR EACH ROW EXECUTE FUNCTION "
     "suppress_redundant_updates_trigger()", "licenses, trigger spare: is not declared"),
    ("ALTER TABLE licenses DROP CONSTRAINT licenses_tenant_product_policy_fkey", "licenses, constraint "),
    ("DELETE FROM tenure_migrations", "migrations, 0001-baseline: is not recorded as applied"),
    ("DELETE FROM event_counters", "event_counters, ")])
def test_doctor_deep_names_the_table_of_a_fault_in_a_postgresql_store(pair, statement, told):
    key = pair.offer()
    for number, server in enumerate(pair.servers):
        App(server.client, pair.tenant, "notes").activated(key, f"Laptop {number}")
    assert "everything is consistent" in pair.installation.do("doctor", "--deep").out
    assert pair.installation.sql(statement) == []
    found = [json.loads(line) for line in pair.installation.run("doctor", "--deep", "--json").out.splitlines()]
    damage = [one["message"] for one in found if one["subject"] == "damage"]
    assert any(message.startswith(told) for message in damage), found


def test_doctor_deep_checks_packages_only_in_the_working_folder_of_serve_or_in_a_given_folder(pair, tmp_path):
    shop = Shop(pair.installation, pair.servers[0])
    shop.brought()
    packages = pair.installation.home / "tenure-data" / "packages"
    assert packages.is_dir()

    def told(place, *words):
        line = pair.installation.words("doctor", "--deep", "--json", *words)
        done = subprocess.run(line, cwd=place, env=pair.installation.environment, text=True, capture_output=True)
        return [one for one in map(json.loads, done.stdout.splitlines()) if one["subject"] == "packages"]

    for found in (told(pair.installation.home), told(tmp_path, "--packages", str(packages))):
        assert [one["level"] for one in found] == ["ok"] and found[0]["message"].startswith("1, "), found
    # In another folder, the command can't know where `serve` stores packages, so it doesn't report them as missing.
    elsewhere, = told(tmp_path)
    assert elsewhere["level"] == "ok" and elsewhere["message"].startswith("not checked: "), elsewhere
    assert "--packages" in elsewhere["message"]
    # If an option names a folder, all packages must be in it.
    wrong, = told(tmp_path, "--packages", str(tmp_path))
    assert wrong["level"] == "failure" and "missing in" in wrong["message"], wrong
