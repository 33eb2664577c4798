"""Tests that a restore to another store takes over the sales since the backup from a store of either engine."""

import pytest
from catalogs import product
from client import App
from database import SharedInstallation, running_database
from installation import Installation


@pytest.fixture(scope="module")
def database():
    """A PostgreSQL server that only this file's tests use."""
    with running_database("-c", "fsync=off") as database:
        yield database


def test_a_restore_takes_over_sales_since_the_backup_from_a_sqlite_or_postgresql_store(vendor, home):
    vendor.offer(product())
    installation, copy = vendor.installation, home / "sales.sqlite"
    installation.do("backup", str(copy))
    sold = installation.issue(vendor.tenant, "notes", "pro", "--holder", "ada@example.com", "--order", "o-7")
    instance = vendor.app().activated(sold["licenseKey"])
    there = Installation(home, data=home / "there")
    words = ("--master-key-file", str(installation.master_key))
    store = getattr(installation, "url", None) or f"sqlite:{installation.data}"

    lost = there.do("restore", str(copy), "--carry-from", store, "--json", *words).json["given"]
    assert [(item["name"], item["order"]) for item in lost["items"]] == [(sold["id"], "o-7")], lost
    there.do("restore", str(copy), "--replace", "--carry-from", store, "--carry-issued", *words)
    assert there.do("license", "show", sold["id"], "--json", *words).json["holder"] == "ada@example.com"
    with there.serving(*words) as server:
        assert App(server.client, vendor.tenant, "notes").validate(sold["licenseKey"], instance).status == 200
    there.do("doctor", "--deep", *words)


def test_a_restore_to_an_empty_postgresql_database_takes_over_sales_from_a_sqlite_or_postgresql_store(
        vendor, home, database):
    vendor.offer(product())
    installation, copy = vendor.installation, home / "sales.sqlite"
    installation.do("backup", str(copy))
    sold = installation.issue(vendor.tenant, "notes", "pro", "--holder", "ada@example.com")
    stopped = installation.issue(vendor.tenant, "notes", "pro")
    instance = vendor.app().activated(sold["licenseKey"])
    installation.do("license", "suspend", stopped["id"], "--reason", "chargeback", "--tenant", vendor.tenant)
    there = SharedInstallation(home, database, database.new_database(), "restored")
    there.master_key.write_bytes(installation.master_key.read_bytes())
    there.master_key.chmod(0o600)
    store = getattr(installation, "url", None) or f"sqlite:{installation.data}"

    words = ("restore", str(copy), "--carry-from", store, "--carry-issued", "--json")
    given = there.do(*words).json["given"]
    assert given["carried"] and all(item["leftBehind"] is None for item in given["items"]), given
    assert there.run(*words).code == 1, "the database is no longer empty"
    assert there.show(sold["id"])["holder"] == "ada@example.com"
    assert "chargeback" in there.do("license", "explain", stopped["id"]).out
    with there.serving() as server:
        assert App(server.client, vendor.tenant, "notes").validate(sold["licenseKey"], instance).status == 200
    there.do("doctor", "--deep")
