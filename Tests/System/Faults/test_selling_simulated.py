"""Tests `tenure intake simulate`, which sends messages of a payment provider to a source of test payments."""

import datetime
import email
import email.policy
import re

import catalogs
import pytest
import secrecy
from client import App
from waiting import eventually

ADDRESS = "ada@shop.example"
KEY = re.compile(r"[A-Z0-9]+(?:-[0-9A-Z]{4}){4}")


class SimulatedShop:
    """An installation with a test source of one provider; its items are `once` (policy pro) and `month` (monthly)."""

    def __init__(self, installation, provider: str, world: str = "test"):
        self.installation, self.tenant = installation, catalogs.fresh("shop")
        self.letters = installation.home / "letters"
        source = {
            "id": "shop", "provider": provider, "world": world, "secret": secrecy.keep(f"made-up-{self.tenant}-0123456789"),
            "items": [{"item": "once", "product": "notes", "policy": "pro"},
                      {"item": "month", "product": "notes", "policy": "monthly"}]}
        if provider == "paddle":
            key = installation.home / "paddle.key"
            key.write_text(secrecy.keep(f"made-up-key-{self.tenant}") + "\n")
            source["apiKeyFile"] = str(key)
        catalog = catalogs.catalog(self.tenant, catalogs.product(policies=[
            catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
        catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [source]}
        installation.apply(catalog)

    def simulate(self, running, occasion: str, *options: str, run=None):
        run = run or self.installation.do
        return run(
            "intake", "simulate", "shop", occasion, "--tenant", self.tenant, "--url", running.address, "--json", *options)

    def reference(self, running, occasion: str, *options: str) -> str:
        """Simulates an occasion, each message of which must be carried out; returns the order's reference."""
        result = self.simulate(running, occasion, *options).json
        assert {message["state"] for message in result["messages"]} == {"done"}, result
        return result["reference"]

    def order(self, reference: str) -> dict:
        (order,) = self.installation.do(
            "order", "list", "--tenant", self.tenant, "--reference", reference, "--json").json["orders"]
        return self.installation.do("order", "show", order["id"], "--tenant", self.tenant, "--json").json

    def mailed_key(self) -> str:
        (letter,) = eventually(lambda: list(self.letters.glob("*.eml")), lambda letters: len(letters) == 1)
        text = email.message_from_bytes(letter.read_bytes(), policy=email.policy.SMTP).get_content()
        (key,) = set(KEY.findall(text))
        return key


def serving(shop: SimulatedShop):
    return shop.installation.serving("--mail-folder", str(shop.letters))


@pytest.mark.parametrize("provider", ["stripe", "paddle"])
def test_a_simulated_subscription_can_be_sold_renewed_cancelled_and_refunded(installation, provider):
    shop = SimulatedShop(installation, provider)
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "month", "--email", ADDRESS)
        key = shop.mailed_key()
        app = App(running.client, shop.tenant, "notes")
        device = app.activated(key)
        paid = shop.order(reference)["paidUntil"]
        assert shop.reference(running, "renewal", "--reference", reference) == reference
        assert shop.order(reference)["paidUntil"] > paid
        shop.reference(running, "cancel", "--email", ADDRESS)
        assert shop.order(reference)["state"] == "cancelled"
        shop.reference(running, "refund", "--reference", reference)
        assert shop.order(reference)["state"] == "refunded"
        explained = installation.do("license", "explain", key).out
        assert "suspended" in explained and "refund" in explained
        (refusal,) = app.validate(key, device)["reasons"]
        assert refusal["evidence"] == {"cause": "refund"} and "because the payment was refunded" in refusal["message"]


@pytest.mark.parametrize("provider", ["stripe", "paddle"])
def test_a_simulated_dispute_suspends_the_license_until_the_dispute_is_won(installation, provider):
    shop = SimulatedShop(installation, provider)
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS, "--twice")
        shop.reference(running, "dispute", "--reference", reference)
        order = shop.order(reference)
        assert (order["kind"], order["state"], order["test"]) == ("once", "disputed", True)
        assert len(order["payments"]) == 1
        (license,) = order["lines"][0]["licenses"]
        assert installation.show(license)["state"] == "suspended"
        shop.reference(running, "won", "--reference", reference)
        assert shop.order(reference)["state"] == "paid" and installation.show(license)["state"] == "issued"


def test_a_lost_simulated_dispute_marks_the_order_as_refunded(installation):
    shop = SimulatedShop(installation, "stripe")
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        shop.reference(running, "dispute", "--reference", reference)
        shop.reference(running, "lost", "--reference", reference)
        order = shop.order(reference)
        assert order["state"] == "refunded"
        explained = installation.do("license", "explain", order["lines"][0]["licenses"][0]).out
        assert "because the payment was refunded" in explained and "disput" not in explained


