"""Tests purchases that name a license, and extend it. The buyer chooses the id, so it must have no other effect."""

import json

import catalogs
import pytest
from stripe_shop import DAY, StripeShop
from test_selling import ADDRESS, serving, settled, shop  # noqa: F401
from waiting import eventually

EVE = "eve@shop.example"


@pytest.fixture
def sold(shop) -> StripeShop:
    """A shop that sells a year (`year`), a month (`month`) and a policy without a duration (`pro`)."""
    apply(shop, shop.member(items=[item("year"), item("month"), item("pro")]))
    return shop


def item(policy: str) -> dict:
    return {"item": f"price_{policy}", "product": "notes", "policy": policy}


def apply(shop: StripeShop, *sources: dict) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("year", duration="P1Y"), catalogs.policy("month", duration="P1M")]))
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": list(sources)}
    shop.installation.apply(catalog)


def license(shop: StripeShop, policy: str = "year", *options: str) -> str:
    return shop.installation.issue(shop.tenant, "notes", policy, "--holder-email", ADDRESS, *options)["id"]


def buy(shop: StripeShop, running, name: str, license: str, policy: str = "year", **members) -> dict:
    """Buys an item with a link that names a license, and returns the order."""
    members = {"email": EVE, "client_reference_id": license} | members
    shop.tell(running, shop.session(name, item=f"price_{policy}", **members))
    settled(shop)
    (order,) = [each for each in shop.orders() if each["reference"] == f"pi_{name}"]
    return order


def state(shop: StripeShop, license: str) -> tuple[str, str | None]:
    shown = shop.installation.show(license)
    return shown["state"], shown["expiresAt"]


def test_a_purchase_that_names_a_license_extends_it_and_a_refund_undoes_the_extension(sold):
    own = license(sold)
    (_, end) = state(sold, own)
    with serving(sold) as running:
        order = buy(sold, running, "1", own)
        assert order["renewedLicense"] == own and order["lines"][0]["licenses"] == []
        assert state(sold, own)[1][:4] == str(int(end[:4]) + 1)
        buy(sold, running, "2", own)
        sold.tell(running, sold.refund("1"))
        settled(sold)
        assert state(sold, own)[1][:4] == str(int(end[:4]) + 1) and state(sold, own)[0] == "issued"
        sold.tell(running, sold.refund("2"))
        sold.tell(running, sold.dispute("2"))
        settled(sold)
        assert state(sold, own) == ("issued", end)
        assert sold.installation.show(own)["holderEmail"] == ADDRESS


def test_the_time_that_a_renewal_added_is_taken_back_until_a_dispute_of_its_payment_is_won(sold):
    own = license(sold, "month")
    (_, end) = state(sold, own)
    with serving(sold) as running:
        buy(sold, running, "1", own, "month")
        (_, later) = state(sold, own)
        assert later > end
        sold.tell(running, sold.dispute("1"))
        settled(sold)
        assert state(sold, own) == ("issued", end)
        sold.tell(running, sold.dispute("1", "won", at=sold.now + 1))
        settled(sold)
        assert state(sold, own) == ("issued", later)


def test_a_repeated_message_about_a_renewal_extends_the_license_once(sold):
    own = license(sold)
    with serving(sold) as running:
        body = sold.session("1", EVE, item="price_year", client_reference_id=own)
        sold.tell(running, body, body)
        settled(sold)
        first = state(sold, own)
        sold.tell(running, body, sold.session("1", EVE, item="price_year", client_reference_id=own))
        settled(sold)
        assert state(sold, own) == first


def test_a_purchase_renews_an_expired_license_and_its_refund_expires_it_again(sold):
    own = license(sold, "month")
    sold.installation.set_clock(100 * DAY)
    with serving(sold) as running:
        buy(sold, running, "1", own, "month")
        assert state(sold, own)[0] in ("issued", "active")
        sold.tell(running, sold.refund("1"))
        eventually(lambda: state(sold, own)[0], lambda seen: seen == "expired")


def test_a_purchase_that_can_not_renew_the_named_license_issues_a_new_one(sold):
    tenant = catalogs.fresh("other")
    sold.installation.apply(catalogs.catalog(tenant, catalogs.product(policies=[catalogs.policy("year", duration="P1Y")])))
    revoked, returned = license(sold), license(sold)
    sold.installation.do("license", "revoke", revoked)
    sold.installation.do("license", "return", returned)
    named = {
        "another policy": (license(sold, "month"), "year"),
        "another tenant's": (sold.installation.issue(tenant, "notes", "year")["id"], "year"),
        "revoked": (revoked, "year"),
        "returned": (returned, "year"),
        "without an end": (license(sold, "pro"), "pro"),
        "of a policy without a duration": (license(sold, "pro", "--expires-at", "2030-01-01"), "pro"),
        "unknown": ("lic_0000000000000", "year"),
        "no id": ("../../v1", "year"),
        "a line feed": ("lic_\n", "year"),
    }
    before = {case: state(sold, id) for case, (id, _) in named.items() if id.startswith("lic_") and case != "unknown" and "\n" not in id}
    with serving(sold) as running:
        for number, (case, (id, policy)) in enumerate(named.items()):
            order = buy(sold, running, str(number), id, policy)
            assert order["renewedLicense"] is None and len(order["lines"][0]["licenses"]) == 1, case
        two = {"object": "list", "has_more": False, "data": [
            {"id": "li_1", "object": "item", "price": {"id": "price_year", "product": "prod_1"}, "quantity": 2}]}
        order = buy(sold, running, "two", license(sold), line_items=two)
        assert order["renewedLicense"] is None and len(order["lines"][0]["licenses"]) == 2
    assert {case: state(sold, named[case][0]) for case in before} == before


def test_payments_in_test_mode_renew_only_test_licenses_and_real_payments_only_real_ones(sold):
    trial = StripeShop(sold.installation, sold.tenant, "trial", live=False)
    apply(sold, sold.member(items=[item("year")]), trial.member(items=[item("year")]))
    own = license(sold)
    before = state(sold, own)
    with serving(sold) as running:
        assert buy(trial, running, "1", own)["renewedLicense"] is None
        (order,) = [each for each in trial.orders() if each["test"]]
        (tested,) = order["lines"][0]["licenses"]
        assert buy(sold, running, "2", tested)["renewedLicense"] is None
        (_, week) = state(sold, tested)
        assert buy(trial, running, "3", tested)["renewedLicense"] == tested
        assert state(sold, tested)[1] == week, "a license of a test source ends after seven days"
    assert state(sold, own) == before


def test_a_revoked_license_stays_revoked_when_a_dispute_of_its_renewal_is_won(sold):
    own = license(sold)
    with serving(sold) as running:
        buy(sold, running, "1", own)
        sold.tell(running, sold.dispute("1"))
        settled(sold)
        sold.installation.do("license", "revoke", own)
        sold.tell(running, sold.dispute("1", "won", at=sold.now + 1))
        settled(sold)
        assert state(sold, own)[0] == "revoked"
