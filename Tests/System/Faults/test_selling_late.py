"""Tests that late renewals lock out no device, and that no message is lost when secrets or catalogs change."""

import re

import catalogs
import pytest
import secrecy
from client import App
from stripe_shop import DAY, StripeShop
from waiting import eventually

KEY = re.compile(r"NOTES?(?:-[0-9A-Z]{4}){4}")
HOUR = 3_600
MONTHS = 3
PURCHASES = 40


def apply(shop: StripeShop, **members) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
    item = {"item": "price_pro", "product": "notes", "policy": "monthly"}
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(items=[item]) | members]}
    shop.installation.apply(catalog, *(["--prune"] if members.get("items") == [] else []))


@pytest.fixture
def shop(installation) -> StripeShop:
    installation.moves_time()
    return StripeShop(installation, catalogs.fresh("shop"))


def settled(shop: StripeShop) -> None:
    eventually(lambda: [each["state"] for each in shop.messages()], lambda states: "waiting" not in states)


@pytest.mark.parametrize("delay, members", [(HOUR, {}), (6 * DAY, {"slackHours": 7 * 24})])
def test_a_device_that_validates_each_hour_is_never_refused_if_renewals_arrive_within_the_slack(shop, delay, members):
    apply(shop, **members)
    letters = shop.installation.home / "letters"
    with shop.installation.serving("--mail-folder", str(letters)) as running:
        began = shop.now
        shop.tell(running, shop.invoice("a", 1, began + 30 * DAY))
        (letter,) = eventually(lambda: list(letters.glob("*.eml")), lambda found: len(found) == 1)
        key = secrecy.keep(KEY.search(letter.read_text())[0])
        app = App(running.client, shop.tenant, "notes")
        instance = app.activated(key)
        for hour in range(1, MONTHS * 30 * 24 + delay // HOUR):
            shop.installation.set_clock(hour * HOUR)
            elapsed = hour * HOUR - delay
            if elapsed > 0 and elapsed % (30 * DAY) == 0:
                number = elapsed // (30 * DAY) + 1
                shop.tell(running, shop.invoice("a", number, began + number * 30 * DAY))
                settled(shop)
            answer = app.validate(key, instance)
            assert (answer.status, answer["valid"]) == (200, True), f"locked out in hour {hour}: {answer}"


def test_both_webhook_secrets_are_valid_while_the_catalog_lists_both(shop):
    new = secrecy.keep("whsec_the_new_secret")
    apply(shop)
    with shop.installation.serving() as running:
        def statuses() -> list[int]:
            body = shop.event("ping", {})
            return [shop.post(running, body, secret=secret).status for secret in (shop.secret, new)]

        assert statuses() == [200, 401]
        member = shop.member(secrets=[shop.secret, new])
        del member["secret"]
        catalog = catalogs.catalog(shop.tenant)
        catalog["tenants"][0]["intake"] = [member]
        shop.installation.apply(catalog)
        assert statuses() == [200, 200]
        apply(shop, secret=new)
        assert statuses() == [401, 200]


def test_a_refund_suspends_a_license_whose_item_was_removed_from_the_catalog(shop):
    apply(shop)
    with shop.installation.serving() as running:
        shop.tell(running, shop.invoice("a", 1, shop.now + 30 * DAY))
        settled(shop)
        catalog = catalogs.catalog(shop.tenant)
        catalog["tenants"][0]["intake"] = [shop.member()]
        shop.installation.apply(catalog, "--prune")
        shop.tell(running, shop.payment("a", 1), shop.refund("a_1", 900, 900, at=shop.now + 1))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
        assert shop.orders()[0]["state"] == "refunded"
        settled(shop)
        assert [each["state"] for each in shop.messages()] == ["done"] * 3


def test_removing_a_payment_source_reports_how_many_of_its_orders_may_still_be_refunded(shop):
    apply(shop)
    with shop.installation.serving() as running:
        shop.tell(running, shop.invoice("a", 1, shop.now + 30 * DAY), shop.invoice("b", 1, shop.now + 30 * DAY))
        settled(shop)
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0]["mail"] = {"from": "keys@acme.example"}
    kept = shop.installation.apply(catalog)
    assert "source" not in kept.out
    removed = shop.installation.apply(catalog, "--prune", "--dry-run")
    assert "2 orders of the last 120 days may still be refunded" in removed.out
    shop.installation.set_clock(121 * DAY)
    assert "refunded" not in shop.installation.apply(catalog, "--prune").out


def test_refunds_carried_out_a_month_late_still_mark_their_orders_as_refunded(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "pro"}])
    running = shop.installation.start()
    try:
        for number in range(PURCHASES):
            shop.tell(running, shop.refund(str(number), at=shop.now + 1), shop.session(str(number), "ada@shop.example"))
    finally:
        running.kill()
    shop.installation.set_clock(31 * DAY)
    with shop.installation.serving():
        eventually(lambda: len(shop.messages("done")), lambda count: count == 2 * PURCHASES, 60)
        assert {order["state"] for order in shop.orders()} == {"refunded"}


def test_invoices_carried_out_a_day_late_are_still_matched_to_their_checkout_sessions(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "pro"}])
    running = shop.installation.start()
    try:
        for number in range(PURCHASES):
            # The catalog doesn't name the invoice's item, so an invoice that counts as the sale is parked.
            shop.tell(running, shop.single_invoice(str(number), item="price_unknown"), shop.session(
                str(number), "ada@shop.example", invoice=f"in_{number}"))
    finally:
        running.kill()
    shop.installation.set_clock(DAY)
    with shop.installation.serving():
        eventually(lambda: len(shop.messages("done")), lambda count: count >= PURCHASES or shop.messages("parked"), 60)
        shop.installation.set_clock(DAY + 2 * HOUR)
        eventually(lambda: shop.messages("waiting"), lambda waiting: not waiting, 60)
        assert [message["state"] for message in shop.messages()] == ["done"] * 2 * PURCHASES
        assert [order["state"] for order in shop.orders()] == ["paid"] * PURCHASES
