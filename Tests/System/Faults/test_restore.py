"""Tests restoring a backup: items revoked since the backup stay revoked, and readers of events miss no event."""

import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest
import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation
from mart import Mart
from program import PACKAGE, program
from school import School
from signed_market import INVALID, SignedMarket
from vendor import Vendor
from waiting import eventually


class Before:
    """A vendor that issued one of each thing that can be revoked before it made a backup."""

    def __init__(self, installation: Installation):
        self.installation = installation
        self.keys = {word: fresh_key() for word in ("revoked", "suspended", "rekeyed", "shortened", "released", "kept")}
        self.boxed = fresh_key()
        installation.apply(catalog("acme", product(
            policies=[policy(), policy("boxed", duration="P1Y", termStarts="activation")],
            licenses=[license(key) for key in self.keys.values()] + [license(self.boxed, "boxed")])))
        self.tokens = {
            name: installation.do(
                "token", "create", "--tenant", "acme", "--name", name, "--scope", "events:read", "--json").json
            for name in ("ended", "working")}
        for token in self.tokens.values():
            secrecy.keep(token["token"])
        with installation.serving() as server:
            self.school = School(Vendor(installation, server))
            self.enrolment = self.school.enrol("ada")
            self.paused = self.school.enrol("bob")
            self.instances = {word: App(server.client, "acme", "notes").activated(key) for word, key in self.keys.items()}
        installation.do("backup", "copy.sqlite")

    def take_back(self):
        """Revokes one thing of each kind; returns the cursor of a reader that has read all events."""
        do = self.installation.do
        do("license", "revoke", self.keys["revoked"])
        do("license", "suspend", self.keys["suspended"])
        do("license", "change", self.keys["shortened"], "--expires-at", "2020-01-01T00:00:00Z", "--already-ended")
        self.new_key = do("license", "rekey", self.keys["rekeyed"], "--yes", "--json").json["licenseKey"]
        secrecy.keep(self.new_key)
        do("activation", "release", self.instances["released"])
        do("token", "revoke", self.tokens["ended"]["id"])
        do("key", "rotate", "--tenant", "acme")
        do("enrolment", "end", self.enrolment["id"])
        do("enrolment", "pause", self.paused["id"])
        with self.installation.serving() as server:
            App(server.client, "acme", "notes").activated(self.boxed)
            self.term = self.term_of_boxed()
            return self.events(server)["next"]

    def term_of_boxed(self) -> tuple:
        """The start and end of the license whose term starts at its first activation, which is after the backup."""
        shown = self.installation.do("license", "show", self.boxed, "--json").json
        return shown["startsAt"], shown["expiresAt"], shown["duration"]

    def events(self, server, after: str | None = None) -> dict:
        path = "/v1/acme/events?limit=500" + (f"&after={after}" if after else "")
        answer = server.client.get(path, {"Authorization": f"Bearer {self.tokens['working']['token']}"})
        assert answer.status == 200, answer
        return answer.json

    def answers(self, server) -> dict:
        """The validation result of each license."""
        app = App(server.client, "acme", "notes")
        return {
            word: app.validate(key, self.instances[word]).json.get("code", "valid") for word, key in self.keys.items()}


def test_revocations_and_releases_since_the_backup_stay_in_force_after_a_restore(installation):
    before = Before(installation)
    cursor = before.take_back()
    with installation.serving() as server:
        told = before.answers(server)
        kid = server.client.get("/acme/.well-known/keylight-keys").json
    restored = installation.do("restore", "copy.sqlite", "--replace", "--json").json
    assert sorted((thing["kind"], thing["act"]) for thing in restored["carriedOver"]) == sorted([
        ("license", "revoked"), ("license", "suspended"), ("license", "started"), ("license", "shortened"), ("license", "given another key"),
        ("former key", "replaced"), ("activation", "released"), ("token", "revoked"), ("lease key", "added"),
        ("lease key", "retiring"), ("enrolment", "ended"), ("enrolment", "paused")]), restored
    assert restored["unread"] == []
    assert before.term_of_boxed() == before.term and None not in before.term[:2]
    with installation.serving() as server:
        App(server.client, "acme", "notes").activated(before.boxed)
        assert before.term_of_boxed() == before.term, "the term starts only once"
        assert before.answers(server) == told
        assert server.client.get("/acme/.well-known/keylight-keys").json["keys"] == kid["keys"]
        ended = server.client.get("/v1/acme/events", {"Authorization": f"Bearer {before.tokens['ended']['token']}"})
        assert ended.status == 401
        assert App(server.client, "acme", "notes").activate(before.new_key).status == 200
        news = before.events(server, cursor)["events"]
        assert [event["kind"] for event in news][:1] == ["store.restored"], "the cursor's next event"
    installation.do("doctor")


