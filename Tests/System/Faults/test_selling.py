"""Tests that payments at Stripe issue licenses, which refunds and disputes suspend."""

import email
import email.policy
import re

import catalogs
import pytest
import secrecy
from stripe_shop import DAY, StripeAPI, StripeShop
from waiting import eventually

ADDRESS = "ada@shop.example"
KEY = re.compile(r"[A-Z0-9]+(?:-[0-9A-Z]{4}){4}")


@pytest.fixture
def shop(installation) -> StripeShop:
    installation.moves_time()
    shop = StripeShop(installation, catalogs.fresh("shop"))
    apply(shop)
    return shop


def apply(shop: StripeShop, **members) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(**members)]}
    shop.installation.apply(catalog)


def serving(shop: StripeShop, *options: str):
    return shop.installation.serving("--mail-folder", str(shop.installation.home / "letters"), *options)


def settled(shop: StripeShop) -> None:
    """Waits until no message is in the state `waiting`."""
    eventually(lambda: [each["state"] for each in shop.messages()], lambda states: "waiting" not in states)


def keys(shop: StripeShop) -> list[str]:
    """The license keys in the letters so far."""
    folder = shop.installation.home / "letters"
    letters = [email.message_from_bytes(file.read_bytes(), policy=email.policy.SMTP) for file in sorted(folder.iterdir())]
    words = [word for letter in letters for word in letter.get_content().split()]
    return [word for word in words if KEY.fullmatch(word)]


def mails(shop: StripeShop) -> list[str]:
    """The states of the letters."""
    listed = shop.installation.do("mail", "list", "--tenant", shop.tenant, "--json").json["mails"]
    return [each["state"] for each in listed]


