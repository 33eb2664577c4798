"""Tests contradicting messages of the same second: Stripe's current subscription or a fixed order of states decides."""

import json

import catalogs
import pytest
import secrecy
from stripe_shop import DAY, StripeAPI, StripeShop
from waiting import eventually


@pytest.fixture
def api():
    with StripeAPI() as api:
        yield api


def shop_with(installation, **members) -> StripeShop:
    installation.moves_time()
    shop = StripeShop(installation, catalogs.fresh("shop"))
    (installation.home / "api.key").write_text(secrecy.keep("rk_test_of_the_shop"))
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[catalogs.policy("monthly", duration="P1M")]))
    items = [{"item": "price_pro", "product": "notes", "policy": "monthly"}]
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(items=items, **members)]}
    installation.apply(catalog)
    return shop


@pytest.fixture
def shop(installation, api) -> StripeShop:
    return shop_with(installation, apiKeyFile="api.key", apiURL=api.url)


def serving(shop: StripeShop, *options: str):
    return shop.installation.serving("--mail-folder", str(shop.installation.home / "letters"), *options)


def settled(shop: StripeShop, count: int) -> list[dict]:
    return eventually(
        shop.messages, lambda messages: len(messages) == count and "waiting" not in {each["state"] for each in messages})


def contradicting(shop: StripeShop, running) -> tuple[bytes, bytes]:
    """A failed payment and its success in the same second, of a subscription that was sold."""
    end = shop.now + 30 * DAY
    shop.tell(running, shop.invoice("a", 1, end))
    settled(shop, 1)
    at = shop.now + 10
    active = shop.plan("a", "price_pro", end, at=at)
    late = json.loads(shop.plan("a", "price_pro", end, at=at))
    late["data"]["object"]["status"] = "past_due"
    return json.dumps(late).encode(), active


@pytest.mark.parametrize("present", ["active", "past_due"])
@pytest.mark.parametrize("first", [0, 1])
def test_an_order_gets_the_state_of_stripes_subscription_if_messages_of_one_second_contradict_each_other(
        shop, api, present, first):
    with serving(shop, "--egress-allow", api.host) as running:
        messages = contradicting(shop, running)
        api.subscriptions["sub_a"] = json.loads(messages[1])["data"]["object"] | {"status": present}
        shop.tell(running, messages[first])
        settled(shop, 2)
        shop.tell(running, messages[1 - first])
        settled(shop, 3)
        assert shop.orders()[0]["state"] == {"active": "paid", "past_due": "past_due"}[present]
        assert shop.messages("parked") == []


def test_an_order_whose_sale_arrives_after_contradicting_messages_gets_the_state_of_stripes_subscription(shop, api):
    end, at = shop.now + 30 * DAY, shop.now + 10
    active, late = shop.plan("a", "price_pro", end, at=at), json.loads(shop.plan("a", "price_pro", end, at=at))
    late["data"]["object"]["status"] = "past_due"
    api.subscriptions["sub_a"] = json.loads(active)["data"]["object"]
    with serving(shop, "--egress-allow", api.host) as running:
        shop.tell(running, json.dumps(late).encode(), active)
        eventually(shop.messages, lambda messages: [each["order"] for each in messages] == ["sub_a"] * 2)
        shop.tell(running, shop.invoice("a", 1, end, at=shop.now))
        settled(shop, 3)
        assert shop.orders()[0]["state"] == "paid" and shop.messages("parked") == []


def test_a_message_that_contradicts_another_of_the_same_second_waits_until_stripe_returns_the_subscription(shop, api):
    with serving(shop, "--egress-allow", api.host) as running:
        late, active = contradicting(shop, running)
        shop.tell(running, late)
        settled(shop, 2)
        shop.tell(running, active)
        (job,) = eventually(
            lambda: shop.installation.do("job", "list", "--kind", "selling.message", "--json").json["jobs"],
            lambda jobs: jobs and jobs[0]["failure"])
        assert "404 to /v1/subscriptions/sub_a" in job["failure"]
        assert shop.orders()[0]["state"] == "past_due"
        api.subscriptions["sub_a"] = json.loads(active)["data"]["object"]
        shop.installation.set_clock(60)
        settled(shop, 3)
        assert shop.orders()[0]["state"] == "paid"


def test_without_an_api_key_a_message_that_contradicts_another_of_the_same_second_is_parked(installation):
    shop = shop_with(installation)
    with serving(shop) as running:
        late, active = contradicting(shop, running)
        shop.tell(running, late)
        settled(shop, 2)
        shop.tell(running, active)
        settled(shop, 3)
        assert shop.orders()[0]["state"] == "past_due"
        (parked,) = shop.messages("parked")
        assert parked["reason"] == "contradiction"
        shop.installation.do("intake", "retry", parked["id"], "--tenant", shop.tenant)
        settled(shop, 3)
        assert shop.messages("parked") == []
