"""Tests on both engines that a restore elsewhere takes over what was sold since the backup."""

from catalogs import product
from client import App
from installation import Installation


def test_what_was_sold_since_the_backup_is_taken_over_from_either_engine(vendor, home):
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
