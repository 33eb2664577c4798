"""Tests messages of a payment provider that reach each of two servers in any order."""

import random
import threading

import catalogs
from stripe_shop import DAY, StripeShop
from waiting import eventually

BUYERS = 12


def story(shop: StripeShop, number: int, start: int) -> tuple[list[bytes], str, int]:
    """The messages about a buyer's subscription, the state in which the order ends, and the days that are paid."""
    name, address = f"b{number}", f"buyer-{number}@shop.example"
    bodies = []
    for period in (1, 2, 3):
        at = start + (period - 1) * 30 * DAY
        bodies += [shop.invoice(name, period, at + 30 * DAY, address, at=at), shop.payment(name, period, at=at)]
    state = ["paid", "refunded", "disputed", "ended"][number % 4]
    if state == "refunded":
        bodies.append(shop.refund(f"{name}_3", 900, 900, at=start + 70 * DAY))
    if state == "disputed":
        bodies.append(shop.dispute(f"{name}_3", at=start + 70 * DAY))
    if state == "ended":
        bodies.append(shop.ended(name, at=start + 71 * DAY))
    return bodies, state, 90


def post_all(shop: StripeShop, running, bodies: list[bytes]) -> None:
    client = running.new_client()
    for body in bodies:
        assert client.ask("POST", shop.path, body, shop.signed(body)).status == 200
    client.close()


def test_two_servers_carry_out_each_payment_message_once_in_any_sequence_of_arrival(pair):
    installation = pair.installation
    shop = StripeShop(installation, pair.tenant)
    catalog = catalogs.catalog(pair.tenant, catalogs.product(policies=[catalogs.policy("monthly", duration="P1M")]))
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [
        shop.member(items=[{"item": "price_pro", "product": "notes", "policy": "monthly"}])]}
    installation.apply(catalog)
    start = shop.now - 80 * DAY
    stories = [story(shop, number, start) for number in range(BUYERS)]
    bodies = [body for bodies, _, _ in stories for body in bodies]
    chance = random.Random(7)
    threads = []
    for server in pair.servers:
        # Each server gets every message, in another order.
        shuffled = chance.sample(bodies, len(bodies))
        threads.append(threading.Thread(target=post_all, args=(shop, server, shuffled)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def waiting() -> set[str]:
        page = installation.do("intake", "list", "--tenant", pair.tenant, "--limit", "1000", "--json").json["messages"]
        assert len(page) == len(bodies)
        return {each["state"] for each in page}

    eventually(waiting, lambda states: states == {"done"}, 60)
    orders = {order["reference"]: order for order in shop.orders()}
    assert len(orders) == BUYERS
    mails = installation.do("mail", "list", "--tenant", pair.tenant, "--limit", "1000", "--json").json["mails"]
    for number, (_, state, _) in enumerate(stories):
        order = orders[f"sub_b{number}"]
        assert order["state"] == state and len(order["payments"]) == 3
        licenses = [installation.show(id) for id in order["lines"][0]["licenses"]]
        usable = [license for license in licenses if license["state"] in ("issued", "active")]
        assert len(licenses) <= 1 and len(usable) == (state in ("paid", "ended"))
        assert sum(mail["to"] == f"buyer-{number}@shop.example" for mail in mails) == len(licenses)
    assert installation.run("doctor", "--deep").code == 0
