"""Tests refusals of apps' requests: their status, their code, and whether they include a signed lease."""

import uuid

import pytest
from catalogs import fresh_key, license, policy, product
from verifying import is_lease_signed

LONG_AGO = "2025-01-01T00:00:00Z"


def activated_then(vendor, *act: str, policy_=None) -> tuple[str, str]:
    """Activates a new license and runs a command on it; returns the key and the instance id."""
    key = vendor.offer_license(policy_)
    instance = vendor.app().activated(key)
    vendor.license(*act, key)
    return key, instance


def expect(answer, status: int, code: str) -> None:
    assert (answer.status, answer["code"]) == (status, code), answer
    assert answer["error"] and answer.headers["content-type"] == "application/json"
    for reason in answer["reasons"]:
        assert reason["message"] and reason["cure"]


def test_activating_a_revoked_license_gets_404_and_validating_it_gets_422(vendor):
    key, instance = activated_then(vendor, "revoke")

    activate = vendor.app().activate(key)
    expect(activate, 404, "license_revoked")
    assert activate["activated"] is False and "lease" not in activate.json
    validate = vendor.app().validate(key, instance)
    expect(validate, 422, "license_revoked")
    assert validate["error"] == "License has been revoked"
    assert "valid" not in validate.json and "lease" not in validate.json


def test_activating_a_returned_license_gets_404_and_validating_it_gets_422(vendor):
    key, instance = activated_then(vendor, "return")

    expect(vendor.app().activate(key), 404, "license_returned")
    validate = vendor.app().validate(key, instance)
    expect(validate, 422, "license_returned")
    assert "lease" not in validate.json


def test_a_suspended_license_gets_no_lease(vendor):
    key, instance = activated_then(vendor, "suspend")

    for answer, member in (
        (vendor.app().activate(key), "activated"), (vendor.app().validate(key, instance), "valid")):
        expect(answer, 422, "license_suspended")
        assert answer[member] is False and "lease" not in answer.json


def test_a_refusal_of_an_expired_license_includes_a_signed_lease_with_the_status_expired(vendor):
    key, instance = activated_then(vendor, "change", "--expires-at", LONG_AGO, "--already-ended")
    keyset = vendor.keyset()

    known = vendor.app().validate(key, instance)
    new = vendor.app().activate(key, "Another device")
    expect(known, 422, "license_expired")
    expect(new, 422, "license_expired")
    assert known["valid"] is False and new["activated"] is False
    for answer, named in ((known, instance), (new, "")):
        lease = answer["lease"]
        assert (lease["status"], lease["entitlements"], lease["instanceId"]) == ("expired", [], named)
        assert is_lease_signed(lease, keyset)


def test_activating_an_expired_license_records_no_device(vendor):
    key = vendor.offer_license(expiresAt=LONG_AGO)

    assert vendor.app().activate(key).status == 422
    assert vendor.installation.show(key)["activations"] == []


def test_activating_an_expired_license_on_an_active_device_gets_422_with_the_devices_instance_id(vendor):
    key = vendor.offer_license()
    instance = vendor.app().activated(key, machine_hash="ab" * 32)
    vendor.license("change", key, "--expires-at", LONG_AGO, "--already-ended")

    answer = vendor.app().activate(key, machine_hash="ab" * 32)
    expect(answer, 422, "license_expired")
    assert answer["lease"]["instanceId"] == instance


def test_an_expired_license_with_fallback_is_activated_with_a_fallback_lease(vendor):
    key = vendor.offer_license(policy(fallbackAccess=True, activationLimit=1), expiresAt=LONG_AGO)
    app = vendor.app()

    first = app.activate(key)
    assert first.status == 200 and first["activated"] is True
    assert isinstance(first["license_expires_at"], int)
    lease = first["lease"]
    assert (lease["status"], lease["entitlements"]) == ("fallback", [])
    assert lease["instanceId"] == first["instance_id"] and is_lease_signed(lease, vendor.keyset())

    expect(app.activate(key, "Second device"), 402, "activation_limit_reached")


