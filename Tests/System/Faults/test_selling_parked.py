"""Tests that parked messages are carried out once the missing data arrives, and that `doctor` reports parked ones."""

import hashlib
import hmac
import json

import catalogs
import pytest
import secrecy
from stripe_shop import DAY, StripeAPI, StripeShop
from test_selling import ADDRESS, apply, keys, serving, settled, shop  # noqa: F401
from waiting import eventually


def move(shop: StripeShop, seconds: int) -> None:
    shop.installation.set_clock(shop.installation.offset + seconds)


def job_list(shop: StripeShop) -> list[dict]:
    return shop.installation.do("job", "list", "--json").json["jobs"]


def test_a_renewal_of_an_unknown_order_issues_a_license_only_if_the_operator_requests_it(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        shop.tell(running, shop.invoice("old", 7, shop.now + 30 * DAY))
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "order_unknown" and shop.orders() == []
        shop.installation.do("intake", "retry", parked["id"], "--issue", "--tenant", shop.tenant)
        settled(shop)
        assert len(shop.licenses()) == 1


def test_joining_a_license_to_an_unknown_order_extends_it_by_the_orders_parked_renewals(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    license = shop.installation.issue(shop.tenant, "notes", "monthly", "--holder-email", ADDRESS)
    other = shop.installation.issue(shop.tenant, "notes", "pro", "--holder-email", ADDRESS)
    with serving(shop) as running:
        end = shop.now + 60 * DAY
        shop.tell(running, shop.invoice("old", 7, end), shop.invoice("old", 8, end + 30 * DAY))
        eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 2)
        refused = shop.installation.run("order", "join", "sub_old", other["id"])
        assert refused.code != 0 and "doesn't sell the license's product under its policy" in refused.err
        joined = shop.installation.do("order", "join", "sub_old", license["id"], "--json").json
        assert joined == {"license": license["id"], "source": "stripe", "reference": "sub_old", "messages": 2}
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        (renewed,) = shop.licenses()
        assert renewed["id"] == license["id"] and renewed["order"] == "sub_old"
        (order,) = shop.orders()
        assert renewed["expiresAt"] > order["paidUntil"] > license["expiresAt"] and len(order["payments"]) == 2
        assert keys(shop) == []
        again = shop.installation.run("order", "join", "sub_old", license["id"])
        assert again.code != 0 and "is known already" in again.err


def test_a_renewal_of_an_order_extends_the_license_that_an_operator_issued_for_the_order(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    issued = shop.installation.issue(shop.tenant, "notes", "monthly", "--order", "sub_old")
    with serving(shop) as running:
        shop.tell(running, shop.invoice("old", 7, shop.now + 60 * DAY))
        settled(shop)
        (license,) = shop.licenses()
        assert license["id"] == issued["id"] and license["expiresAt"] > issued["expiresAt"]


def test_sales_of_an_unmapped_item_are_carried_out_when_the_catalog_maps_it(shop):
    with serving(shop) as running:
        shop.tell(running, *(shop.session(str(number), ADDRESS, item="price_new") for number in range(3)))
        parked = eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 3)
        assert {each["reason"] for each in parked} == {"item_unmapped"}
        apply(shop, items=[{"item": "price_other", "product": "notes", "policy": "pro"}])
        eventually(lambda: job_list(shop), lambda jobs: jobs == [])
        assert {each["reason"] for each in shop.messages()} == {"item_unmapped"}
        apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        assert len(shop.licenses()) == 3


def test_messages_of_a_removed_payment_source_are_carried_out_when_the_catalog_has_the_source_again(shop):
    running = shop.installation.start("--mail-folder", str(shop.installation.home / "letters"))
    try:
        shop.tell(running, shop.session("1", ADDRESS, item="price_new"))
        eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
    finally:
        running.kill()
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": []}
    shop.installation.apply(catalog, "--prune")
    shop.installation.do("intake", "retry", shop.messages()[0]["id"], "--tenant", shop.tenant)
    with serving(shop):
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "source_removed"
        apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
        eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"])
        assert len(shop.licenses()) == 1


def test_removing_a_payment_source_ends_its_catch_up_and_its_parked_messages_get_the_reason_source_removed(shop):
    (shop.installation.home / "api.key").write_text("rk_test")
    with StripeAPI() as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, item="price_new"), shop.invoice("old", 7, shop.now + 30 * DAY))
            parked = eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 2)
            assert {each["reason"] for each in parked} == {"item_unmapped", "order_unknown"}
            api.faults = [(503, b"")] * 9
            move(shop, 2 * 3600)
            eventually(lambda: [each["failure"] for each in job_list(shop)], lambda failures: any(failures))
            catalog = catalogs.catalog(shop.tenant)
            catalog["tenants"][0] |= {"intake": []}
            shop.installation.apply(catalog, "--prune")
            eventually(
                lambda: [each["reason"] for each in shop.messages()],
                lambda reasons: reasons == ["source_removed"] * 2)
            eventually(lambda: job_list(shop), lambda jobs: jobs == [])
            apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
            eventually(
                lambda: sorted(each["reason"] or each["state"] for each in shop.messages()),
                lambda reasons: reasons == ["done", "order_unknown"])


