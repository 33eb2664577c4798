"""Tests that servers don't take a store that lost nothing for one that returned to an older state."""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import catalogs
from client import App
from database import Database, SharedInstallation, running_database
from installation import Installation, Running

BACKUP = "backup.tenure"


@dataclass
class Vendor:
    """A tenant with one license, whose devices activate on any server."""

    tenant: str = field(default_factory=catalogs.fresh)
    key: str = field(default_factory=catalogs.fresh_key)

    def offer(self, installation: Installation) -> "Vendor":
        installation.apply(catalogs.catalog(self.tenant, catalogs.product(
            policies=[catalogs.policy(activationLimit=1_000)], licenses=[catalogs.license(self.key, "pro")])))
        return self

    def activate(self, server: Running, *devices: str) -> None:
        for device in devices:
            App(server.client, self.tenant, "notes").activated(self.key, device)


def shared(home: Path, database: Database, store: str | None = None, key: str | None = None) -> SharedInstallation:
    """An installation on a database, which is new unless a store is named."""
    home.mkdir(exist_ok=True)
    installation = SharedInstallation(home, database, store or database.new_database(), "server")
    if key:
        installation.master_key.write_text(key)
    return installation


def remembered(installation: Installation) -> str:
    """The contents of the data folder's files about the store's history."""
    files = sorted((installation.home / "tenure-data").glob("store-history-*"))
    assert files
    return "".join(file.read_text() for file in files)


def served(installation: Installation, vendor: Vendor, device: str) -> None:
    """Activates a device on a server, which then remembers the events of the store."""
    with installation.serving() as server:
        vendor.activate(server, device)
    assert vendor.tenant in remembered(installation)


def is_not_suspected(installation: Installation, vendor: Vendor) -> None:
    """Checks that a server with this data folder's history doesn't report the store as rewound."""
    assert vendor.tenant in remembered(installation)
    with installation.serving() as server:
        vendor.activate(server, "afterwards")
        assert "rewound" not in server.client.get("/ready").json
        assert "\ntenure_store_rewound 0\n" in server.client.get("/metrics").body.decode()
        lines = [json.loads(line) for line in server.said.splitlines() if line.startswith("{")]
        assert [line for line in lines if line["event"] == "store_rewound"] == []
    findings = installation.run("doctor", "--json").lines
    assert [finding for finding in findings if finding["subject"] == "history"] == []


def has_no_gap(installation: SharedInstallation, vendor: Vendor) -> None:
    """Checks that the tenant's events are numbered without a gap."""
    numbers = installation.sql(f"SELECT sequence FROM events WHERE tenant = '{vendor.tenant}' ORDER BY sequence")
    assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))


def migrate(home: Path, source: str, target: str) -> None:
    words = Installation(home).words("migrate-store", "--from", source, "--to", target)
    output = Installation(home).run_words(words[:words.index("--data")])
    assert output.code == 0, output


def test_a_store_migrated_from_sqlite_is_not_reported_as_rewound(home, database):
    alone = Installation(home, home / "tenure-data")
    vendor = Vendor().offer(alone)
    with alone.serving() as server:
        vendor.activate(server, "before")
    there = shared(home, database, key=alone.master_key.read_text())
    migrate(home, f"sqlite:{alone.data}", there.url)
    with there.serving() as server:
        vendor.activate(server, "after the first move")
    is_not_suspected(there, vendor)
    has_no_gap(there, vendor)


def test_a_store_migrated_between_databases_is_not_reported_as_rewound(home, database):
    here = shared(home, database)
    here.do("init")
    vendor = Vendor().offer(here)
    served(here, vendor, "before")
    there = shared(home, database)
    migrate(home, here.url, there.url)
    is_not_suspected(there, vendor)
    has_no_gap(there, vendor)


def test_a_store_that_tenure_restored_is_not_reported_as_rewound(home, database):
    here = shared(home, database)
    here.do("init")
    vendor = Vendor().offer(here)
    served(here, vendor, "before")
    here.do("backup", BACKUP)
    served(here, vendor, "after the backup")
    there = shared(home, database)
    there.do("restore", BACKUP)
    is_not_suspected(there, vendor)


def test_an_up_to_date_copy_in_another_cluster_is_not_reported_as_rewound(home, database):
    here = shared(home, database)
    here.do("init")
    vendor = Vendor().offer(here)
    served(here, vendor, "before")
    with running_database("-c", "fsync=off") as other:
        there = shared(home, other)
        dump = home / "store.dump"
        subprocess.run(["pg_dump", "--format=custom", f"--file={dump}", here.url], check=True)
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={there.url}", dump], check=True)
        is_not_suspected(there, vendor)
        has_no_gap(there, vendor)


def test_a_database_after_pg_upgrade_is_not_reported_as_rewound(home):
    with running_database("-c", "fsync=off") as database:
        installation = shared(home, database)
        installation.do("init")
        vendor = Vendor().offer(installation)
        served(installation, vendor, "before")
        identifier = "SELECT system_identifier FROM pg_control_system()"
        before = database.sql(identifier)
        database.upgrade()
        assert database.sql(identifier) != before
        is_not_suspected(installation, vendor)
        has_no_gap(installation, vendor)


def test_a_database_and_its_copy_are_not_reported_as_rewound(home, database):
    here = shared(home / "original", database)
    here.do("init")
    vendor = Vendor().offer(here)
    served(here, vendor, "before")
    copy = database.new_database()
    database.sql(f"DROP DATABASE {copy}")
    database.sql(f"CREATE DATABASE {copy} TEMPLATE {here.store}")
    served(here, vendor, "after the copy")
    there = shared(home / "copy", database, copy, here.master_key.read_text())
    served(there, vendor, "on the copy")
    for installation in (here, there):
        is_not_suspected(installation, vendor)
        has_no_gap(installation, vendor)


def test_a_store_is_not_reported_as_rewound_by_a_server_that_missed_150_changes(home, database):
    absent = shared(home / "absent", database)
    absent.do("init")
    vendor = Vendor().offer(absent)
    served(absent, vendor, "before")
    other = shared(home / "other", database, absent.store, absent.master_key.read_text())
    with other.serving() as server:
        vendor.activate(server, *(f"device {number}" for number in range(150)))
        is_not_suspected(absent, vendor)
    has_no_gap(absent, vendor)