def test_a_restore_with_the_option_as_copied_takes_over_no_changes_and_continues_the_event_numbers(installation):
    before = Before(installation)
    with installation.serving() as server:
        told = before.answers(server)
    cursor = before.take_back()
    restored = installation.run("restore", "copy.sqlite", "--replace", "--as-copied")
    assert restored.code == 0 and "nothing was carried over" in restored.err, restored
    with installation.serving() as server:
        assert before.answers(server) == told
        assert [event["kind"] for event in before.events(server, cursor)["events"]][:1] == ["store.restored"]


def test_a_restore_without_the_newer_store_warns_that_revocations_since_the_backup_may_be_lost(installation, home):
    before = Before(installation)
    cursor = before.take_back()
    elsewhere = Installation(home, data=home / "elsewhere")
    words = ("--master-key-file", str(installation.master_key))
    restored = elsewhere.run("restore", "copy.sqlite", *words)
    assert restored.code == 0 and "may be valid again" in restored.err, restored
    with elsewhere.serving(*words) as server:
        assert [event["kind"] for event in before.events(server, cursor)["events"]][:1] == ["store.restored"]

    third = Installation(home, data=home / "third")
    restored = third.do("restore", "copy.sqlite", "--carry-from", f"sqlite:{installation.data}", "--json", *words).json
    assert ("license", "revoked") in {(thing["kind"], thing["act"]) for thing in restored["carriedOver"]}


def test_a_restore_carries_nothing_over_from_a_store_of_another_installation(installation, home):
    before = Before(installation)
    other = Installation(home, data=home / "other")
    other.apply(catalog("acme", product(licenses=[license(before.keys["kept"])])))
    other.do("license", "revoke", before.keys["kept"])
    words = ("--master-key-file", str(installation.master_key))
    restored = other.run("restore", "copy.sqlite", "--replace", *words)
    assert restored.code == 0 and "belongs to another installation" in restored.err, restored
    with other.serving(*words) as server:
        assert App(server.client, "acme", "notes").validate(
            before.keys["kept"], before.instances["kept"]).status == 200


def test_a_restore_over_an_unreadable_store_warns_that_revocations_since_the_backup_may_be_lost(installation):
    before = Before(installation)
    before.take_back()
    store = bytearray(installation.database.read_bytes())
    store[:100] = b"\0" * 100
    installation.database.write_bytes(store)
    restored = installation.run("restore", "copy.sqlite", "--replace")
    assert restored.code == 0 and "can't be read" in restored.err and "may be valid again" in restored.err, restored
    installation.do("doctor")


def test_a_restore_sets_the_replaced_store_aside_unchanged(installation, home):
    fixture = sorted((PACKAGE / "Tests" / "Fixtures" / "stores").glob("*.sqlite"))[-1]
    before = Before(installation)
    shutil.copy(fixture, installation.database)
    for ending in ("-wal", "-shm"):
        installation.database.with_name(installation.database.name + ending).unlink(missing_ok=True)
    old = installation.database.read_bytes()
    restored = installation.do("restore", "copy.sqlite", "--replace")
    aside = next(home.glob("**/*.before-restore-*"))
    assert aside.read_bytes() == old, restored


