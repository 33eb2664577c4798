"""Tests two servers on one database that read Stripe's list of events: each event becomes one message."""

import threading

import catalogs
import pytest
import secrecy
from database import SharedInstallation
from payment_shop import JOB_TIMEOUT
from stripe_shop import StripeAPI, StripeShop
from waiting import eventually

HOUR = 3_600
COUNT = 20


@pytest.fixture
def api():
    with StripeAPI() as api:
        api.most, api.delay = 1, 0.1
        yield api


@pytest.fixture
def shop(home, database, api):
    """A shop with a missed sale for each page of the list, and no server yet."""
    store = database.new_database()
    installations = [SharedInstallation(home, database, store, f"server{number}").moves_time() for number in (0, 1)]
    installations[0].do("init")
    shop = StripeShop(installations[0], catalogs.fresh("shop"))
    (home / "api.key").write_text(secrecy.keep("rk_test_of_the_shop"))
    catalog = catalogs.catalog(shop.tenant, catalogs.product())
    catalog["tenants"][0] |= {
        "mail": {"from": "keys@acme.example"}, "intake": [shop.member(apiKeyFile="api.key", apiURL=api.url)]}
    installations[0].apply(catalog)
    api.events = [shop.session(str(number), f"buyer-{number}@shop.example") for number in range(COUNT)]
    installations[0].set_clock(HOUR + 60)
    shop.servers = []

    def start():
        for installation in installations:
            shop.servers.append(installation.start(
                "--mail-folder", str(home / "letters"), "--egress-allow", api.host))
        return shop.servers

    shop.start = start
    try:
        yield shop
    finally:
        for server in shop.servers:
            server.discard()


def complete(shop: StripeShop) -> None:
    """Waits until each sale is a message that was carried out."""
    eventually(lambda: [each["state"] for each in shop.messages()], lambda states: states == ["done"] * COUNT, seconds=60)
    assert len(shop.licenses()) == COUNT
    rows = shop.installation.sql("SELECT count(*), count(DISTINCT id) FROM licenses")
    assert rows == [f"{COUNT}|{COUNT}"]


def test_two_servers_together_read_each_page_of_stripes_list_of_events_once(shop, api):
    shop.start()
    complete(shop)
    after = [page.get("starting_after", [None])[0] for page in api.pages]
    assert len(after) == COUNT and len(set(after)) == COUNT


def test_payment_messages_that_arrive_while_stripes_list_of_events_is_read_are_stored_once(shop, api):
    servers = shop.start()
    senders = [
        threading.Thread(target=shop.tell, args=(server, *api.events[number::2])) for number, server in enumerate(servers)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    # A message that arrives at the same time interrupts the reading, which continues later.
    shop.installation.set_clock(HOUR + 120)
    complete(shop)


@pytest.mark.parametrize("killed", [0, 1])
def test_another_server_continues_reading_stripes_list_of_events_where_a_killed_server_stopped(shop, api, killed):
    servers = shop.start()
    eventually(lambda: len(api.pages), lambda count: count >= 5)
    servers[killed].kill()
    # The killed server may have been reading a page or acting on a message.
    shop.installation.set_clock(HOUR + 60 + JOB_TIMEOUT + 1)
    complete(shop)
    # At most one page was read twice.
    assert len(api.pages) <= COUNT + 1
