"""Tests what a restore says about what was given since the backup, and that `--carry-issued` takes it over."""

import shlex
import shutil
import sqlite3
from contextlib import closing

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation
from mart import Mart
from school import School
from vendor import Vendor

POLICIES = [policy(), policy("yearly", duration="P1Y", activationLimit=2)]


class Shop:
    """A vendor that made a backup and then sold, renewed and changed licenses."""

    def __init__(self, installation: Installation):
        self.installation, self.old = installation, fresh_key()
        self.offer()
        self.token = installation.do(
            "token", "create", "--tenant", "acme", "--name", "web", "--scope", "licenses:write", "--scope",
            "licenses:read", "--json").json
        secrecy.keep(self.token["token"])
        installation.do("backup", "copy.sqlite")

    def offer(self, *policies: dict):
        self.installation.apply(self.catalog(*policies))

    def catalog(self, *policies: dict) -> dict:
        return catalog("acme", product(
            policies=POLICIES + list(policies), trialDays=14,
            licenses=[license(self.old, "yearly", holder="old@example.com")]))

    def sell(self, *options: str, policy: str = "pro") -> str:
        issued = self.installation.issue("acme", "notes", policy, *options)
        return issued["licenseKey"]

    def order(self, server, key: str, **members):
        """Orders a license over the operator API; returns the license."""
        answer = server.client.post(
            "/v1/acme/licenses", {"product": "notes", "policy": "pro"} | members,
            {"Authorization": f"Bearer {self.token['token']}", "Idempotency-Key": key})
        assert answer.status in (200, 201), answer
        license = answer["licenses"][0]
        if "licenseKey" in license:
            secrecy.keep(license["licenseKey"])
        return license

    def restore(self, *options: str):
        return self.installation.do("restore", "copy.sqlite", "--replace", *options)

    def restored(self, *options: str) -> dict:
        return self.restore(*options, "--json").json["given"]


def named(items: list) -> dict:
    return {item["name"]: item for item in items}


def test_a_restore_lists_what_it_loses_and_names_the_command_that_takes_it_over(installation):
    shop = Shop(installation)
    key = shop.sell("--holder", "new@example.com", "--order", "o-1")
    id = installation.show(key)["id"]
    installation.do("license", "renew", shop.old)
    installation.do("license", "change", shop.old, "--holder", "heir@example.com")
    lost = shop.restore()
    assert "operator:cli" in lost.out.splitlines()[1], "by actor first"
    for text in (id, "new@example.com", "o-1", "holder heir@example.com instead of old@example.com", "ends "):
        assert text in lost.out, text
    assert key not in lost.out and "2 records that were given after the copy" in lost.err, lost
    assert installation.run("license", "show", key).code == 1

    command = next(part for part in lost.err.split("`") if part.startswith("tenure restore "))
    words = shlex.split(command)
    assert installation.run_words(installation.words()[:1] + words[1:]).code == 0, command
    assert installation.show(key)["holder"] == "new@example.com"
    assert installation.show(shop.old)["holder"] == "heir@example.com"


def test_what_was_given_is_taken_over_as_it_stands(installation):
    shop = Shop(installation)

    def shown(license: str) -> dict:
        """The license with its devices and its history, whose events have other numbers after a restore."""
        license = installation.show(license)
        for event in license["events"]:
            del event["sequence"], event["id"]
        return license

    with installation.serving() as server:
        sold = shop.order(server, "order-2", holder="web@example.com", order="o-2")
        app = App(server.client, "acme", "notes")
        instance = app.activated(sold["licenseKey"])
        earlier = app.activated(shop.old, "Old Mac")
        trial = server.client.post("/v1/acme/notes/leases/trial", {"nonce": "A" * 32, "device": "ef" * 32})
        assert trial.status == 200, trial
    rekeyed = secrecy.keep(installation.do("license", "rekey", shop.sell(), "--json").json["licenseKey"])
    revoked = shop.sell()
    installation.do("license", "revoke", revoked)
    installation.do("license", "renew", shop.old)
    before = [shown(key) for key in (sold["licenseKey"], rekeyed, revoked, shop.old)]

    given = shop.restored("--carry-issued")
    assert given["carried"] and all(item["leftBehind"] is None for item in given["items"]), given
    counts = {(group["kind"], group["act"]): group["count"] for group in given["byActor"]}
    assert counts[("trial", "started")] == 1, given
    assert sum(group["count"] for group in given["byActor"] if group["kind"] == "license" and group["act"] == "issued") == 3
    for license in before:
        assert shown(license["id"]) == license
    installation.do("doctor", "--deep")

    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert app.validate(sold["licenseKey"], instance).status == 200, "the device stays activated"
        assert app.validate(shop.old, earlier).status == 200
        again = shop.order(server, "order-2", holder="web@example.com", order="o-2")
        assert again["id"] == sold["id"], "a repeated order isn't carried out twice"
    history = installation.do("events", "--license", sold["id"], "--json").lines
    assert history[0]["kind"] == "license.issued" and history[0]["actor"] == f"operator:{shop.token['id']}", history
    assert shop.restored("--carry-issued")["items"] != [], "the copy still lacks it"
    assert [shown(key)["events"] for key in (sold["licenseKey"], shop.old)] == [before[0]["events"], before[3]["events"]]


