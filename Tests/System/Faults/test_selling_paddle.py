"""Tests that sales confirmed by Paddle's API issue licenses, and that messages that never arrived are fetched."""

import catalogs
import pytest
import secrecy
from paddle_shop import DAY, PaddleAPI, PaddleShop
from waiting import eventually

ADDRESS = "grace@shop.example"
HOUR = 3_600


@pytest.fixture
def api():
    with PaddleAPI() as api:
        yield api


@pytest.fixture
def shop(installation, api) -> PaddleShop:
    installation.moves_time()
    shop = PaddleShop(installation, catalogs.fresh("shop"))
    (installation.home / "api.key").write_text(secrecy.keep("pdl_live_apikey_of_the_shop"))
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
    items = [{"item": "pri_pro", "product": "notes", "policy": "pro"},
             {"item": "pri_month", "product": "notes", "policy": "monthly"}]
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [
        shop.member(apiKeyFile="api.key", apiURL=api.url, items=items)]}
    installation.apply(catalog)
    return shop


def serving(shop: PaddleShop, api: PaddleAPI):
    return shop.installation.serving(
        "--mail-folder", str(shop.installation.home / "letters"), "--egress-allow", api.host)


def later(shop: PaddleShop, seconds: int) -> None:
    shop.installation.set_clock(shop.installation.offset + seconds)


def settled(shop: PaddleShop, count: int) -> list[dict]:
    """Waits until this many messages are stored and carried out."""
    return eventually(
        shop.messages, lambda messages: len(messages) == count and "waiting" not in {each["state"] for each in messages})


def test_a_sale_that_paddles_api_shows_as_paid_issues_a_license(shop, api):
    api.add(shop.customer("1", ADDRESS))
    sale = shop.purchase("1")
    api.add(sale)
    with serving(shop, api) as running:
        shop.tell(running, sale)
        settled(shop, 1)
        (order,) = shop.orders()
        assert (order["state"], order["reference"], order["holderEmail"]) == ("paid", "txn_1", ADDRESS)
        assert len(shop.licenses()) == 1


@pytest.mark.parametrize("status, is_retried", [(None, True), ("billed", True), ("billed", False)])
def test_a_sale_is_parked_until_paddles_api_shows_it_as_paid(shop, api, status, is_retried):
    api.add(shop.customer("1", ADDRESS))
    sale = shop.purchase("1")
    if status:
        api.add(sale)
        api.objects["txn_1"]["status"] = status
    with serving(shop, api) as running:
        shop.tell(running, sale)
        (parked,) = settled(shop, 1)
        assert (parked["state"], parked["reason"], parked["detail"]) == ("parked", "payment_unknown", "txn_1")
        assert shop.orders() == []
        api.add(sale)
        if is_retried:
            shop.installation.do("intake", "retry", parked["id"], "--tenant", shop.tenant)
        else:
            later(shop, HOUR + 60)
        eventually(lambda: len(shop.licenses()), lambda count: count == 1)


def test_a_server_that_was_down_for_a_week_fetches_every_missed_message_from_paddle(shop, api):
    now = shop.now
    end = now + 5 * DAY
    first, subscription = shop.subscribed("a", end, "pri_month", at=now + HOUR)
    events = [
        shop.customer("a", ADDRESS, at=now + HOUR), first, subscription, shop.customer("2", ADDRESS, at=now + DAY),
        shop.purchase("2", at=now + DAY), shop.adjustment("txn_2", at=now + 2 * DAY),
        shop.renewed("a", 2, end + 30 * DAY, "pri_month", at=end + HOUR)]
    api.most = 3
    api.add(*events)
    later(shop, 7 * DAY)
    with serving(shop, api):
        settled(shop, 7)
        assert {order["reference"]: order["state"] for order in shop.orders()} == {"sub_a": "paid", "txn_2": "refunded"}
        (license,) = [each for each in shop.licenses() if each["policy"] == "monthly"]
        assert license["state"] == "issued" and license["holderEmail"] == ADDRESS
        assert shop.messages("parked") == []
    assert api.pages == 3 and len(api.credentials) == 1


