"""Tests the catalog's sources of payments: missing files, likely mistakes, and members that can't change."""

import json

import catalogs
import pytest
import secrecy
from stripe_shop import StripeShop
from test_selling import ADDRESS, serving, settled, shop  # noqa: F401


def test_a_catalog_with_a_missing_api_key_file_is_refused(shop):
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": [shop.member(apiKeyFile="gone.key")]}
    refused = shop.installation.run("apply", "-", given=json.dumps(catalog))
    assert refused.code != 0 and "missing or empty" in refused.err


def test_the_errors_for_a_missing_and_an_empty_secret_file_differ(shop):
    (shop.installation.home / "empty.secret").write_text("\n")
    catalog = catalogs.catalog(shop.tenant)
    for name, fault in {"gone.secret": "doesn't exist", "empty.secret": "first line is empty"}.items():
        source = {key: value for key, value in shop.member(secretFile=name).items() if key != "secret"}
        catalog["tenants"][0]["intake"] = [source]
        refused = shop.installation.run("apply", "-", given=json.dumps(catalog))
        assert refused.code != 0 and fault in refused.err and "one or two secrets" not in refused.err


@pytest.mark.parametrize("members, note", [
    ({}, None),
    ({"secret": "a-secret-of-thirty-characters-00"}, "its secret doesn't begin with whsec_"),
    ({"apiKeyFile": "signing.key"}, "its API key is a secret that signs messages"),
    ({"apiKeyFile": "live.key"}, "its API key can refund payments"),
    ({"items": [{"item": "prod_1", "product": "notes", "policy": "pro"}]}, 'it needs "anyPrice": true'),
    ({"items": [{"item": "prod_1", "product": "notes", "policy": "pro", "anyPrice": True}]}, None),
])
def test_apply_prints_a_note_about_a_likely_mistake_in_a_payment_source(shop, members, note):
    (shop.installation.home / "signing.key").write_text(secrecy.keep("whsec_of_the_wrong_kind_00000000000"))
    (shop.installation.home / "live.key").write_text(secrecy.keep("sk_live_0000000000000000000000000"))
    catalog = catalogs.catalog(shop.tenant)
    other = StripeShop(shop.installation, shop.tenant, "other")
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [other.member(**members)]}
    notes = [line for line in shop.installation.apply(catalog).out.splitlines() if line.startswith("! ")]
    assert (note in notes[0] and len(notes) == 1) if note else notes == [], notes


def test_a_payment_source_with_orders_can_not_change_its_provider_or_switch_between_test_and_real_payments(shop):
    def applied(**members):
        catalog = catalogs.catalog(shop.tenant)
        catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(**members)]}
        return shop.installation.run("apply", "-", given=json.dumps(catalog))

    (shop.installation.home / "paddle.key").write_text(secrecy.keep("pdl_sdbx_apikey_of_the_shop"))
    paddle = {"provider": "paddle", "apiKeyFile": "paddle.key"}
    for members in ({"world": "test"}, paddle, {}):
        assert applied(**members).code == 0
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
    for members, field in (({"world": "test"}, "world"), (paddle, "provider")):
        refused = applied(**members)
        assert refused.code != 0 and f'has orders, so its "{field}" can\'t change' in refused.err
    assert applied(refund="keep").code == 0
