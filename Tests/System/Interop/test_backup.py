"""Tests backups of a running server, and servers that are restored from them in another folder."""

import shutil

from catalogs import fresh_key, license, policy, product
from client import App
from installation import Installation
from verifying import is_lease_signed

LONG_AGO = "2025-01-01T00:00:00Z"


def restored(copy, master_key) -> Installation:
    home = copy.parent / "elsewhere"
    home.mkdir()
    there = Installation(home)
    there.data.mkdir(mode=0o700)
    shutil.copy(master_key, there.master_key)
    there.do("restore", str(copy))
    return there


def test_a_restored_server_has_the_keys_licenses_and_activations_of_the_backup(vendor, home):
    keys = {name: fresh_key() for name in ("good", "revoked", "expired", "fallback", "suspended", "returned")}
    vendor.offer(product(
        policies=[policy("pro"), policy("kept", fallbackAccess=True)],
        licenses=[
            license(keys["good"]), license(keys["revoked"], state="revoked"),
            license(keys["expired"], expiresAt=LONG_AGO),
            license(keys["fallback"], "kept", expiresAt=LONG_AGO), license(keys["suspended"], state="suspended"),
            license(keys["returned"], state="returned")]))
    app = vendor.app()
    first = app.activate(keys["good"])
    instance = first["instance_id"]
    vendor.installation.do("key", "rotate", "--tenant", vendor.tenant)
    second = app.validate(keys["good"], instance)["lease"]
    copy = home / "copy.sqlite"
    vendor.installation.do("backup", str(copy))
    later = app.activated(keys["good"], "after the copy")

    there = restored(copy, vendor.installation.master_key)
    with there.serving() as server:
        app = App(server.client, vendor.tenant, "notes")
        keyset = server.client.get(f"/{vendor.tenant}/.well-known/keylight-keys").json
        assert keyset == vendor.keyset()
        assert is_lease_signed(first["lease"], keyset) and is_lease_signed(second, keyset)
        validated = app.validate(keys["good"], instance)
        assert validated.status == 200 and is_lease_signed(validated["lease"], keyset)
        assert validated["lease"]["kid"] == second["kid"]
        assert app.validate(keys["good"], later)["code"] == "activation_released"

        expected = {
            "revoked": (404, None), "returned": (404, None), "suspended": (422, None), "expired": (422, "expired"),
            "fallback": (200, "fallback")}
        for name, (status, lease) in expected.items():
            answer = app.activate(keys[name])
            assert (answer.status, (answer.json.get("lease") or {}).get("status")) == (status, lease), name
            if lease:
                assert is_lease_signed(answer["lease"], keyset)

    assert there.do("doctor").code == 0
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_restored_backup_replaces_a_store_only_with_the_option_replace(vendor, home):
    key = vendor.offer_license()
    vendor.installation.do("backup", str(home / "copy.sqlite"))
    there = restored(home / "copy.sqlite", vendor.installation.master_key)
    there.do("license", "revoke", key, "--tenant", vendor.tenant)

    assert there.run("restore", str(home / "copy.sqlite")).code == 1
    assert there.show(key)["state"] == "revoked"
    there.do("restore", str(home / "copy.sqlite"), "--replace")
    assert there.show(key)["state"] == "revoked", "what was taken back since is carried over"
    there.do("restore", str(home / "copy.sqlite"), "--replace", "--as-copied")
    assert there.show(key)["state"] == "issued"


def test_a_backup_is_not_restored_into_the_store_of_a_running_server(vendor, home):
    vendor.offer()
    copy = home / "copy.sqlite"
    vendor.installation.do("backup", str(copy))

    assert vendor.installation.run("restore", str(copy), "--replace").code != 0
    assert vendor.app().config().status == 200


def test_restoring_a_damaged_backup_is_refused_and_leaves_the_stores_license_unchanged(vendor, home):
    key = vendor.offer_license()
    copy = home / "copy.sqlite"
    vendor.installation.do("backup", str(copy))
    there = restored(copy, vendor.installation.master_key)
    whole = copy.read_bytes()
    for name, bytes_ in {
        "cut": whole[:len(whole) // 2], "text": b"not a database at all\n" * 500, "empty": b"",
        "holes": whole[:4096] + bytes(len(whole) - 4096),
    }.items():
        damaged = home / f"{name}.sqlite"
        damaged.write_bytes(bytes_)
        output = there.run("restore", str(damaged), "--replace")
        assert output.code == 1, (name, output)
        assert there.show(key)["state"] == "issued"


def test_a_backup_does_not_overwrite_an_existing_file(vendor, home):
    vendor.offer()
    (home / "taken").write_text("mine")
    output = vendor.installation.run("backup", str(home / "taken"))

    assert output.code == 1 and (home / "taken").read_text() == "mine"


def test_a_backup_contains_no_license_key_token_or_master_key_in_plain_text(vendor, home):
    key = vendor.offer_license()
    issued = vendor.installation.issue(vendor.tenant, "notes", "pro")
    token = vendor.installation.do(
        "token", "create", "--tenant", vendor.tenant, "--scope", "licenses:read", "--json").json
    copy = home / "copy.sqlite"
    vendor.installation.do("backup", str(copy))

    contents = copy.read_bytes()
    master_key = vendor.installation.master_key.read_text().strip()
    for secret in (key, issued["licenseKey"], token["token"], master_key):
        assert secret.encode() not in contents and secret.replace("-", "").encode() not in contents
    assert bytes.fromhex(master_key) not in contents
    assert vendor.tenant.encode() in contents
