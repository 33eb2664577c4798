"""Tests where the operating system that a device reports is shown, and that invalid systems are left out."""

import pytest
from tenure_app import app


def shown(vendor, key: str) -> dict[str, tuple[str | None, str | None]]:
    """Each device's system and version by the device's name; fails if the command line and the operator API differ."""
    installation, client = vendor.installation, vendor.server.client
    listed = installation.do("activation", "list", key, "--json").json["activations"]
    license = installation.show(key)
    assert license["activations"] == listed[::-1]
    token = installation.do(
        "token", "create", "--tenant", vendor.tenant, "--scope", "licenses:read", "--name", "list", "--json").json["token"]
    answer = client.get(
        f"/v1/{vendor.tenant}/licenses/{license['id']}/activations", {"Authorization": f"Bearer {token}"})
    assert answer["activations"] == listed[::-1]
    return {one["name"]: (one["system"], one["systemVersion"]) for one in listed}


def test_a_devices_operating_system_is_shown_in_the_lists_of_devices_for_operators_and_apps(vendor):
    key = vendor.offer_license()
    laptop, desktop = app(vendor, "laptop"), app(vendor, "desktop")
    _, lease, _ = laptop.ask("activate", "lease", key, name="Laptop", system="macOS", systemVersion="15.1")
    desktop.ask("activate", "lease", key, name="Desktop")
    assert shown(vendor, key) == {"Desktop": (None, None), "Laptop": ("macOS", "15.1")}
    table = vendor.installation.do("activation", "list", key).out
    assert "macOS 15.1" in table

    answer, lease, _ = laptop.ask("renew", "lease", key, activation=lease["activation"])
    _, devices, _ = laptop.ask(
        "devices", "devices", key, activation=lease["activation"], lease=answer["lease"])
    assert {one["name"]: (one["system"], one["systemVersion"]) for one in devices["devices"]} == {
        "Laptop": ("macOS", "15.1"), "Desktop": (None, None)}


@pytest.mark.parametrize("system, version, expected", [
    ("x" * 10_240, "15.1", (None, None)), ("mac\x00OS", "15.1", (None, None)), ("\u202eSOcam", "15.1", (None, None)),
    ("macOS\x1b[2J", "15.1", (None, None)), ("macOS", "15\n1", ("macOS", None)), ("macOS", "1" * 65, ("macOS", None)),
    ("", "15.1", (None, None)), ("<b>x</b>", "\"'", ("<b>x</b>", "\"'")), ("=1+1", "@x", ("=1+1", "@x")),
])
def test_a_device_with_an_invalid_operating_system_or_version_is_activated_without_the_invalid_value(
        vendor, system, version, expected):
    key = vendor.offer_license()
    answer, _, _ = app(vendor).ask("activate", "lease", key, name="Mac", system=system, systemVersion=version)
    assert answer.status == 200
    assert shown(vendor, key) == {"Mac": expected}


def test_the_keylight_dialect_ignores_the_operating_system_that_a_device_reports(vendor):
    key = vendor.offer_license()
    answer = vendor.app().activate(key, "Laptop", system="macOS", systemVersion="15.1")
    assert answer.status == 200 and "system" not in answer.json
    assert shown(vendor, key) == {"Laptop": (None, None)}
