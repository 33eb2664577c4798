"""Tests the header fields that Keylight's clients send."""

import pytest
import secrecy
from catalogs import fresh_key, license, product
from client import App

SDK_KEY = "X-Keylight-SDK-Key"
REQUEST = "X-Keylight-Request-Id"


def test_the_keylight_request_id_is_returned_with_successes_and_refusals(vendor):
    key, header = vendor.offer_license(), {REQUEST: "deadbeef"}
    app, client = vendor.app(headers=header), vendor.server.client

    answers = [
        app.activate(key), app.activate("no-such-key"), app.validate(key, "x"), app.deactivate("x"), app.config(),
        app.keyless("x", "nonsense"), client.get(f"/{vendor.tenant}/.well-known/keylight-keys", header),
        client.get("/nobody/notes/config", header),
        client.ask("POST", f"/{vendor.tenant}/notes/activate", b"{", header | {"Content-Type": "application/json"}),
    ]
    assert [answer.headers.get(REQUEST.lower()) for answer in answers] == ["deadbeef"] * len(answers)


def test_a_response_has_no_keylight_request_id_unless_the_request_has_one(vendor):
    vendor.offer()
    assert REQUEST.lower() not in vendor.app().config().headers


@pytest.mark.parametrize("id", ["x" * 65, "two words", "caf\xe9"])
def test_an_invalid_keylight_request_id_is_not_returned(vendor, id):
    vendor.offer()
    answer = vendor.app(headers={REQUEST: id}).config()

    assert answer.status == 200 and REQUEST.lower() not in answer.headers


def test_requests_for_a_product_with_an_sdk_key_get_401_without_that_key(vendor):
    key, sdk_key = fresh_key(), secrecy.keep("sdk_live_7f3a9c51e2")
    vendor.offer(product(sdkKey=sdk_key, licenses=[license(key)]))

    def app(headers: dict) -> App:
        return vendor.app(headers=headers)

    with_key = app({SDK_KEY: sdk_key})
    instance = with_key.activated(key)
    for headers, code in (
        ({}, "sdk_key_required"), ({SDK_KEY: sdk_key + "0"}, "sdk_key_invalid"),
        ({SDK_KEY: sdk_key.upper()}, "sdk_key_invalid")):
        for answer in (
            app(headers).activate(key), app(headers).validate(key, instance), app(headers).deactivate(instance),
            app(headers).keyless("x", "trial"), app(headers).config()):
            assert (answer.status, answer["code"]) == (401, code)
    assert with_key.validate(key, instance).status == 200
    assert with_key.config().status == 200


def test_the_keyset_needs_no_sdk_key(vendor):
    vendor.offer(product(sdkKey=secrecy.keep("sdk_live_0e4d5f6a7b")))
    assert vendor.keyset()["keys"]


def test_a_changed_sdk_key_is_required_from_the_next_request_on(vendor):
    key = vendor.offer_license()
    instance = vendor.app().activated(key)
    old, new = secrecy.keep("sdk_live_old_aa11bb22"), secrecy.keep("sdk_live_new_cc33dd44")

    actions = {
        "config": lambda app: app.config(), "keyless": lambda app: app.keyless("x", "trial"),
        "validate": lambda app: app.validate(key, instance),
        "activate": lambda app: app.activate(key, machine_hash="ab" * 32),
        "deactivate": lambda app: app.deactivate("00000000-0000-4000-8000-000000000000"),
    }
    for action in actions.values():
        vendor.offer(product(sdkKey=old))
        assert action(vendor.app()).status == 401
        assert action(vendor.app(headers={SDK_KEY: old})).status == 200
        vendor.offer(product(sdkKey=new))
        assert action(vendor.app(headers={SDK_KEY: old})).status == 401
        assert action(vendor.app(headers={SDK_KEY: new})).status == 200
        vendor.offer(product(sdkKey=None))
        assert action(vendor.app()).status == 200
