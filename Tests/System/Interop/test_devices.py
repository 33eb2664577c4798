"""Tests how the server recognizes a device, and which requests use an activation."""

import uuid

import pytest
from catalogs import policy
from verifying import machine_hash


def seats(vendor, key: str) -> int:
    return len(vendor.installation.show(key)["activations"])


def test_a_device_that_activates_again_uses_no_second_activation(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    app, machine = vendor.app(), machine_hash(vendor.tenant, "notes", "hardware-1")

    first = app.activated(key, "Laptop", machine_hash=machine)
    assert app.activated(key, "Laptop, reinstalled", machine_hash=machine) == first
    assert app.activate(key, "Laptop", machine_hash=machine_hash(vendor.tenant, "notes", "hardware-2")).status == 402
    assert seats(vendor, key) == 1


def test_a_released_device_that_activates_again_gets_a_new_activation(vendor):
    key, app = vendor.offer_license(), vendor.app()
    first = app.activated(key, machine_hash="cd" * 32)
    app.deactivate(first)

    assert app.activated(key, machine_hash="cd" * 32) != first


def test_a_device_that_activates_again_with_its_free_tier_id_uses_no_second_activation(vendor):
    key, app, instance = vendor.offer_license(policy(activationLimit=1)), vendor.app(), str(uuid.uuid4())

    first = app.activated(key, "Phone", free_tier_instance_id=instance)
    assert app.activated(key, "Phone again", free_tier_instance_id=instance) == first
    assert app.activate(key, "Phone", free_tier_instance_id=str(uuid.uuid4())).status == 402


def test_a_repeated_activation_request_uses_no_second_activation(vendor):
    key, app = vendor.offer_license(policy(activationLimit=1)), vendor.app()
    header = {"X-Keylight-Request-Id": "0a1b2c3d"}

    first = app.activate(key, "Desk", header)["instance_id"]
    assert app.activate(key, "Desk", header)["instance_id"] == first
    assert app.activate(key, "Another desk", header).status == 402
    assert app.activate(key, "Desk", {"X-Keylight-Request-Id": "0a1b2c3e"}).status == 402


@pytest.mark.parametrize("later, is_same", [(0, True), (600, True), (601, False)])
def test_an_activation_request_repeated_within_ten_minutes_returns_the_same_activation(timed, later, is_same):
    app, passed = timed.app(), None
    # Real time passes as well, so an attempt that extends into the next second is repeated.
    while passed != later:
        timed.installation.set_clock(0)
        key = timed.offer_license()
        first = app.activate(key, "Desk", {"X-Keylight-Request-Id": "0a1b2c3d"})
        timed.installation.set_clock(later)
        second = app.activate(key, "Desk", {"X-Keylight-Request-Id": "0a1b2c3d"})
        passed = second["lease"]["issuedAt"] - first["lease"]["issuedAt"]

    assert (second["instance_id"] == first["instance_id"]) is is_same


def test_each_activation_without_a_machine_hash_is_a_new_device(vendor):
    key, app = vendor.offer_license(), vendor.app()

    assert app.activated(key, "Laptop") != app.activated(key, "Laptop")
    assert seats(vendor, key) == 2


def test_an_active_device_keeps_its_activation_when_the_limit_decreases(vendor):
    key, app = vendor.offer_license(policy(activationLimit=2)), vendor.app()
    first, second = (app.activated(key, machine_hash=digit * 64) for digit in "12")
    vendor.offer({"id": "notes", "policies": [policy(activationLimit=1)]})

    assert app.activated(key, machine_hash="2" * 64) == second
    assert app.validate(key, first).status == 200
    assert app.activate(key, machine_hash="3" * 64).status == 402