def test_the_command_intake_show_names_the_provider_failure_that_delays_a_message_and_doctor_does_after_an_hour(shop):
    (shop.installation.home / "api.key").write_text("rk_test")
    with StripeAPI() as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, line_items=None))
            (waiting,) = eventually(lambda: shop.messages("waiting"), lambda messages: messages[0]["detail"] is not None)
            assert "responded with 404" in waiting["detail"] and "rk_test" not in waiting["detail"]
            shown = shop.installation.do("intake", "show", waiting["id"], "--tenant", shop.tenant).out
            assert f"detail    {waiting['detail']}" in shown
            assert waiting["detail"] in shop.installation.do("intake", "list", "--tenant", shop.tenant, "--wide").out
            assert "can't be acted on for over an hour" not in doctor(shop)
            move(shop, 3700)
            warning = eventually(lambda: doctor(shop), lambda out: "can't be acted on for over an hour" in out)
            assert "1 messages from payment providers" in warning and "responded with 404" in warning
            api.sessions["cs_1"] = [("price_pro", 1)]
            move(shop, DAY)
            eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"])
            assert "can't be acted on for over an hour" not in doctor(shop)


def test_a_sale_whose_payment_provider_failed_for_days_is_carried_out_when_the_provider_responds(shop):
    (shop.installation.home / "api.key").write_text("rk_test")
    with StripeAPI({"cs_1": [("price_pro", 1)]}, answers_about="cs_2") as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, line_items=None))
            jobs = job_list(shop)
            while not shop.messages("parked"):
                move(shop, 2 * DAY)
                jobs = eventually(lambda: job_list(shop), lambda now: now != jobs)
            (parked,) = shop.messages("parked")
            assert parked["reason"] == "provider_failed"
            api.answers_about = None
            move(shop, 3 * DAY)
            eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"])
            assert len(shop.licenses()) == 1


def test_a_sale_without_an_email_address_is_carried_out_when_the_customer_has_one(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        shop.tell(running, shop.invoice("a", 1, shop.now + 30 * DAY, email=None))
        eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 1)
        shop.tell(running, shop.payment("a", 1))
        parked = eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 2)
        assert {each["reason"] for each in parked} == {"facts_missing"}
        (order,) = shop.orders()
        assert order["holderEmail"] is None and order["lines"][0]["licenses"] == []
        customer = {"id": "cus_a", "object": "customer", "email": ADDRESS, "name": "Ada"}
        event = json.loads(shop.event("customer.updated", customer, at=shop.now + 1))
        event["data"]["previous_attributes"] = {"email": None}
        shop.tell(running, json.dumps(event).encode())
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        (license,) = shop.licenses()
        assert license["holderEmail"] == ADDRESS
        eventually(lambda: len(keys(shop)), lambda count: count == 1)


def test_the_operator_can_dismiss_an_unreadable_payment_message(shop):
    with serving(shop) as running:
        shop.tell(running, b"[]")
        (parked,) = shop.messages("parked")
        assert parked["reason"] == "body_unreadable"
        assert "are parked" in doctor(shop)
        dismissed = shop.installation.do("intake", "dismiss", parked["id"], "--tenant", shop.tenant, "--json").json
        assert (dismissed["state"], dismissed["reason"]) == ("ignored", "dismissed")
        assert "are parked" not in doctor(shop)
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        (done,) = shop.messages("done")
        refused = shop.installation.run("intake", "dismiss", done["id"], "--tenant", shop.tenant)
        assert refused.code != 0 and "isn't parked" in refused.err


def test_retrying_a_payment_message_is_refused_once_its_body_has_been_removed(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS, item="price_new"))
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
    move(shop, 61 * DAY)
    with serving(shop):
        retry = lambda: shop.installation.run("intake", "retry", parked["id"], "--tenant", shop.tenant).err
        eventually(retry, lambda error: "body was removed 60 days after it arrived" in error)
        apply(shop, items=[{"item": "price_new", "product": "notes", "policy": "pro"}])
        eventually(lambda: job_list(shop), lambda jobs: jobs == [])
        (stays,) = shop.messages()
        assert (stays["state"], stays["reason"]) == ("parked", "item_unmapped")