def test_nothing_is_taken_over_that_was_given_after_a_date(installation):
    installation.moves_time()
    shop = Shop(installation)
    honest = shop.sell("--holder", "honest@example.com")
    installation.set_clock(3600)
    with installation.serving() as server:
        for number in range(120):
            shop.order(server, f"loot-{number}")
    since = installation.show(honest)["issuedAt"]
    listed = shop.restore(f"--carry-issued={since}")
    rows = listed.out.splitlines()
    place = next(index for index, row in enumerate(rows) if row.startswith("since the copy"))
    assert shop.token["id"] in rows[place + 1] and " 120 " in rows[place + 1], listed
    assert "and 20 more; --json lists them" in listed.out and "120 records were left behind" in listed.err, listed
    assert installation.show(honest)["holder"] == "honest@example.com"
    assert len(installation.do("license", "list", "--json", "--limit", "1000").json["licenses"]) == 2


def test_what_lacks_its_policy_or_is_damaged_is_named_and_left_behind(installation, home):
    shop = Shop(installation)
    shop.offer(policy("team"))
    team, damaged, sound = shop.sell(policy="team"), shop.sell(), shop.sell()
    ids = {key: installation.show(key)["id"] for key in (team, damaged, sound)}
    with closing(sqlite3.connect(installation.database)) as store:
        store.execute("UPDATE licenses SET holder = '' WHERE key_masked = ?", (installation.show(damaged)["key"],))
        store.commit()
    items = named(shop.restored("--carry-issued")["items"])
    assert items[ids[team]]["leftBehind"] == "the copy has no policy acme/notes/team"
    assert items[ids[damaged]]["leftBehind"] == "it is damaged: holder is an empty string"
    assert items[ids[sound]]["leftBehind"] is None
    assert installation.show(sound)["id"] == ids[sound]
    assert installation.run("license", "show", team).code == 1
    installation.do("doctor", "--deep")

    # The way that operations.md describes: the copy gets the policy before it's restored.
    aside = next(installation.data.glob("*.before-restore-*"))
    newer = Installation(home, data=home / "newer")
    newer.data.mkdir(mode=0o700)
    shutil.copy(home / "copy.sqlite", newer.database)
    shutil.copy(installation.master_key, newer.master_key)
    newer.apply(shop.catalog(policy("team")))
    given = installation.do(
        "restore", str(newer.database), "--replace", "--carry-from", f"sqlite:{aside}", "--carry-issued", "--json").json
    assert named(given["given"]["items"])[ids[team]]["leftBehind"] is None
    assert installation.show(team)["policy"] == "team"


def test_enrolments_accounts_and_grants_are_taken_over_too(installation):
    with installation.serving() as server:
        mart, school = Mart(installation, server, access="token"), School(Vendor(installation, server))
        item = str(mart.items[0])
        installation.do("backup", "copy.sqlite")
        enrolment = school.enrol("mia")
    do = installation.do
    do("account", "add", "ada", "--tenant", mart.tenant)
    do("account", "grant", "ada", "--item", item, "--tenant", mart.tenant)
    lost = do("restore", "copy.sqlite", "--replace", "--json").json["given"]["items"]
    assert {item["kind"]: item["holder"] for item in lost}["enrolment"] == "mia", lost
    aside = next(installation.data.glob("*.before-restore-*"))
    given = do(
        "restore", "copy.sqlite", "--replace", "--carry-from", f"sqlite:{aside}", "--carry-issued", "--json").json["given"]
    assert sorted((item["kind"], item["leftBehind"]) for item in given["items"]) == [
        ("account", None), ("app grant", None), ("enrolment", None)], given
    assert do("enrolment", "show", enrolment["id"], "--json").json["holder"] == "mia"
    assert item in do("account", "show", "ada", "--tenant", mart.tenant).out
    do("doctor", "--deep")


def test_carrying_over_contradicts_restoring_the_copy_as_it_is(installation):
    Shop(installation)
    assert installation.run("restore", "copy.sqlite", "--replace", "--as-copied", "--carry-issued").code == 2
    assert installation.run("restore", "copy.sqlite", "--replace", "--carry-issued=soon").code == 2


def test_carrying_over_needs_a_store_to_take_from(installation, home):
    Shop(installation)
    elsewhere = Installation(home, data=home / "elsewhere")
    refused = elsewhere.run("restore", "copy.sqlite", "--carry-issued", "--master-key-file", str(installation.master_key))
    assert refused.code == 1 and "--carry-from STORE" in refused.err, refused
    assert not elsewhere.database.exists()


def test_doctor_asks_for_a_rotation_after_a_restore_without_the_replaced_store(installation, home):
    Shop(installation)
    elsewhere = Installation(home, data=home / "elsewhere")
    words = ("--master-key-file", str(installation.master_key))
    elsewhere.do("restore", "copy.sqlite", *words)
    warned = elsewhere.do("doctor", *words).out
    assert "was restored without the one that it replaced" in warned
    assert "tenure key rotate --tenant acme" in warned
    elsewhere.do("key", "rotate", "--tenant", "acme", *words)
    assert "was restored without" not in elsewhere.do("doctor", *words).out
    installation.do("restore", "copy.sqlite", "--replace")
    assert "was restored without" not in installation.do("doctor").out


def test_an_order_whose_license_was_left_behind_can_be_sent_again(installation):
    shop = Shop(installation)
    shop.offer(policy("team"))
    with installation.serving() as server:
        left = shop.order(server, "order-5", policy="team")
        taken = shop.order(server, "order-6")
    shop.restored("--carry-issued")
    shop.offer(policy("team"))
    with installation.serving() as server:
        again = shop.order(server, "order-5", policy="team")
        assert again["id"] != left["id"] and "licenseKey" in again
        assert shop.order(server, "order-6")["id"] == taken["id"]