def test_a_failed_request_for_paddles_list_of_events_is_repeated(shop, api):
    api.add(shop.customer("1", ADDRESS), shop.purchase("1"))
    api.faults = [(429, {}), (200, {"data": {}})]
    with serving(shop, api):
        later(shop, HOUR + 60)
        eventually(lambda: api.pages, lambda pages: pages == 1)
        later(shop, 60)
        eventually(lambda: api.pages, lambda pages: pages == 2)
        later(shop, 120)
        settled(shop, 2)
        assert len(shop.licenses()) == 1


def test_an_order_gets_the_state_of_paddles_subscription_if_messages_of_one_second_contradict_each_other(shop, api):
    end = shop.now + 30 * DAY
    first, subscription = shop.subscribed("a", end, "pri_month")
    api.add(shop.customer("a", ADDRESS), first, subscription)
    with serving(shop, api) as running:
        shop.tell(running, first, subscription)
        settled(shop, 2)
        now = shop.now + 10
        cancelled, withdrawn = (
            shop.updated("a", end, "pri_month", at=now, scheduled_change=change)
            for change in ({"action": "cancel", "effective_at": "2027-01-01T00:00:00Z"}, None))
        api.add(withdrawn)
        shop.tell(running, cancelled)
        settled(shop, 3)
        assert shop.orders()[0]["state"] == "cancelled"
        shop.tell(running, withdrawn)
        settled(shop, 4)
        assert shop.orders()[0]["state"] == "paid" and shop.messages("parked") == []


def test_an_old_event_at_the_top_of_paddles_list_does_not_end_the_reading_of_the_list(shop, api):
    api.add(shop.customer("1", ADDRESS), shop.purchase("1"), shop.customer("2", ADDRESS), shop.purchase("2"))
    api.add(shop.adjustment("txn_other", at=shop.now - 9 * DAY))
    api.most = 2
    with serving(shop, api):
        later(shop, HOUR + 60)
        eventually(lambda: sorted(order["reference"] for order in shop.orders()), lambda found: found == ["txn_1", "txn_2"])


def old_renewal(shop, api, number: int = 7) -> bytes:
    """A paid period of a subscription that began before the source was added."""
    renewal = shop.renewed("old", number, shop.now + 30 * DAY * (number - 6), "pri_month", at=shop.now + number)
    api.add(shop.customer("old", ADDRESS), renewal)
    return renewal


def test_a_license_issued_for_a_renewal_of_an_unknown_subscription_gets_the_email_address_from_paddles_api(shop, api):
    with serving(shop, api) as running:
        shop.tell(running, old_renewal(shop, api))
        (parked,) = settled(shop, 1)
        assert parked["reason"] == "order_unknown"
        shop.installation.do("intake", "retry", parked["id"], "--issue", "--tenant", shop.tenant)
        settled(shop, 1)
        (license,) = shop.licenses()
        assert license["holderEmail"] == ADDRESS and shop.messages("parked") == []


@pytest.mark.parametrize("is_joined_before", [False, True])
def test_renewals_of_a_paddle_subscription_extend_the_license_that_is_joined_to_it(shop, api, is_joined_before):
    issued = shop.installation.issue(shop.tenant, "notes", "monthly")

    def join() -> None:
        shop.installation.do("order", "join", "sub_old", issued["id"], "--tenant", shop.tenant)

    with serving(shop, api) as running:
        if is_joined_before:
            join()
        shop.tell(running, old_renewal(shop, api))
        settled(shop, 1)
        if not is_joined_before:
            join()
        first = eventually(lambda: shop.licenses(), lambda licenses: len(licenses) == 1)[0]
        assert first["id"] == issued["id"] and first["expiresAt"] > issued["expiresAt"]
        shop.tell(running, old_renewal(shop, api, 8))
        settled(shop, 2)
        assert shop.licenses()[0]["expiresAt"] > first["expiresAt"] and shop.messages("parked") == []
