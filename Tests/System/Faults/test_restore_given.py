"""Tests that a restore lists the records issued since the backup, and that `--carry-issued` takes them over."""

import re
import shlex
import shutil
import sqlite3
from contextlib import closing

import secrecy
from catalogs import policy
from client import App
from installation import Installation
from mart import Mart
from resale import Shop
from school import School
from vendor import Vendor

def named(items: list) -> dict:
    return {item["name"]: item for item in items}


def test_a_restore_lists_the_records_it_loses_and_names_the_command_that_takes_them_over(installation):
    shop = Shop(installation)
    key = shop.sell("--holder", "new@example.com", "--order", "o-1")
    id = installation.show(key)["id"]
    installation.do("license", "renew", shop.old)
    installation.do("license", "change", shop.old, "--holder", "heir@example.com")
    lost = shop.restore()
    lines = lost.out.splitlines()
    assert lines[0] == "given after the copy was made, and lost with this restore:"
    assert "operator:cli" in lines[2], "by actor first"
    assert "lost:" in lines and "taken over" not in lost.out
    for text in (id, "new@example.com", "o-1", "holder heir@example.com instead of old@example.com", "ends "):
        assert text in lost.out, text
    assert key not in lost.out and "2 records that were given after the copy" in lost.err, lost
    assert installation.run("license", "show", key).code == 1

    command = next(part for part in lost.err.split("`") if part.startswith("tenure restore "))
    words = shlex.split(command)
    assert installation.run_words(installation.words()[:1] + words[1:]).code == 0, command
    assert installation.show(key)["holder"] == "new@example.com"
    assert installation.show(shop.old)["holder"] == "heir@example.com"


def test_a_restore_with_carry_issued_copies_records_issued_since_the_backup_unchanged(installation):
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


def test_a_restore_with_carry_issued_leaves_out_records_issued_after_a_given_date(installation):
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
    place = rows.index("given after the copy was made:")
    assert shop.token["id"] in rows[place + 2] and " 120 " in rows[place + 2], listed
    limit = next(row for row in rows if row.startswith("left behind"))
    assert re.search(r"until [0-9]+ \w+ 20[0-9]{2}, [0-9]{2}:[0-9]{2} UTC", limit), "with the time"
    assert listed.out.endswith("; took 1 record over, and left 120 behind\n"), listed
    assert "and 20 more; --json lists them" in listed.out and "120 records were left behind" in listed.err, listed
    assert installation.show(honest)["holder"] == "honest@example.com"
    assert len(installation.do("license", "list", "--json", "--limit", "1000").json["licenses"]) == 2


def test_a_restore_with_carry_issued_names_and_leaves_out_damaged_records_and_those_without_a_policy(
        installation, home):
    shop = Shop(installation)
    shop.offer(policy("team"))
    team, damaged, sound = shop.sell(policy="team"), shop.sell(), shop.sell()
    ids = {key: installation.show(key)["id"] for key in (team, damaged, sound)}
    with closing(sqlite3.connect(installation.database)) as store:
        store.execute("UPDATE licenses SET holder = '' WHERE key_masked = ?", (installation.show(damaged)["key"],))
        store.commit()
    items = named(shop.restored("--carry-issued")["items"])
    assert items[ids[team]]["leftBehind"] == "there is no policy acme/notes/team"
    assert items[ids[damaged]]["leftBehind"] == "it is damaged: holder is an empty string"
    assert items[ids[sound]]["leftBehind"] is None
    assert installation.show(sound)["id"] == ids[sound]
    assert installation.run("license", "show", team).code == 1
    installation.do("doctor", "--deep")

    # As operations.md describes, apply the policy to the backup before the restore.
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


def test_a_restore_with_carry_issued_takes_over_enrolments_accounts_and_app_grants(installation):
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


def test_the_options_carry_issued_and_as_copied_exclude_each_other(installation):
    Shop(installation)
    assert installation.run("restore", "copy.sqlite", "--replace", "--as-copied", "--carry-issued").code == 2
    assert installation.run("restore", "copy.sqlite", "--replace", "--carry-issued=soon").code == 2


def test_the_option_carry_issued_is_refused_without_a_store_to_take_records_from(installation, home):
    Shop(installation)
    elsewhere = Installation(home, data=home / "elsewhere")
    refused = elsewhere.run("restore", "copy.sqlite", "--carry-issued", "--master-key-file", str(installation.master_key))
    assert refused.code == 1 and "--carry-from STORE" in refused.err, refused
    assert not elsewhere.database.exists()