def test_an_ended_app_grant_an_ended_credential_and_a_new_password_survive_a_restore(installation):
    with installation.serving() as server:
        mart = Mart(installation, server, access="token")
    do, item = installation.do, str(mart.items[0])

    def credentials():
        listed = do("account", "credentials", "ada", "--tenant", mart.tenant, "--json").json["credentials"]
        return {one["id"]: one for one in listed}

    do("account", "add", "ada", "--tenant", mart.tenant, "--password-file", "-", given="first and long enough")
    do("account", "grant", "ada", "--item", item, "--tenant", mart.tenant)
    secrecy.keep(do("account", "token", "ada", "--tenant", mart.tenant, "--json").json["token"])
    (token,) = credentials()
    do("backup", "copy.sqlite")
    do("account", "end", "ada", "--item", item, "--tenant", mart.tenant)
    do("account", "end-credential", token)
    do("account", "add", "ada", "--tenant", mart.tenant, "--password-file", "-", given="second and long enough")
    after = credentials()
    restored = do("restore", "copy.sqlite", "--replace", "--json").json
    assert sorted((thing["kind"], thing["act"]) for thing in restored["carriedOver"]) == [
        ("account", "given another password"), ("app grant", "ended"), ("credential", "ended")], restored
    assert credentials() == after


def test_an_account_deleted_since_the_backup_is_deleted_again_by_the_restore(installation):
    with installation.serving() as server:
        mart = Mart(installation, server, access="token")
        item = mart.items[0]
        phone = mart.phone(secrecy.keep(mart.account("ada", item)))
        license = phone.read(phone.ask({item: mart.apps[item]}))["licenses"][0]["licenseID"]
    do = installation.do
    do("account", "add", "ada", "--email", "ada@example.com", "--tenant", mart.tenant)
    do("backup", "copy.sqlite")
    do("account", "add", "eve", "--tenant", mart.tenant)
    for account in ("ada", "eve"):
        do("account", "delete", account, "--yes", "--tenant", mart.tenant)
    restored = do("restore", "copy.sqlite", "--replace", "--json").json
    carried = sorted((thing["kind"], thing["act"]) for thing in restored["carriedOver"])
    assert carried == [
        ("account", "deleted"), ("account", "deleted"), ("app grant", "ended"), ("app license", "revoked"),
        ("credential", "ended")], restored
    for account in ("ada", "eve"):
        shown = do("account", "show", account, "--tenant", mart.tenant, "--json").json
        assert shown["deletedAt"] and shown["email"] is None
        refused = installation.run("account", "add", account, "--tenant", mart.tenant)
        assert refused.code == 1 and "can't be used again" in refused.err
    assert do("license", "show", license, "--json").json["state"] == "revoked"
    do("doctor", "--deep")


def test_a_used_refresh_token_is_refused_after_a_restore(installation):
    with installation.serving() as server:
        market = SignedMarket(installation, server)
        app, other = market.app(), market.app()
        first, ended = app.signed_in(), other.signed_in()
        installation.do("backup", "copy.sqlite")
        second = app.refresh(first["refresh_token"]).json
        other.refresh(other.refresh(ended["refresh_token"])["refresh_token"])
        assert other.refresh(ended["refresh_token"])["error"] == INVALID
    restored = installation.do("restore", "copy.sqlite", "--replace", "--json").json
    assert sorted(thing["act"] for thing in restored["carriedOver"] if thing["kind"] == "sign-in") == ["ended", "used"]
    with installation.serving() as server:
        market.server, app.client, other.client = server, server.new_client(), server.new_client()
        assert market.opens(second["access_token"]) == 200 and market.opens(ended["access_token"]) == 403
        assert other.refresh(ended["refresh_token"])["error"] == INVALID
        # The app already uses the newest token, so a use of the previous one ends the sign-in.
        assert app.refresh(first["refresh_token"])["error"] == INVALID
        assert market.opens(second["access_token"]) == 403


