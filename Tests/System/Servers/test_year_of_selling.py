"""Tests that a year of payments at two providers gives the same orders in any order of arrival and on either engine.

YEAR_OF_SELLING_BUYERS sets the number of buyers: 1,000 take a few minutes.
"""

import contextlib
import json
import os
import random
import sqlite3
import threading
import time

import catalogs
from database import SharedInstallation
from installation import Installation
from paddle_shop import PaddleAPI, PaddleShop
from stripe_shop import DAY, StripeAPI, StripeShop
from waiting import eventually

BUYERS = int(os.environ.get("YEAR_OF_SELLING_BUYERS", "40"))
MONTH = 30 * DAY
# The steps of the clock while a server reads the providers' lists, in seconds.
STEP = 14 * DAY
CLIENTS = 6
TENANT = "year"


class Year:
    """The messages about a year of purchases of the buyers of both shops, with their times."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.stripe, self.paddle = StripeShop(None, TENANT), PaddleShop(None, TENANT)
        self.begins = int(time.time()) - 366 * DAY
        self.messages: list[tuple[int, StripeShop | PaddleShop, bytes]] = []
        for number in range(BUYERS):
            buy = [self._buys_once_at_stripe, self._subscribes_at_stripe, self._buys_once_at_paddle, self._subscribes_at_paddle]
            # Each time is a multiple of ten seconds, so messages in quick succession have different times.
            buy[number % 4](f"b{number}", f"buyer-{number}@shop.example", self.begins + self.random.randrange(8_640) * 10)
        # Paddle's ids are in the order of time.
        self.messages.sort(key=lambda message: message[0])
        self.messages = [
            (at, shop, json.dumps(json.loads(body) | {"event_id": f"evt_{place:026d}"}).encode()
             if shop is self.paddle else body) for place, (at, shop, body) in enumerate(self.messages)]

    def _happens(self, at: int, shop: StripeShop | PaddleShop, message: bytes) -> None:
        self.messages.append((at, shop, message))

    def _buys_once_at_stripe(self, name: str, email: str, at: int) -> None:
        shop = self.stripe
        self._happens(at, shop, shop.session(name, email, at=at))
        match self.random.randrange(5):
            case 0:
                self._happens(at + 30, shop, shop.refund(name, at=at + 30))
            case 1:
                self._happens(at + 30, shop, shop.dispute(name, at=at + 30))
                decision = self.random.choice(["won", "lost"])
                self._happens(at + DAY, shop, shop.dispute(name, decision, at=at + DAY))

    def _subscribes_at_stripe(self, name: str, email: str, at: int) -> None:
        shop, months, item = self.stripe, self.random.randint(1, 11), "price_month"
        named = {"mode": "subscription", "payment_intent": None, "subscription": f"sub_{name}", "line_items": None}
        self._happens(at, shop, shop.session(name, email, at=at, **named))
        for number in range(1, months + 1):
            paid = at + (number - 1) * MONTH + 1
            end = at + number * MONTH
            self._happens(paid, shop, shop.invoice(name, number, end, email, item, at=paid))
            self._happens(paid + 1, shop, shop.payment(name, number, at=paid + 1))
        payment, later = f"{name}_{months}", paid + DAY
        match self.random.randrange(10):
            case 0:
                self._happens(later, shop, shop.refund(payment, 900, 900, at=later))
            case 1:
                self._happens(end, shop, shop.ended(name, at=end))
            case 2:
                self._happens(later, shop, shop.plan(name, "price_pro", end + MONTH, at=later))
            case 3:
                self._happens(later, shop, shop.dispute(payment, at=later))
            case 4:
                # Upgraded, downgraded within the year, and cancelled.
                self._happens(later, shop, shop.plan(name, "price_pro", end + MONTH, at=later))
                self._happens(later + 60, shop, shop.plan(name, item, end, at=later + 60))
                self._happens(later + 90, shop, shop.plan(name, item, end, at=later + 90, cancel_at_period_end=True))
            case 5:
                self._happens(later, shop, shop.plan(name, item, end, at=later, quantity=3))
                self._happens(later + 60, shop, shop.plan(name, item, end, at=later + 60, quantity=2))
            case 6:
                self._happens(later, shop, shop.plan(name, item, end, at=later, status="past_due"))
                self._happens(later + 60, shop, shop.plan(name, item, end, at=later + 60, status="paused"))
                self._happens(later + 90, shop, shop.plan(name, item, end, at=later + 90))
            case 7:
                # Two partial refunds add up to the whole payment, after an earlier period was refunded.
                self._happens(later, shop, shop.refund(f"{name}_1", 900, 900, at=later))
                self._happens(later + 60, shop, shop.refund(payment, 300, 900, at=later + 60))
                self._happens(later + 90, shop, shop.refund(payment, 900, 900, at=later + 90))
                self._happens(later + 120, shop, shop.ended(name, at=later + 120))

    def _buys_once_at_paddle(self, name: str, email: str, at: int) -> None:
        shop = self.paddle
        self._happens(at, shop, shop.customer(name, email, at=at))
        self._happens(at + 1, shop, shop.purchase(name, at=at + 1))
        if self.random.randrange(4) == 0:
            self._happens(at + 30, shop, shop.adjustment(f"txn_{name}", at=at + 30))

    def _subscribes_at_paddle(self, name: str, email: str, at: int) -> None:
        shop, months, item = self.paddle, self.random.randint(1, 11), "pri_month"
        self._happens(at, shop, shop.customer(name, email, at=at))
        first, created = shop.subscribed(name, at + MONTH, item, at=at + 1)
        self._happens(at + 1, shop, first)
        self._happens(at + 1, shop, created)
        end = at + MONTH
        for number in range(2, months + 1):
            paid, end = end + 1, end + MONTH
            self._happens(paid, shop, shop.renewed(name, number, end, item, at=paid))
        match self.random.randrange(4):
            case 0:
                last = f"txn_{name}_{months}"
                self._happens(end - DAY, shop, shop.adjustment(last, subscription_id=f"sub_{name}", at=end - DAY))
            case 1:
                self._happens(end, shop, shop.canceled(name, end, item, at=end))
            case 2:
                last = f"txn_{name}_{months}"
                for later, action in enumerate(["chargeback", "chargeback_reverse"]):
                    at = end - DAY + later
                    self._happens(at, shop, shop.adjustment(last, action, subscription_id=f"sub_{name}", at=at))

    @property
    def in_order(self) -> list[tuple[StripeShop | PaddleShop, bytes]]:
        return [message[1:] for message in self.messages]

    def in_disorder(self, seed: int) -> list[tuple[StripeShop | PaddleShop, bytes]]:
        """All messages, some of them twice."""
        chance = random.Random(seed)
        messages = [message[1:] for message in self.messages]
        messages += chance.sample(messages, len(messages) // 10)
        chance.shuffle(messages)
        return messages


class Arrival:
    """An installation that receives the year's messages, and its resulting orders."""

    def __init__(self, year: Year, api: PaddleAPI, *installations: Installation):
        self.year, self.api, self.installations = year, api, installations
        self.installation = installations[0]
        self.options = ["--mail-folder", str(self.installation.home / "letters"), "--egress-allow", api.host]

    def apply(self, **members) -> None:
        """Applies the catalog; the members are those of Stripe's source."""
        (self.installation.home / "api.key").write_text("pdl_live_apikey_made_up")
        once, month = ({"product": "notes", "policy": policy} for policy in ("pro", "monthly"))
        catalog = catalogs.catalog(TENANT, catalogs.product(policies=[
            catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
        catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [
            self.year.stripe.member(items=[once | {"item": "price_pro"}, month | {"item": "price_month"}], **members),
            self.year.paddle.member(
                items=[once | {"item": "pri_pro"}, month | {"item": "pri_month"}],
                apiKeyFile="api.key", apiURL=self.api.url)]}
        self.installation.apply(catalog)

    def end_state(self, messages: list[tuple[StripeShop | PaddleShop, bytes]]) -> dict[str, dict]:
        """Sends the messages to all servers at once; returns the orders by reference once no message is waiting."""
        self.apply()
        for shop in (self.year.stripe, self.year.paddle):
            shop.installation = self.installation
        servers = [each.start(*self.options) for each in self.installations]
        try:
            self._send(servers, messages)
            return self._orders(servers[0])
        finally:
            for server in servers:
                server.discard()

    def end_state_of_catching_up(self, lists: StripeAPI) -> dict[str, dict]:
        """Lets a server read the providers' lists through the year, and returns the orders at its end."""
        self.installation.moves_time()
        self.installation.set_clock(self.year.begins - DAY - int(time.time()))
        self.options += ["--egress-allow", lists.host]
        self.apply(apiKeyFile="api.key", apiURL=lists.url)
        self.year.stripe.installation = self.installation
        with self.installation.serving(*self.options) as server:
            while (now := self.year.stripe.now) < int(time.time()):
                happened = [message for at, *message in self.year.messages if at < now + STEP]
                lists.events = [body for shop, body in happened if shop is self.year.stripe]
                self.api.events = []
                self.api.add(*(body for shop, body in happened if shop is self.year.paddle))
                # The clock moves after the lists were filled, because an event that is listed late is missed.
                self.installation.set_clock(now + STEP - int(time.time()))
                # A message that has waited for its sale for a month is given up, so each step ends before the next.
                # A server reads 1,000 events a minute.
                eventually(self._counts, lambda counts, expected=len(happened): counts == (expected, 0), 120 + BUYERS)
            return self._orders(server)

    def _counts(self) -> tuple[int, int]:
        """The number of messages, and of those that are waiting."""
        with contextlib.closing(sqlite3.connect(self.installation.database)) as store:
            return store.execute("SELECT count(*), count(*) FILTER (WHERE state = 'waiting') FROM payment_messages").fetchone()

    def _send(self, servers: list, messages: list[tuple[StripeShop | PaddleShop, bytes]]) -> None:
        faults = []

        def send(number: int) -> None:
            client = servers[number % len(servers)].new_client()
            for shop, body in messages[number::CLIENTS]:
                response = client.ask("POST", shop.path, body, shop.signed(body))
                if response.status != 200:
                    faults.append(response)
                    return

        threads = [threading.Thread(target=send, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not faults

    def _orders(self, server) -> dict[str, dict]:
        token = self.installation.do(
            "token", "create", "--tenant", TENANT, "--name", "reader", "--scope", "orders:read", "--scope", "intake:read",
            "--scope", "licenses:read", "--json").json["token"]
        client, headers = server.new_client(), {"Authorization": f"Bearer {token}"}

        def pages(path: str, name: str):
            after = ""
            while after is not None:
                page = client.get(f"/v1/{TENANT}/{path}&limit=100{after}", headers).json
                yield from page[name]
                after = f"&after={page['next']}" if page.get("next") else None

        eventually(lambda: list(pages("messages?state=waiting", "messages")), lambda waiting: waiting == [], 600)
        orders = []
        for listed in pages("orders?", "orders"):
            order = client.get(f"/v1/{TENANT}/orders/{listed['id']}", headers).json
            for line in order["lines"]:
                licenses = [client.get(f"/v1/{TENANT}/licenses/{id}", headers).json for id in line["licenses"]]
                # A sale whose refund arrives first issues nothing; otherwise, its license is suspended.
                line["licenses"] = [
                    {name: license.get(name) for name in ("policy", "expiresAt", "holderEmail", "order")}
                    for license in licenses if license["state"] != "suspended"]
            orders.append({name: value for name, value in order.items() if name not in ("id", "createdAt")})
        return {order["reference"]: order for order in orders}


def test_a_year_of_payments_leads_to_the_same_orders_in_any_sequence_of_arrival_on_sqlite_and_postgresql(
        home, database):
    year = Year(seed=20)

    def folder(name: str) -> Installation:
        (home / name).mkdir()
        installation = Installation(home / name)
        installation.do("init")
        return installation

    store = database.new_database()
    servers = [SharedInstallation(home, database, store, f"server{number}") for number in (0, 1)]
    servers[0].do("init")
    with PaddleAPI([message for _, shop, message in year.messages if shop is year.paddle]) as api:
        expected = Arrival(year, api, folder("ordered")).end_state(year.in_order)
        assert len(expected) == BUYERS
        assert {order["state"] for order in expected.values()} >= {"paid", "refunded", "disputed", "ended"}
        assert json.dumps(expected).count('"policy": "pro"') > BUYERS // 2
        assert Arrival(year, api, folder("disordered")).end_state(year.in_disorder(1)) == expected
        assert Arrival(year, api, *servers).end_state(year.in_disorder(2)) == expected
        alone = Arrival(year, api, folder("alone"))
        with StripeAPI() as lists:
            assert alone.end_state_of_catching_up(lists) == expected