def test_a_sale_at_paddle_whose_subscription_is_not_reported_is_parked_after_a_day(shop):
    key = shop.installation.home / "paddle.key"
    key.write_text(secrecy.keep("a made-up key of Paddle"))
    # Only real sales are confirmed with Paddle's API.
    apply(shop, provider="paddle", world="test", apiKeyFile=str(key), items=[
        {"item": "pri_1", "product": "notes", "policy": "monthly"}])

    def told(running, type: str, data: dict) -> None:
        body = json.dumps({
            "event_id": f"evt_{type}", "event_type": type, "occurred_at": "2026-01-01T00:00:00Z", "data": data}).encode()
        code = hmac.new(shop.secret.encode(), f"{shop.now}:".encode() + body, hashlib.sha256).hexdigest()
        sent = running.client.ask("POST", shop.path, body, {"Paddle-Signature": f"ts={shop.now};h1={code}"})
        assert sent.status == 200

    period = {"starts_at": "2026-01-01T00:00:00Z", "ends_at": "2026-02-01T00:00:00Z"}
    price = {"price": {"id": "pri_1", "product_id": "pro_1", "billing_cycle": {"frequency": 1}}, "quantity": 1}
    with serving(shop) as running:
        told(running, "customer.created", {"id": "ctm_1", "email": ADDRESS, "name": "Ada"})
        settled(shop)
        told(running, "transaction.completed", {
            "id": "txn_1", "origin": "web", "customer_id": "ctm_1", "subscription_id": None, "billing_period": None,
            "currency_code": "EUR", "items": [price], "details": {"totals": {"grand_total": "900"}}})
        eventually(lambda: [each["order"] for each in shop.messages()], lambda orders: "txn_1" in orders)
        move(shop, DAY + 60)
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "facts_missing" and "subscription.created" in parked["detail"]
        told(running, "subscription.created", {
            "id": "sub_1", "status": "active", "transaction_id": "txn_1", "customer_id": "ctm_1",
            "current_billing_period": period, "items": [price]})
        eventually(lambda: {each["state"] for each in shop.messages()}, lambda states: states == {"done"})
        assert len(shop.licenses()) == 1


@pytest.mark.parametrize("named", [False, True])
def test_doctor_reports_after_thirty_days_if_no_invoice_payment_message_has_arrived(shop, named):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        shop.tell(running, shop.invoice("a", 1, shop.now + 30 * DAY))
        if named:
            shop.tell(running, shop.invoice("b", 1, shop.now + 30 * DAY), shop.payment("b", 1))
        settled(shop)
        assert "invoice_payment.paid" not in doctor(shop)
        move(shop, 31 * DAY)
        assert ("invoice_payment.paid" in doctor(shop)) == (not named)


def test_removing_the_sender_of_a_tenant_with_payment_sources_warns_that_buyers_get_no_letters(shop):
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0]["mail"] = {}
    assert "its buyers get no letters" in shop.installation.apply(catalog).out


def doctor(shop: StripeShop) -> str:
    return shop.installation.run("doctor").out


def test_joining_a_license_to_an_order_over_the_api_requires_the_scope_orders_write(shop):
    source = StripeShop(shop.installation, shop.tenant, "second")
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": [shop.member(), source.member()]}
    shop.installation.apply(catalog)
    license = shop.installation.issue(shop.tenant, "notes", "pro")["id"]
    words = ["token", "create", "--tenant", shop.tenant, "--json", "--scope"]
    reading, writing = (
        {"Authorization": "Bearer " + secrecy.keep(shop.installation.do(*words, scope).json["token"])}
        for scope in ("orders:read", "orders:write"))
    path, body = f"/v1/{shop.tenant}/orders/join", {"reference": "sub_1", "license": license}
    with serving(shop) as running:
        refused = running.client.post(path, body, reading)
        assert (refused.status, refused.json["code"]) == (403, "scope_missing")
        unclear = running.client.post(path, body, writing)
        assert unclear.status == 422 and "stripe" in unclear.body.decode() and "second" in unclear.body.decode()
        joined = running.client.post(path, body | {"source": "second"}, writing)
        assert joined.status == 200
        assert joined.json == {"license": license, "source": "second", "reference": "sub_1", "messages": 0}
        again = running.client.post(path, body | {"source": "second", "reference": "sub_2"}, writing)
        assert (again.status, again.json["code"]) == (409, "license_of_order")
        unknown = running.client.post(path, body | {"source": "second", "license": "lic_0000000000000"}, writing)
        assert unknown.status == 404


def test_a_sale_without_an_email_address_stays_parked_until_a_license_is_joined_to_its_order(shop):
    apply(shop)
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS, customer_details=None))
        for _ in range(2):
            (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
            assert (parked["reason"], parked["detail"]) == ("facts_missing", "the buyer's address")
            shop.installation.do("intake", "retry", parked["id"], "--tenant", shop.tenant)
            settled(shop)
        issued = shop.installation.issue(shop.tenant, "notes", "pro", "--holder-email", ADDRESS)
        shop.installation.do("order", "join", "pi_1", issued["id"], "--tenant", shop.tenant)
        eventually(lambda: [each["id"] for each in shop.licenses()], lambda found: found == [issued["id"]])
        eventually(lambda: shop.messages("parked"), lambda messages: messages == [])