def test_validating_an_expired_license_with_fallback_gets_422_with_a_fallback_lease(vendor):
    key, instance = activated_then(
        vendor, "change", "--expires-at", LONG_AGO, "--already-ended", policy_=policy(fallbackAccess=True))

    answer = vendor.app().validate(key, instance)
    expect(answer, 422, "license_expired")
    assert answer["valid"] is False
    assert (answer["lease"]["status"], answer["lease"]["entitlements"]) == ("fallback", [])
    assert is_lease_signed(answer["lease"], vendor.keyset())


def test_an_activation_beyond_the_limit_gets_402_with_the_limit_and_the_number_of_activations(vendor):
    key = vendor.offer_license(policy(activationLimit=2))
    app = vendor.app()
    for name in ("one", "two"):
        app.activated(key, name)

    answer = app.activate(key, "three")
    expect(answer, 402, "activation_limit_reached")
    assert answer["activated"] is False and "lease" not in answer.json
    assert answer["reasons"][0]["evidence"] == {"activations": 2, "activationLimit": 2}


def test_a_refusal_lists_all_reasons(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    instance = vendor.app().activated(key)
    vendor.license("change", key, "--expires-at", LONG_AGO, "--already-ended")
    vendor.license("suspend", key)

    assert vendor.app().validate(key, instance).codes == ["license_suspended", "license_expired"]
    assert vendor.app().activate(key, "new").codes == [
        "license_suspended", "license_expired", "activation_limit_reached"]


def test_another_products_key_gets_the_same_response_as_an_unknown_one(vendor):
    mine, other, unknown = fresh_key(), fresh_key("DRAW"), fresh_key()
    vendor.offer(
        product("notes", licenses=[license(mine)]), product("draw", keyPrefix="DRAW", licenses=[license(other)]))
    instance = vendor.app("draw").activated(other)
    app = vendor.app("notes")

    for ask in (app.activate, lambda key: app.validate(key, instance)):
        foreign, never = ask(other), ask(unknown)
        expect(foreign, 404, "license_unknown")
        assert (foreign.status, foreign.body) == (never.status, never.body)


def test_an_instance_id_of_another_product_is_refused_and_that_instance_is_not_released(vendor):
    mine, other = fresh_key(), fresh_key("DRAW")
    vendor.offer(
        product("notes", licenses=[license(mine)]), product("draw", keyPrefix="DRAW", licenses=[license(other)]))
    instance = vendor.app("draw").activated(other)

    expect(vendor.app("notes").validate(mine, instance), 422, "activation_released")
    assert vendor.app("notes").deactivate(instance).status == 200
    assert vendor.app("draw").validate(other, instance).status == 200


def test_validating_a_key_with_the_instance_id_of_another_license_is_refused(vendor):
    one, other = fresh_key(), fresh_key()
    vendor.offer(product(licenses=[license(one), license(other)]))
    instance = vendor.app().activated(one)

    expect(vendor.app().validate(other, instance), 422, "activation_released")


@pytest.mark.parametrize("instance", [
    str(uuid.UUID(int=0)), "0b7c1a52-6f4e-4a0b-9d39-1c1d2e3f4a5b", "not-a-uuid", "../../etc/passwd", "a" * 256,
])
def test_validating_with_an_unknown_instance_id_is_refused_as_released(vendor, instance):
    key = vendor.offer_license()

    answer = vendor.app().validate(key, instance)
    expect(answer, 422, "activation_released")
    assert "lease" not in answer.json


def test_a_deactivation_gets_200_for_active_released_and_unknown_instance_ids(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    app = vendor.app()
    instance = app.activated(key)

    for attempt in (instance, instance, str(uuid.uuid4()), "not-a-uuid"):
        assert app.deactivate(attempt).status == 200
    assert app.activated(key, "Another device") != instance


@pytest.mark.parametrize("path, code", [
    ("/nobody/notes/activate", "tenant_unknown"), ("/{tenant}/nothing/activate", "product_unknown"),
    ("/nobody/notes/validate", "tenant_unknown"), ("/{tenant}/nothing/deactivate", "product_unknown"),
])
def test_requests_for_an_unknown_tenant_or_product_get_404(vendor, path, code):
    key = vendor.offer_license()

    answer = vendor.server.client.post(
        path.format(tenant=vendor.tenant), {"license_key": key, "instance_name": "x", "instance_id": "x"})
    expect(answer, 404, code)
