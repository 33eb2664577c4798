"""Tests an app that gets a lease, verifies it offline, refreshes it and releases it."""

import time
import uuid

import pytest
from catalogs import fresh_key, license, policy, product
from verifying import is_lease_signed, key_hash, lease_text

DAY = 86_400


def test_a_device_has_a_signed_lease_from_activation_to_deactivation(vendor):
    key = vendor.offer_license(policy(entitlements=["sync", "export", "a.b:c"]))
    app = vendor.app()

    before = int(time.time())
    activated = app.activate(key, "Ada's laptop", app_version="1.2", sdk="rust", platform="linux")
    after = int(time.time())

    assert activated.status == 200 and activated["activated"] is True
    assert activated["license_expires_at"] is None and "error" not in activated.json
    lease, instance = activated["lease"], activated["instance_id"]
    assert set(lease) == {
        "kid", "licenseKeyHash", "instanceId", "issuedAt", "expiresAt", "status", "signature", "entitlements"}
    assert lease["instanceId"] == instance and uuid.UUID(instance).version == 4
    assert instance == str(uuid.UUID(instance))
    assert lease["licenseKeyHash"] == key_hash(key)
    assert before <= lease["issuedAt"] <= after
    assert lease["expiresAt"] == lease["issuedAt"] + 7 * DAY
    assert lease["status"] == "active" and sorted(lease["entitlements"]) == ["a.b:c", "export", "sync"]
    assert is_lease_signed(lease, vendor.keyset())

    validated = app.validate(key, instance)
    assert validated.status == 200 and validated["valid"] is True
    assert validated["lease"]["instanceId"] == instance
    assert is_lease_signed(validated["lease"], vendor.keyset())

    assert app.deactivate(instance, license_key=key).status == 200
    released = app.validate(key, instance)
    assert (released.status, released["code"], released["valid"]) == (422, "activation_released", False)
    assert "lease" not in released.json


@pytest.mark.parametrize("member, value", [
    ("licenseKeyHash", "0" * 64), ("instanceId", "00000000-0000-4000-8000-000000000000"), ("issuedAt", 1),
    ("expiresAt", 4_000_000_000), ("status", "fallback"), ("entitlements", ["everything"]), ("entitlements", []),
])
def test_the_signature_of_a_lease_does_not_verify_if_the_lease_was_changed(vendor, member, value):
    key = vendor.offer_license()
    lease = vendor.app().activate(key)["lease"]
    keyset = vendor.keyset()

    assert is_lease_signed(lease, keyset)
    assert not is_lease_signed(lease | {member: value}, keyset)


def test_the_signed_text_of_a_lease_without_entitlements_ends_with_an_empty_field(vendor):
    key = vendor.offer_license(policy(entitlements=[]))
    lease = vendor.app().activate(key)["lease"]

    assert lease["entitlements"] == [] and lease_text(lease).endswith("|active|")
    assert is_lease_signed(lease, vendor.keyset())


def test_another_tenants_keys_do_not_verify_a_lease(vendor, shared_installation, shared_server):
    other = type(vendor)(shared_installation, shared_server)
    key, _ = vendor.offer_license(), other.offer_license()
    lease = vendor.app().activate(key)["lease"]

    assert is_lease_signed(lease, vendor.keyset())
    assert not is_lease_signed(lease, other.keyset())


def test_a_lease_lasts_as_long_as_the_policy_allows(vendor):
    key = vendor.offer_license(policy(leaseDays=30))
    lease = vendor.app().activate(key)["lease"]

    assert lease["expiresAt"] - lease["issuedAt"] == 30 * DAY


def test_the_keyset_names_the_primary_signing_key(vendor):
    vendor.offer()
    keyset = vendor.keyset()

    assert keyset["primary_kid"] in [key["kid"] for key in keyset["keys"]]
    assert set(keyset["keys"][0]) >= {"kid", "alg", "public_key"}


def test_the_same_license_key_at_two_tenants_belongs_to_two_separate_licenses(
        vendor, shared_installation, shared_server):
    other, key = type(vendor)(shared_installation, shared_server), fresh_key()
    for one in (vendor, other):
        one.offer(product(licenses=[license(key)]))
    vendor.license("revoke", key)

    assert vendor.app().activate(key).status == 404
    assert other.app().activate(key).status == 200
