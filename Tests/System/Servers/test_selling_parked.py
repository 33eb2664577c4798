"""Tests parked messages, joined licenses and renewals on two servers with one database."""

import threading

import catalogs
import pytest
from payment_shop import JOB_TIMEOUT
from stripe_shop import DAY, StripeShop
from waiting import eventually

SALES = 40


@pytest.fixture
def shop(pair) -> StripeShop:
    shop = StripeShop(pair.installation, pair.tenant)
    apply(shop, items=[])
    return shop


def apply(shop: StripeShop, **members) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[catalogs.policy("month", duration="P1M")]))
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(**members)]}
    shop.installation.apply(catalog)


def messages(shop: StripeShop, **having: str) -> list[dict]:
    words = ["intake", "list", "--tenant", shop.tenant, "--limit", "1000", "--json"]
    found = shop.installation.do(*words).json["messages"]
    return [each for each in found if all(each[name] == value for name, value in having.items())]


def item(name: str = "price_pro") -> dict:
    return {"item": name, "product": "notes", "policy": "month"}


def test_each_sale_that_was_parked_without_a_mapped_item_is_carried_out_once_although_a_server_is_killed(unborn_pair):
    pair = unborn_pair
    for installation in pair.installations:
        installation.moves_time()
    first, _ = pair.start().servers
    shop = StripeShop(pair.installation, pair.tenant)
    apply(shop, items=[])
    shop.tell(first, *(shop.session(str(number), f"buyer-{number}@shop.example") for number in range(SALES)))
    eventually(lambda: messages(shop, reason="item_unmapped"), lambda parked: len(parked) == SALES, 60)
    apply(shop, items=[item()])
    eventually(lambda: messages(shop, state="done"), lambda done: done != [])
    first.kill()
    # Only after this time, the other server takes over the messages of the killed one.
    pair.installation.set_clock(JOB_TIMEOUT + 1)
    eventually(lambda: messages(shop, state="done"), lambda done: len(done) == SALES, 60)
    orders = shop.orders()
    assert len({order["lines"][0]["licenses"][0] for order in orders}) == SALES
    words = ["mail", "list", "--tenant", shop.tenant, "--limit", "1000", "--json"]
    mails = pair.installation.do(*words).json["mails"]
    assert len({mail["to"] for mail in mails}) == len(mails) == SALES
    assert pair.installation.run("doctor", "--deep").code == 0


def test_joining_a_license_to_an_order_carries_out_both_parked_renewals_of_that_order(pair, shop):
    apply(shop, items=[item()])
    license = pair.installation.issue(shop.tenant, "notes", "month", "--holder-email", "ada@shop.example")["id"]
    end = shop.now + 60 * DAY
    for server, body in zip(pair.servers, [shop.invoice("old", 7, end), shop.invoice("old", 8, end + 30 * DAY)]):
        shop.tell(server, body)
    eventually(lambda: messages(shop, reason="order_unknown"), lambda parked: len(parked) == 2)
    joined = pair.installation.do("order", "join", "sub_old", license, "--json").json
    assert joined["messages"] == 2
    eventually(lambda: messages(shop, state="done"), lambda done: len(done) == 2)
    (order,) = shop.orders()
    assert order["lines"][0]["licenses"] == [license] and len(order["payments"]) == 2


def test_renewals_sent_to_two_servers_at_once_each_extend_the_license_once_and_their_refunds_undo_this(pair, shop):
    apply(shop, items=[item()])
    license = pair.installation.issue(shop.tenant, "notes", "month", "--holder-email", "ada@shop.example")["id"]
    end = pair.installation.show(license)["expiresAt"]
    bodies = [
        shop.session(str(number), "eve@shop.example", client_reference_id=license) for number in range(6)]

    def send(server, bodies: list[bytes]) -> None:
        client = server.new_client()
        for body in bodies:
            assert client.ask("POST", shop.path, body, shop.signed(body)).status == 200
        client.close()

    def send_to_both(bodies: list[bytes]) -> None:
        threads = [threading.Thread(target=send, args=(server, bodies)) for server in pair.servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        eventually(lambda: messages(shop, state="waiting"), lambda waiting: waiting == [], 60)

    send_to_both(bodies)
    orders = shop.orders()
    assert [order["renewedLicense"] for order in orders] == [license] * 6
    # No purchase is lost, and none counts twice.
    year, month = (int(part) for part in end.split("-")[:2])
    later = year * 12 + month - 1 + 6
    assert pair.installation.show(license)["expiresAt"].startswith(f"{later // 12}-{later % 12 + 1:02d}")
    send_to_both([shop.refund(str(number)) for number in range(6)])
    assert pair.installation.show(license)["expiresAt"] == end
    assert pair.installation.show(license)["state"] == "issued"