def test_restoring_a_later_backup_over_an_earlier_store_revokes_nothing(installation):
    """Monday's backup was restored by mistake. Items that only Tuesday's backup contains were not revoked since."""
    before = Before(installation)
    installation.do("license", "change", before.keys["kept"], "--holder", "eve@example.com")
    new_key = secrecy.keep(installation.do("license", "rekey", before.keys["rekeyed"], "--yes", "--json").json["licenseKey"])
    installation.do("backup", "tuesday.sqlite")
    term = installation.show(before.keys["kept"])
    installation.do("restore", "copy.sqlite", "--replace", "--as-copied")
    with installation.serving():
        pass
    restored = installation.do("restore", "tuesday.sqlite", "--replace", "--json").json
    assert restored["carriedOver"] == [] and any("not a later state of the copied store" in one for one in restored["warnings"])
    assert installation.show(before.keys["kept"]) == term
    assert installation.show(new_key)["state"] == "active"


def test_an_ended_and_deleted_credential_stays_ended_after_a_restore(installation):
    """The server deletes ended credentials after a month, but in an older backup they are still valid."""
    with installation.serving() as server:
        mart = Mart(installation, server, access="token")
    token = secrecy.keep(mart.account("ada"))
    installation.do("backup", "copy.sqlite")
    with closing(sqlite3.connect(installation.database)) as store:
        assert store.execute("DELETE FROM credentials").rowcount == 1
        store.commit()
    restored = installation.do("restore", "copy.sqlite", "--replace", "--json").json
    assert [(one["kind"], one["act"]) for one in restored["carriedOver"]] == [("credential", "ended")], restored
    with installation.serving() as server:
        answer = server.client.get(
            f"/marketplace/{mart.tenant}/licenses/state", {"Authorization": f"Bearer {token}"})
        assert answer.status in (401, 403), answer


def test_after_two_restores_new_events_have_higher_numbers_than_those_of_both_replaced_stores(installation):
    before = Before(installation)
    installation.do("restore", "copy.sqlite", "--replace", "--as-copied")
    aside = next(installation.data.glob("*.before-restore-*"))
    cursor = before.take_back()
    restored = installation.do(
        "restore", "copy.sqlite", "--replace", "--carry-from", f"sqlite:{aside}", "--json").json
    assert ("license", "revoked") in {(one["kind"], one["act"]) for one in restored["carriedOver"]}, "of both stores"
    with installation.serving() as server:
        assert [event["kind"] for event in before.events(server, cursor)["events"]][:1] == ["store.restored"]


def test_a_restore_is_refused_if_the_store_to_carry_from_is_missing_or_of_another_installation(installation, home):
    before = Before(installation)
    state = installation.database.read_bytes()
    for named, why in (("sqlite:nowhere.sqlite", "can't be read"), ("sqlite:other", "belongs to another installation")):
        if named == "sqlite:other":
            Installation(home, data=home / "other").apply(catalog("acme", product()))
        refused = installation.run("restore", "copy.sqlite", "--replace", "--carry-from", named)
        assert refused.code == 1 and why in refused.err and "Nothing was changed" in refused.err, refused
    assert installation.database.read_bytes() == state
    assert installation.show(before.keys["kept"])["state"] == "active"