def test_a_sale_issues_a_license_and_mails_its_key(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        eventually(lambda: keys(shop), lambda found: len(found) == 1)
        (order,) = shop.orders()
        assert (order["state"], order["holderEmail"], order["reference"]) == ("paid", ADDRESS, "pi_1")
        (license,) = shop.licenses()
        assert (license["policy"], license["order"], license["holderEmail"]) == ("pro", "pi_1", ADDRESS)
        (key,) = keys(shop)
        assert shop.installation.show(key)["id"] == license["id"]


def test_a_repeated_message_about_a_sale_issues_no_second_license(shop):
    with serving(shop) as running:
        body = shop.session("1", ADDRESS)
        shop.tell(running, body, body)
        settled(shop)
        shop.tell(running, body, shop.session("1", ADDRESS))
        settled(shop)
        assert len(shop.licenses()) == 1
        eventually(lambda: keys(shop), lambda found: len(found) == 1)


def test_a_refund_suspends_the_license(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        shop.tell(running, shop.refund("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
        assert shop.orders()[0]["state"] == "refunded"


def test_a_sale_whose_refund_arrives_first_issues_no_license(shop):
    with serving(shop) as running:
        shop.tell(running, shop.refund("1", at=shop.now + 1))
        eventually(lambda: shop.messages()[0]["order"], lambda order: order is not None)
        shop.tell(running, shop.session("1", ADDRESS))
        eventually(lambda: shop.orders(), lambda orders: len(orders) == 1)
        settled(shop)
        assert shop.licenses() == [] and shop.orders()[0]["state"] == "refunded"


def test_a_partial_refund_is_parked_for_the_operator_and_suspends_no_license(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        shop.tell(running, shop.refund("1", amount=100))
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "partly_refunded" and "suspend" in parked["remedy"]
        assert shop.licenses()[0]["state"] == "issued"
        assert "payments: 1 message" in shop.installation.run("doctor").out
        shop.installation.do("intake", "retry", parked["id"], "--tenant", shop.tenant)
        settled(shop)
        assert shop.messages("parked") == []


def test_a_won_dispute_reinstates_the_license(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        shop.tell(running, shop.dispute("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
        shop.tell(running, shop.dispute("1", "won"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "issued")
        assert shop.orders()[0]["state"] == "paid"


@pytest.mark.parametrize("is_lifted", [True, False])
def test_an_operators_suspension_outlasts_a_won_dispute(shop, is_lifted):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        shop.tell(running, shop.dispute("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
        license = shop.licenses()[0]["id"]
        if is_lifted:
            shop.installation.do("license", "reinstate", license)
        shop.installation.do("license", "suspend", license)
        shop.tell(running, shop.dispute("1", "won"))
        settled(shop)
        assert shop.licenses()[0]["state"] == "suspended"


def test_a_license_key_that_was_not_mailed_before_a_dispute_is_mailed_after_the_dispute_is_won(shop):
    with shop.installation.serving() as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        assert mails(shop) == ["waiting"]
        shop.tell(running, shop.dispute("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
    with serving(shop) as running:
        eventually(lambda: mails(shop), lambda states: states == ["superseded"])
        shop.tell(running, shop.dispute("1", "won"))
        eventually(lambda: mails(shop), lambda states: states == ["sent"])
        (license,) = shop.licenses()
        (key,) = keys(shop)
        assert license["state"] == "issued" and shop.installation.show(key)["id"] == license["id"]
        shop.tell(running, shop.refund("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
        shop.tell(running, shop.event("refund.failed", {
            "id": "re_1", "object": "refund", "amount": 4900, "currency": "eur", "payment_intent": "pi_1",
            "status": "failed"}))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "issued")
        settled(shop)
        assert mails(shop) == ["sent"] and len(keys(shop)) == 1


def test_without_a_sender_in_the_catalog_the_letter_of_a_sale_is_held_until_the_operator_sends_it(shop):
    without = catalogs.catalog(shop.tenant)
    without["tenants"][0]["mail"] = {}
    shop.installation.apply(without)
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        assert len(shop.licenses()) == 1 and mails(shop) == ["held"]
        warned = shop.installation.run("doctor").out
        assert "1 with keys of sales are held" in warned and "mail retry --tenant TENANT --state held" in warned
        apply(shop)
        assert mails(shop) == ["held"]
        shop.installation.do("mail", "retry", "--tenant", shop.tenant, "--state", "held")
        (key,) = eventually(lambda: keys(shop), lambda found: len(found) == 1)
        assert shop.installation.show(key)["id"] == shop.licenses()[0]["id"]
        eventually(lambda: mails(shop), lambda states: states == ["sent"])
        (letter,) = (shop.installation.home / "letters").iterdir()
        assert re.search(rb"Message-ID: <mail_[0-9a-z]+@acme.example>", letter.read_bytes())


def test_a_paid_invoice_extends_a_license_and_an_ended_subscription_shortens_it_to_the_paid_period(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        end = shop.now + 30 * DAY
        shop.tell(running, shop.invoice("a", 1, end))
        settled(shop)
        (order,) = shop.orders()
        assert (order["kind"], order["state"], order["reference"]) == ("subscription", "paid", "sub_a")
        (first,) = shop.licenses()
        shop.tell(running, shop.invoice("a", 2, end + 30 * DAY))
        settled(shop)
        (second,) = shop.licenses()
        assert second["id"] == first["id"] and second["expiresAt"] > first["expiresAt"]
        shop.tell(running, shop.ended("a"))
        settled(shop)
        assert shop.orders()[0]["state"] == "ended"
        assert shop.licenses()[0]["expiresAt"] == shop.orders()[0]["paidUntil"]


def test_a_subscription_invoice_whose_refund_arrives_first_issues_no_license(shop):
    apply(shop, items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])
    with serving(shop) as running:
        shop.tell(running, shop.refund("a_1", 900, 900, at=shop.now + 5))
        shop.tell(running, shop.payment("a", 1))
        eventually(lambda: [each["order"] for each in shop.messages()], lambda orders: None not in orders)
        shop.tell(running, shop.invoice("a", 1, shop.now + 30 * DAY))
        eventually(lambda: shop.orders(), lambda orders: orders and orders[0]["state"] == "refunded")
        settled(shop)
        assert shop.licenses() == []


def test_a_payment_message_without_a_valid_signature_is_not_stored(shop):
    with serving(shop) as running:
        body = shop.session("1", ADDRESS)
        refused = [
            running.client.ask("POST", shop.path, body, {}),
            shop.post(running, body, secret="whsec_another"),
            shop.post(running, body, at=shop.now - 301),
            running.client.ask("POST", shop.path, body + b" ", shop.signed(body)),
            running.client.ask("POST", f"/v1/{shop.tenant}/intake/other", body, shop.signed(body)),
            running.client.ask("POST", "/v1/nobody/intake/stripe", body, shop.signed(body)),
        ]
        assert {response.status for response in refused} == {401}
        assert len({response.body for response in refused}) == 1
        assert len({tuple(name for name in response.headers) for response in refused}) == 1
        assert shop.messages() == []


def test_payment_messages_with_a_wrong_signature_cause_one_log_line_a_minute_that_names_the_payment_source(shop):
    with serving(shop) as running:
        body = shop.session("1", ADDRESS)
        assert running.client.ask("POST", shop.path, body, {"Stripe-Signature": "anything"}).status == 401
        assert running.client.ask("POST", f"/v1/{shop.tenant}/intake/other", body, shop.signed(body)).status == 401
        for _ in range(3):
            assert shop.post(running, body, secret="whsec_another").status == 401
        named = f'"event":"message_unsigned","tenant":"{shop.tenant}","source":"stripe","unlogged"'
        assert running.says(f"{named}:0") and running.said.count("message_unsigned") == 1
        shop.installation.set_clock(shop.installation.offset + 61)
        assert eventually(
            lambda: (shop.post(running, body, secret="whsec_another"), running.said)[1],
            lambda said: said.count(named) == 2)
        shop.tell(running, body)


def test_a_message_about_a_test_payment_is_ignored_by_a_source_of_real_payments(shop):
    with serving(shop) as running:
        shop.live = False
        shop.tell(running, shop.session("1", ADDRESS))
        (ignored,) = eventually(lambda: shop.messages("ignored"), lambda messages: messages != [])
        assert ignored["reason"] == "wrong_world" and shop.orders() == []


def test_acknowledged_sales_survive_a_kill_and_are_carried_out_once(shop):
    running = shop.installation.start("--mail-folder", str(shop.installation.home / "letters"))
    try:
        shop.tell(running, *(shop.session(str(number), f"buyer-{number}@shop.example") for number in range(20)))
    finally:
        running.kill()
    with serving(shop):
        eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"] * 20)
        assert len(shop.licenses()) == 20
        eventually(lambda: len(keys(shop)), lambda count: count == 20)
        assert len(set(keys(shop))) == 20


def test_missing_items_of_a_checkout_session_are_read_from_stripes_api(shop):
    key = secrecy.keep("rk_test_of_the_shop")
    (shop.installation.home / "api.key").write_text(key)
    with StripeAPI({"cs_1": [("price_pro", 2)]}) as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, line_items=None))
            settled(shop)
            assert len(shop.licenses()) == 2
            assert key not in running.said
    assert api.credentials == {f"Bearer {key}"}


def test_an_api_response_about_another_checkout_session_issues_no_license(shop):
    (shop.installation.home / "api.key").write_text("rk_test")
    with StripeAPI({"cs_1": [("price_pro", 2)]}, answers_about="cs_2") as api:
        apply(shop, apiKeyFile="api.key", apiURL=api.url)
        with serving(shop, "--egress-allow", api.host) as running:
            shop.tell(running, shop.session("1", ADDRESS, line_items=None))
            eventually(
                lambda: shop.installation.do("job", "list", "--kind", "selling.message", "--json").json["jobs"],
                lambda jobs: jobs and "isn't the list" in (jobs[0]["failure"] or ""))
            assert shop.orders() == []


def test_a_checkout_session_without_items_is_parked_if_there_is_no_api_key(shop):
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS, line_items=None))
        (parked,) = eventually(lambda: shop.messages("parked"), lambda messages: messages != [])
        assert parked["reason"] == "facts_missing" and "apiKeyFile" in parked["detail"]


def test_a_sale_uses_the_license_that_was_already_issued_for_its_order(shop):
    license = shop.installation.issue(shop.tenant, "notes", "pro", "--order", "pi_1", "--holder-email", ADDRESS)
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        assert [each["id"] for each in shop.licenses()] == [license["id"]]
        shop.tell(running, shop.refund("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")


def test_a_payment_source_in_test_mode_can_not_take_over_a_license_that_was_paid_for(shop):
    trial = StripeShop(shop.installation, shop.tenant, "trial", live=False)
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(), trial.member()]}
    shop.installation.apply(catalog)
    with serving(shop) as running:
        shop.tell(running, shop.session("1", ADDRESS))
        settled(shop)
        (license,) = shop.licenses()
        trial.tell(running, trial.session("1", ADDRESS, customer="cus_evil"))
        settled(shop)
        assert license["id"] in [id for order in shop.orders() if not order["test"] for id in order["lines"][0]["licenses"]]
        assert license["id"] not in [id for order in shop.orders() if order["test"] for id in order["lines"][0]["licenses"]]
        trial.tell(running, trial.refund("1"))
        settled(shop)
        assert shop.installation.show(license["id"])["state"] == "issued"


def test_of_two_parked_plan_changes_that_are_retried_together_the_later_one_sets_the_policy(shop):
    month, year = ({"item": f"price_{name}", "product": "notes", "policy": name} for name in ("monthly", "pro"))
    apply(shop, items=[month])
    with serving(shop) as running:
        end = shop.now + 30 * DAY
        shop.tell(running, shop.invoice("a", 1, end, item="price_monthly"))
        settled(shop)
        shop.tell(running, shop.plan("a", "price_pro", end, at=shop.now + 10))
        shop.tell(running, shop.plan("a", "price_monthly_2", end, at=shop.now + 20))
        parked = eventually(lambda: shop.messages("parked"), lambda messages: len(messages) == 2)
        assert [each["order"] for each in parked] == [None, None]
    apply(shop, items=[month, year, month | {"item": "price_monthly_2"}])
    for each in parked:
        shop.installation.do("intake", "retry", each["id"], "--tenant", shop.tenant)
    with serving(shop):
        settled(shop)
        # The older message is either carried out first or superseded; neither stays parked.
        assert {each["state"] for each in shop.messages()} <= {"done", "ignored"}
        assert shop.licenses()[0]["policy"] == "monthly"
        assert shop.orders()[0]["lines"][0]["item"] == "price_monthly_2"


@pytest.mark.parametrize("option", ["--as-copied", "--carry-issued"])
def test_a_sale_repeated_after_a_restore_leads_to_one_license_with_the_same_id_and_key(shop, option):
    installation = shop.installation
    backup = installation.home / "before.sqlite"
    body = shop.session("1", ADDRESS)
    with serving(shop) as running:
        installation.do("backup", str(backup))
        shop.tell(running, body)
        eventually(lambda: keys(shop), lambda found: len(found) == 1)
        (sold,) = shop.licenses()
    (key,) = keys(shop)
    installation.do("restore", str(backup), "--replace", option)
    with serving(shop) as running:
        shop.tell(running, body)
        settled(shop)
        assert [each["id"] for each in shop.licenses()] == [sold["id"]]
        assert installation.show(key)["id"] == sold["id"]
        shop.tell(running, shop.refund("1"))
        eventually(lambda: shop.licenses()[0]["state"], lambda state: state == "suspended")
    assert installation.run("doctor", "--deep").code == 0
