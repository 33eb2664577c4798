"""Tests hosts whose clock is changed while a server runs, or between two runs of a server."""

import json
import sqlite3
from contextlib import closing
from urllib.parse import urlencode

import jwt
import pytest
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation
from school import School
from vendor import Vendor
from waiting import eventually

DAY = 86_400


@pytest.fixture
def installation(installation):
    return installation.fakes_time()


def shop(installation: Installation) -> str:
    key = fresh_key()
    installation.apply(catalog("acme", product(policies=[policy(durationDays=30)], licenses=[license(key)])))
    return key


def dates_near(installation: Installation, days: int) -> list[tuple[str, str]]:
    """The tables and columns that store a time about this many days from now, within ten days."""
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        tables = [name for name, in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [
            (table, column)
            for table in tables
            for column in [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            if store.execute(
                f"SELECT 1 FROM {table} WHERE typeof({column}) = 'integer' AND abs({column} - unixepoch() - ?) < ?",
                [days * DAY, 10 * DAY]).fetchone()]


@pytest.mark.parametrize("days", [400, -400])
def test_a_server_whose_clock_steps_400_days_refuses_leases_and_changes_until_the_clock_is_right(installation, days):
    key = shop(installation)
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        installation.fake_clock(days * DAY)
        answer = app.validate(key, instance)
        assert (answer.status, answer["code"]) == (503, "clock_in_doubt") and answer.headers["retry-after"]
        assert server.client.get("/acme/notes/config").status == 503
        assert server.client.get("/acme/.well-known/keylight-keys").json["keys"]
        ready = server.client.get("/ready")
        assert (ready.status, ready.json["code"]) == (503, "clock_in_doubt")
        assert server.says('"clock_in_doubt"')
        assert "tenure_clock_in_doubt 1" in server.client.get("/metrics").body.decode()

        refused = installation.run("license", "suspend", key)
        assert refused.code == 1 and "tenure clock accept" in refused.err, refused
        assert installation.show(key)["state"] != "suspended"
        doctor = installation.run("doctor")
        assert doctor.code == 1 and "FAILURE  clock" in doctor.out and "tenure clock accept" in doctor.out

        installation.fake_clock(0)
        assert app.validate(key, instance).status == 200
        assert server.client.get("/ready").status == 200
        assert server.says('"clock_trusted"')
    assert dates_near(installation, days) == []
    assert installation.run("doctor").code == 0


@pytest.mark.parametrize("days", [2, -2])
def test_a_server_trusts_a_doubted_clock_again_when_the_operator_accepts_it(installation, days):
    key = shop(installation)
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        eventually(lambda: clock_reading(installation), bool)
        installation.fake_clock(days * DAY)
        assert app.validate(key, instance).status == 503
        assert server.says('"clock_in_doubt"')
        accepted = installation.do("clock", "accept", "--json").json
        assert (accepted["latestSeen"] > accepted["accepted"]) == (days < 0)
        assert server.says('"clock_trusted"')
        assert app.validate(key, instance).status == 200
        installation.do("license", "suspend", key)
    installation.do("doctor")
    assert installation.do("clock", "accept").code == 0, "without a doubt too"


def test_a_command_refuses_to_change_a_license_after_the_clock_stepped_under_a_running_server(installation):
    key = shop(installation)
    with installation.serving() as server:
        assert server.client.get("/ready").status == 200
        eventually(lambda: clock_reading(installation), bool)
        installation.fake_clock(DAY)
        refused = installation.run("license", "suspend", key)
        assert refused.code == 1 and "ahead while the server was running" in refused.err, refused
        server.kill()
    with installation.serving() as server:
        assert server.client.get("/ready").json["code"] == "clock_in_doubt", "a restart doesn't end the doubt"
        installation.fake_clock(0)
        assert server.client.get("/ready").status == 200
        installation.do("license", "suspend", key)
    assert clock_reading(installation) is None, "a normal stop removes it"


def clock_reading(installation: Installation) -> bytes | None:
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        row = store.execute("SELECT value FROM settings WHERE name = 'clock.reading'").fetchone()
        return row and row[0]


@pytest.mark.parametrize(("days", "is_doubted"), [(-1, True), (29, False), (31, True)])
def test_a_server_started_with_a_clock_behind_or_over_30_days_ahead_of_its_store_refuses_activations(
        installation, days, is_doubted):
    key = shop(installation)
    with installation.serving():
        pass
    installation.fake_clock(days * DAY)
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert app.activate(key).status == (503 if is_doubted else 200)
        if is_doubted:
            assert installation.run("license", "suspend", key).code == 1
            installation.fake_clock(0)
            assert app.activate(key).status == 200


def test_a_server_trusts_its_clock_after_restoring_a_backup_from_300_days_ago(installation, home):
    key = shop(installation)
    with installation.serving():
        pass
    installation.do("backup", "copy.sqlite")
    later = Installation(home, home / "later").fakes_time()
    later.fake_clock(300 * DAY)
    later.run_words(later.words("restore", "copy.sqlite", "--master-key-file", str(installation.master_key)))
    with later.serving("--master-key-file", str(installation.master_key)) as server:
        assert server.client.get("/ready").status == 200
        assert App(server.client, "acme", "notes").activate(key)["code"] == "license_expired"


@pytest.mark.parametrize("days", [400, -400])
def test_a_download_completed_under_a_wrong_clock_is_recorded_after_the_clock_is_corrected(installation, days):
    secret = "tenure-kollus-test-security-key!"

    def tell(kind: int) -> dict:
        item = {"kind": kind, "media_content_key": "mck-1", "client_user_id": "ada", "player_id": "p1"}
        answer = server.client.ask(
            "POST", path, urlencode({"items": json.dumps([item])}).encode(),
            {"Content-Type": "application/x-www-form-urlencoded"})
        return jwt.decode(answer.body.decode(), secret, algorithms=["HS256"])["data"][0]

    with installation.serving() as server:
        school = School(Vendor(installation, server), kollus={"securityKey": secret, "customKey": "custom"})
        path = installation.do("content", "callback", "--tenant", school.vendor.tenant, "--json").json["path"]
        school.enrol("ada")
        assert tell(1)["result"] == 1
    installation.fake_clock(days * DAY)
    with installation.serving() as server:
        assert tell(2)["result"] == 1
        assert "tenure_kollus_completions_waiting 1" in server.client.get("/metrics").body.decode()
        installation.fake_clock(0)
        eventually(
            lambda: server.client.get("/metrics").body.decode(),
            lambda text: "tenure_kollus_completions_waiting 0" in text)
        school.vendor.server = server
        listed = school.ask("GET", "/licenses?limit=10")["licenses"]
        assert [one["downloadedAt"] is not None for one in listed] == [True]
    assert dates_near(installation, days) == []


def test_a_marketplaces_missing_keys_are_created_after_an_untrusted_clock_is_corrected(installation):
    """While the clock is untrusted, the server creates nothing with a date. A dry run has no date, so it works."""
    mart = {"tenants": [{"id": "acme", "marketplace": {
        "name": "Mart", "domain": "mart.example", "access": "open", "apps": [{"appleItemID": "7"}]}}]}
    installation.apply(mart)
    with installation.serving():
        pass
    # Delete the keys. On PostgreSQL, they are missing if another server was killed after it had written the catalog.
    with closing(sqlite3.connect(installation.database)) as store, store:
        store.execute("DELETE FROM marketplace_keys")
        store.execute("UPDATE catalog_version SET version = version + 1")
    installation.fake_clock(-40 * DAY)
    with installation.serving() as server:
        assert server.client.get("/ready").json["code"] == "clock_in_doubt"
        assert server.client.get("/.well-known/marketplace-kit").json["code"] == "marketplace_not_ready"
        mart["tenants"][0]["marketplace"]["apps"].append({"appleItemID": "8"})
        dry = installation.run("apply", "-", "--dry-run", given=json.dumps(mart))
        assert dry.code == 0 and "+ app acme/8" in dry.out, dry
        refused = installation.run("apply", "-", given=json.dumps(mart))
        assert refused.code == 1 and "tenure clock accept" in refused.err, refused
        installation.fake_clock(0)
        eventually(lambda: server.client.get("/.well-known/marketplace-kit").status, lambda status: status == 200, 30)
        assert server.says('"marketplace_keys_made"')


def test_a_virtual_clock_that_steps_20_days_ahead_is_trusted(installation):
    installation.moves_time()
    key = shop(installation)
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        installation.set_clock(20 * DAY)
        assert app.validate(key, instance).status == 200
        assert installation.run("clock", "accept").code == 1