def test_a_killed_restore_leaves_the_former_or_the_restored_store_intact(installation):
    before = Before(installation)
    before.take_back()
    for step in range(14):
        running = subprocess.Popen(
            installation.words("restore", "copy.sqlite", "--replace"), cwd=installation.home,
            env=installation.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            running.wait(0.01 + step * 0.02)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        assert installation.show(before.keys["revoked"])["state"] == "revoked", "whichever of the two it is"
        with closing(sqlite3.connect(installation.database)) as store:
            assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    installation.do("restore", "copy.sqlite", "--replace")
    installation.do("doctor", "--deep")


@pytest.mark.parametrize("change, told", [
    ("CREATE TRIGGER undo AFTER UPDATE ON licenses BEGIN UPDATE licenses SET holder = 'me'; END",
     "trigger undo is not declared"),
    ("CREATE VIEW copies AS SELECT * FROM licenses", "view copies is not declared"),
    ("DROP INDEX {index}", "index {index} is missing")])
def test_a_backup_with_another_schema_is_refused_before_the_store_is_replaced(installation, home, change, told):
    installation.apply(catalog("acme"))
    copy, sound = home / "copy.sqlite", home / "sound.sqlite"
    installation.do("backup", str(copy))
    with closing(sqlite3.connect(copy)) as store, store:
        [index] = store.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name LIMIT 1").fetchone()
        store.execute(change.format(index=index))
    before = installation.database.read_bytes()

    refused = installation.run("restore", str(copy), "--replace")
    assert refused.code == 1 and told.format(index=index) in refused.err and "Nothing was changed" in refused.err
    assert installation.database.read_bytes() == before
    assert {path.name for path in installation.data.iterdir()} == {"master.key", "serve.lock", "tenure.sqlite"}

    moved = installation.run_words(
        [str(program()), "migrate-store", "--from", f"sqlite:{copy}", "--to", f"sqlite:{sound}"])
    assert moved.code == 0, moved
    installation.do("restore", str(sound), "--replace")
    assert "everything is consistent" in installation.do("doctor", "--deep").out


def test_a_backup_warns_of_a_schema_that_no_restore_accepts(installation, home):
    installation.apply(catalog("acme"))
    with closing(sqlite3.connect(installation.database)) as store, store:
        store.execute("CREATE VIEW copies AS SELECT * FROM licenses")
    assert "view copies is not declared" in installation.do("backup", str(home / "copy.sqlite")).err


@pytest.mark.parametrize("options", [(), ("--carry-issued",)])
def test_revocations_taken_over_by_a_restore_keep_their_reasons_and_events(installation, options):
    before = Before(installation)
    do, keys = installation.do, before.keys
    do("license", "suspend", keys["kept"])
    do("backup", "later.sqlite")
    do("license", "suspend", keys["kept"], "--reason", "stated later")
    do("license", "suspend", keys["suspended"], "--reason", "chargeback", "--tell")
    do("license", "revoke", keys["revoked"], "--reason", "abuse")
    do("activation", "release", before.instances["released"], "--reason", "stolen", "--tell")
    new_key = secrecy.keep(do("license", "rekey", keys["rekeyed"], "--yes", "--json").json["licenseKey"])
    names = {"rekeyed": new_key} | {word: keys[word] for word in ("kept", "suspended", "revoked", "released")}

    def told(word: str) -> tuple:
        """The explanation of a license, and its events without their numbers, which a restore changes."""
        explained = do("license", "explain", names[word]).out
        return explained, [(event["kind"], event["at"]) for event in installation.show(names[word])["events"]]

    expected = {word: told(word) for word in names}
    for reason, word in (("stated later", "kept"), ("chargeback", "suspended"), ("abuse", "revoked"), ("stolen", "released")):
        assert reason in expected[word][0], expected[word]
    do("restore", "later.sqlite", "--replace", *options)
    assert {word: told(word) for word in names} == expected
    do("restore", "later.sqlite", "--replace", *options)
    assert {word: told(word) for word in names} == expected, "again, each event once"
    do("doctor", "--deep")


def test_a_restore_repeats_the_release_of_an_activation_that_the_replaced_store_has_deleted(installation):
    installation.moves_time()
    before = Before(installation)
    installation.do("activation", "release", before.instances["released"])
    installation.set_clock(500 * 86_400)
    key = before.keys["released"]
    with installation.serving():
        assert eventually(lambda: installation.places(key), lambda found: not found) == {}
    restored = installation.do("restore", "copy.sqlite", "--replace", "--json").json
    assert [item["act"] for item in restored["carriedOver"] if item["kind"] == "activation"] == ["released"], restored
    assert installation.places(key)[before.instances["released"]] is not None
    assert None in installation.places(before.keys["kept"]).values(), "a live activation stays"


def test_the_error_of_a_backup_into_a_missing_folder_names_that_folder(installation):
    installation.apply(catalog("acme", product()))
    refused = installation.run("backup", "nowhere/copy.sqlite")
    assert refused.code == 1 and "no folder nowhere/." in refused.err, refused
    assert installation.run("backup", str(installation.master_key)).err.startswith(
        f"tenure backup: {installation.master_key} already exists"), "without the code of the error"