def test_the_explanation_of_a_disputed_license_says_what_ends_its_suspension(installation):
    shop = SimulatedShop(installation, "stripe")
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        shop.reference(running, "dispute", "--reference", reference)
        explained = installation.do("license", "explain", shop.order(reference)["lines"][0]["licenses"][0]).out
        assert "stays suspended until the dispute is won or it's reinstated" in explained
        assert "then it isn't suspended if the dispute is lost" in explained


@pytest.mark.parametrize("provider", ["stripe", "paddle"])
def test_a_simulated_partial_refund_is_parked_for_the_operator(installation, provider):
    shop = SimulatedShop(installation, provider)
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        (message,) = shop.simulate(running, "partial-refund", "--reference", reference).json["messages"]
        assert (message["state"], message["reason"]) == ("parked", "partly_refunded")
        order = shop.order(reference)
        assert order["state"] == "partly_refunded" and order["payments"][0]["refunded"] == 500
        shown = installation.do("order", "show", order["id"], "--tenant", shop.tenant).out
        assert ": 10.00 EUR, 5.00 EUR refunded, " in shown


def test_simulating_a_lost_dispute_at_paddle_is_refused(installation):
    shop = SimulatedShop(installation, "paddle")
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        refused = shop.simulate(running, "lost", "--reference", reference, run=installation.run)
        assert refused.code == 1 and "no message about a lost dispute" in refused.err


def test_a_test_license_is_marked_in_lists_and_explanations_and_counted_separately_by_status(installation):
    shop = SimulatedShop(installation, "stripe")
    # A month may be longer than the 30 days that the status looks ahead.
    end = (datetime.date.today() + datetime.timedelta(days=20)).isoformat()
    sold = installation.issue(shop.tenant, "notes", "monthly", "--holder", "Ada & Co", "--expires-at", end)
    with serving(shop) as running:
        shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        key = shop.mailed_key()
        App(running.client, shop.tenant, "notes").activated(key)
        token = secrecy.keep(installation.do(
            "token", "create", "--tenant", shop.tenant, "--name", "reader", "--scope", "licenses:read", "--json").json["token"])
        listed = running.client.get(
            f"/v1/{shop.tenant}/licenses", {"Authorization": f"Bearer {token}"})["licenses"]
        assert {license["holder"]: license.get("test") for license in listed} == {None: True, "Ada & Co": None}
    test = installation.show(key)
    assert test["test"] is True and "test" not in installation.show(sold["licenseKey"])
    assert "paid with test money" in installation.do("license", "show", key).out
    explained = installation.do("license", "explain", key).out
    assert "ends seven days after it was issued" in explained and "license renew" not in explained
    assert "test money" not in installation.do("license", "explain", sold["licenseKey"]).out
    lines = installation.do("license", "list", "--tenant", shop.tenant).out.splitlines()
    (bought,) = [line for line in lines if "(test)" in line]
    assert "active (test)" in bought and "Ada & Co" not in bought
    status = installation.do("status", "--json").json
    assert (status["licenses"], status["testLicenses"], status["liveActivations"]) == ({"issued": 1}, 1, 0)
    assert [license["id"] for license in status["endingLicenses"]] == [sold["id"]]
    assert "1 test license, not counted above" in installation.do("status").out


def test_simulating_a_renewal_of_a_single_purchase_is_refused(installation):
    shop = SimulatedShop(installation, "stripe")
    with serving(shop) as running:
        reference = shop.reference(running, "sale", "--item", "once", "--email", ADDRESS)
        refused = shop.simulate(running, "renewal", "--reference", reference, run=installation.run)
        assert refused.code == 1 and "single purchase" in refused.err


def test_simulating_a_sale_at_a_source_of_real_payments_is_refused(installation):
    shop = SimulatedShop(installation, "stripe", world="live")
    with serving(shop) as running:
        refused = shop.simulate(running, "sale", "--item", "once", "--email", ADDRESS, run=installation.run)
        assert refused.code == 1 and '\\"world\\": \\"test\\"' in refused.err
        assert installation.do("intake", "list", "--tenant", shop.tenant, "--json").json["messages"] == []


def test_simulating_a_sale_without_a_running_server_fails_and_says_how_to_start_one(installation):
    shop = SimulatedShop(installation, "stripe")
    refused = installation.run(
        "intake", "simulate", "shop", "sale", "--tenant", shop.tenant, "--url", "http://127.0.0.1:9", "--item", "once",
        "--email", ADDRESS)
    assert refused.code == 1 and refused.err.count("127.0.0.1:9") == 1 and "reached. Start it with `tenure serve`" in refused.err
