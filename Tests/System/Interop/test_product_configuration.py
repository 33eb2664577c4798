"""Tests a product's configuration for apps without a license: signed, current, and bound to tenant and product."""

import time
import uuid

import pytest
from catalogs import policy, product
from verifying import config_text, is_signed

DAY = 86_400
MEMBERS = {"trial_duration_days", "free_tier_enabled", "issued_at", "expires_at", "kid", "signature"}


def only_config(body: dict) -> dict:
    return {name: body[name] for name in MEMBERS}


@pytest.mark.parametrize("trial, free", [(14, False), (0, False), (0, True), (3650, True)])
def test_a_products_configuration_is_signed(vendor, trial, free):
    vendor.offer(product(trialDays=trial, freeTier=free))
    answer = vendor.app().config()
    now, config = int(time.time()), answer.json

    assert answer.status == 200 and set(config) == MEMBERS
    assert (config["trial_duration_days"], config["free_tier_enabled"]) == (trial, free)
    assert config["expires_at"] - config["issued_at"] == 30 * DAY
    assert now - 3600 <= config["issued_at"] <= now
    keyset = vendor.keyset()
    assert is_signed(config_text(config, vendor.tenant, "notes"), config, keyset)
    assert not is_signed(config_text(config, vendor.tenant, "draw"), config, keyset)
    assert not is_signed(config_text(config | {"free_tier_enabled": not free}, vendor.tenant, "notes"), config, keyset)


@pytest.mark.parametrize("state", ["trial", "free_tier", "expired"])
def test_an_app_without_a_license_gets_the_products_signed_configuration(vendor, state):
    vendor.offer(product(trialDays=7, freeTier=True))
    answer = vendor.app().keyless(str(uuid.uuid4()), state)

    assert answer.status == 200
    config = only_config(answer.json)
    assert is_signed(config_text(config, vendor.tenant, "notes"), config, vendor.keyset())


@pytest.mark.parametrize("members, code", [
    ({"state": "trial"}, "field_missing"), ({"instance_id": "x"}, "field_missing"),
    ({"instance_id": "x", "state": "licensed"}, "field_invalid"),
])
def test_an_incomplete_or_invalid_report_of_an_app_without_a_license_gets_400(vendor, members, code):
    vendor.offer()
    answer = vendor.server.client.post(f"/{vendor.tenant}/notes/keyless", members)

    assert (answer.status, answer["code"]) == (400, code)


def test_the_response_to_a_validation_includes_the_products_signed_configuration(vendor):
    key = vendor.offer_license()
    answer = vendor.app().validate(key, vendor.app().activated(key))

    config = only_config(answer.json)
    assert is_signed(config_text(config, vendor.tenant, "notes"), config, vendor.keyset())


@pytest.mark.parametrize("act", ["suspend", "revoke", None])
def test_a_refusal_about_an_existing_license_includes_its_end_and_the_products_signed_configuration(vendor, act):
    key = vendor.offer_license(policy("short", durationDays=30, activationLimit=1))
    app = vendor.app()
    instance = app.activated(key, machine_hash="ab" * 32)
    ends = app.validate(key, instance)["license_expires_at"]
    if act:
        vendor.license(act, key)
        answers = [app.validate(key, instance), app.activate(key)]
    else:
        answers = [app.validate(key, str(uuid.uuid4())), app.activate(key)]

    for answer in answers:
        assert answer.status in (402, 404, 422), answer
        assert answer["license_expires_at"] == ends is not None
        assert is_signed(config_text(answer.json, vendor.tenant, "notes"), answer.json, vendor.keyset())
    assert not MEMBERS & set(app.validate("NOBODYS-KEY", instance).json)


def test_changes_of_a_products_trial_and_free_tier_are_in_the_next_response(vendor):
    for trial, free in ((14, False), (30, False), (30, True), (0, True)):
        vendor.offer(product(trialDays=trial, freeTier=free, policies=[policy()]))
        for answer in (vendor.app().config(), vendor.app().keyless(str(uuid.uuid4()), "trial")):
            assert (answer["trial_duration_days"], answer["free_tier_enabled"]) == (trial, free)
            assert is_signed(config_text(answer.json, vendor.tenant, "notes"), answer.json, vendor.keyset())


def test_a_products_configuration_is_signed_again_after_an_hour(timed):
    timed.offer(product(trialDays=14))
    first = timed.app().config().json
    timed.installation.set_clock(3700)
    second = timed.app().config().json

    assert second["issued_at"] - first["issued_at"] >= 3600
    assert is_signed(config_text(second, timed.tenant, "notes"), second, timed.keyset())