def test_a_restore_over_a_damaged_store_or_from_an_invalid_file_reports_only_that_cause(installation, home):
    Shop(installation)
    sound = installation.database.read_bytes()
    installation.database.write_bytes(sound[:len(sound) // 3])
    for rest in ("-wal", "-shm"):
        installation.database.with_name(installation.database.name + rest).unlink(missing_ok=True)
    refused = installation.run("restore", "copy.sqlite", "--replace", "--carry-issued")
    assert refused.code == 1 and "Restore without --carry-issued" in refused.err, refused
    assert "store_corrupt" not in refused.err and "restore the latest backup" not in refused.err, refused
    restored = installation.do("restore", "copy.sqlite", "--replace")
    assert "store_corrupt" not in restored.err and "restore the latest backup" not in restored.err, restored
    assert "can't be read: it is damaged" in restored.err, restored

    (home / "acme.json").write_text("{}")
    refused = installation.run("restore", "acme.json", "--replace")
    assert refused.err == (
        "tenure restore: acme.json can't be restored: it isn't a database. Choose another backup. Nothing was changed.\n")
    missing = installation.run("restore", "nothing.sqlite", "--replace")
    assert missing.code == 1 and "There is no file nothing.sqlite" in missing.err, missing


def test_a_restore_with_carry_issued_takes_over_new_tokens_and_activations_whose_release_was_undone(installation):
    shop = Shop(installation)
    with installation.serving() as server:
        mac = App(server.client, "acme", "notes").activated(shop.old, "mac", machine_hash="ab" * 32)
    installation.do("activation", "release", mac)
    installation.do("backup", "copy.sqlite.2")
    installation.do("activation", "restore", mac)
    token = installation.do(
        "token", "create", "--tenant", "acme", "--name", "erp", "--scope", "licenses:read", "--json").json
    secrecy.keep(token["token"])
    prepared = installation.do("key", "prepare", "--tenant", "acme", "--json").json["kid"]
    secrecy.keep(installation.do("license", "link", shop.old, "--json").json["path"].split("/")[-1])
    shop.offer(policy("team"))

    def restore(*options: str):
        return installation.do("restore", "copy.sqlite.2", "--replace", *options)

    def next_key() -> str:
        return installation.do("key", "prepare", "--tenant", "acme", "--json").json["kid"]

    lost = restore()
    for text in (token["id"], "erp", "restored", "link created", "prepared key", prepared):
        assert text in lost.out, (text, lost)
    assert "the catalog was changed" in lost.err and f"`tenure apply FILE --data {installation.data}`" in lost.err, lost
    assert next_key() == prepared, "an app may have been shipped with it"
    aside = next(installation.data.glob("*.before-restore-*"))

    given = restore("--carry-from", f"sqlite:{aside}", "--carry-issued", "--json").json["given"]
    left = {item["kind"]: item["leftBehind"] for item in given["items"]}
    assert left == {"token": None, "activation": None, "link": "links are lost; create another one"}, given
    assert next_key() == prepared
    with installation.serving() as server:
        assert App(server.client, "acme", "notes").validate(shop.old, mac).status == 200
        listed = server.client.get("/v1/acme/licenses", {"Authorization": f"Bearer {token['token']}"})
        assert listed.status == 200, listed
    shop.offer(policy("team"))
    installation.do("doctor", "--deep")


def test_the_list_of_changes_lost_by_a_restore_names_who_changed_licenses_and_trials(installation):
    installation.moves_time()
    shop = Shop(installation)
    suspended, given = shop.sell(), shop.sell("--holder", "ada@example.com")
    devices = ["ef" * 32, "cd" * 32]
    with installation.serving() as server:
        for device in devices:
            server.client.post("/v1/acme/notes/leases/trial", {"nonce": "A" * 32, "device": device})
    installation.do("license", "suspend", suspended)
    installation.do("backup", "copy.sqlite.2")
    installation.set_clock(3600)
    installation.do("license", "reinstate", suspended)
    of = ("--tenant", "acme", "--product", "notes")
    installation.do("trial", "extend", devices[0], "--days", "7", *of)
    installation.do("trial", "reset", devices[1], *of, "--yes")
    before = installation.show(given)
    secrecy.keep(
        installation.do("license", "transfer", given, "--to", "eve@example.com", "--yes", "--json").json["licenseKey"])
    listed = installation.do("restore", "copy.sqlite.2", "--replace", "--json").json["given"]["byActor"]
    assert {(group["actor"], group["kind"], group["count"]) for group in listed} == {
        ("operator:cli", "license", 2), ("operator:cli", "trial", 2)}, listed
    assert all(group["firstAt"] > before["issuedAt"] for group in listed), listed

    aside = next(installation.data.glob("*.before-restore-*"))
    limited = installation.do(
        "restore", "copy.sqlite.2", "--replace", "--carry-from", f"sqlite:{aside}",
        f"--carry-issued={before['issuedAt']}", "--json").json["given"]
    assert limited["items"]
    assert all(item["leftBehind"].startswith("it is later than") for item in limited["items"]), limited
    assert installation.show(before["id"])["holder"] == "ada@example.com", "the transfer was later"


def test_doctor_recommends_a_key_rotation_after_a_restore_without_the_replaced_store(installation, home):
    Shop(installation)
    elsewhere = Installation(home, data=home / "elsewhere")
    words = ("--master-key-file", str(installation.master_key))
    elsewhere.do("restore", "copy.sqlite", *words)
    warned = elsewhere.do("doctor", *words).out
    assert "was restored without the one that it replaced" in warned
    assert f"`tenure key rotate --tenant acme --data {elsewhere.data} " in warned, "with the options of this doctor"
    elsewhere.do("key", "rotate", "--tenant", "acme", *words)
    assert "was restored without" not in elsewhere.do("doctor", *words).out
    installation.do("restore", "copy.sqlite", "--replace")
    assert "was restored without" not in installation.do("doctor").out


def test_an_order_whose_license_a_restore_left_out_issues_a_new_license_when_it_is_sent_again(installation):
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
