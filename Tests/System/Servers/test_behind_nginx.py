"""Tests three servers behind nginx, with the documented configuration, that restart and are killed under load."""

import re
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import catalogs
import pytest
import secrecy
from catalogs import policy
from client import Answer, App, Client
from conftest import Pair
from crowd import wait_until
from database import SharedInstallation
from nginx import documented, free_port, nginx

SERVERS = 3
SHOPS, APPS, LICENSES = 8, 4, 30
REPETITIONS = 100
PATIENCE = 60


def configuration(home, ports: list[int]) -> str:
    """The configuration on the page about operations, with the upstream on the page about PostgreSQL."""
    several = documented("postgresql.md")
    for shown, port in zip(("192.0.2.11:8080", "192.0.2.12:8080", "192.0.2.13:8080"), ports, strict=True):
        assert shown in several
        several = several.replace(shown, f"127.0.0.1:{port}")
    whole = documented("operations.md")
    [single] = re.findall(r"^upstream tenure .*\n", whole, re.MULTILINE)
    for shown, ours in (
            (single, several), ("listen 443 ssl;", "listen 127.0.0.1:PORT;"), ("/var/log/nginx", str(home / "nginx"))):
        assert shown in whole
        whole = whole.replace(shown, ours)
    return whole


class Site(Pair):
    """Three servers on one database behind nginx, with a vendor that sells and devices that activate."""

    def __init__(self, home, database):
        super().__init__(home, database)
        self.installations.append(SharedInstallation(home, database, self.installation.store, "server2"))
        self.ports = [free_port() for _ in range(SERVERS)]

    def start(self) -> "Site":
        self.installation.do("init")
        self.servers = [None] * SERVERS
        for number in range(SERVERS):
            self.start_server(number)
        self.keys = [catalogs.fresh_key() for _ in range(LICENSES)]
        self.installation.apply(catalogs.catalog(self.tenant, catalogs.product(
            policies=[policy(activationLimit=10_000)], licenses=[catalogs.license(key) for key in self.keys])))
        token = self.installation.do(
            "token", "create", "--tenant", self.tenant, "--name", "shop", "--scope", "licenses:write", "--json").json
        self.headers = {"Authorization": f"Bearer {secrecy.keep(token['token'])}"}
        return self

    def start_server(self, number: int) -> None:
        self.servers[number] = self.installations[number].start(port=self.ports[number])

    def discard(self) -> None:
        for server in filter(None, self.servers):
            server.discard()


class Load:
    """Shops that order, each time with another key, and apps that activate on new devices, all through nginx."""

    def __init__(self, site: Site, front: Client):
        self._site, self._front = site, front
        self._is_over = threading.Event()
        self.orders: dict[str, str] = {}
        self.activations: list[str] = []
        self.faults: list[Exception] = []
        self._turns = [0] * (SHOPS + APPS)
        self._threads = [
            threading.Thread(target=self._run, args=(number, self._order if number < SHOPS else self._activate))
            for number in range(SHOPS + APPS)]

    def _run(self, number: int, act) -> None:
        client = Client(f"http://{self._front.host}:{self._front.port}")
        try:
            while not self._is_over.is_set():
                act(client, number, self._turns[number])
                self._turns[number] += 1
        except Exception as fault:
            self.faults.append(fault)
        finally:
            client.close()

    def _order(self, client: Client, number: int, turn: int) -> None:
        # nginx repeats an order itself, so the shop never gets nginx's own error.
        order = f"order-{number}-{turn}"
        answer = self._repeated((503,), lambda: client.post(
            f"/v1/{self._site.tenant}/licenses", {"product": "notes", "policy": "pro", "order": order},
            self._site.headers | {"Idempotency-Key": order}))
        [license] = answer["licenses"]
        secrecy.keep(license["licenseKey"])
        self.orders[order] = license["id"]

    def _activate(self, client: Client, number: int, turn: int) -> None:
        app = App(client, self._site.tenant, "notes")
        key = self._site.keys[(turn * APPS + number) % LICENSES]
        answer = self._repeated((502, 503), lambda: app.activate(key, f"device {number} {turn}"))
        self.activations.append(answer["instance_id"])

    def _repeated(self, temporary: tuple[int, ...], request) -> Answer:
        """Repeats a request whose response says that the failure is temporary, as clients do."""
        for _ in range(REPETITIONS):
            answer = request()
            if answer.status in (200, 201):
                return answer
            assert answer.status in temporary, answer
            self._is_over.wait(0.05)
        raise AssertionError(f"not even repeated: {answer}")

    def go_on(self) -> None:
        """Waits until every client has got some more responses."""
        before = list(self._turns)
        wait_until(lambda: self.faults or all(now > then + 3 for now, then in zip(self._turns, before)), PATIENCE)
        assert not self.faults, self.faults

    @contextmanager
    def running(self):
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            for thread in self._threads:
                thread.join()

    def check(self) -> None:
        """Checks that all acknowledged orders and activations are stored, and that no order was carried out twice."""
        assert not self.faults, self.faults
        sql = self._site.installation.sql
        assert set(self.activations) <= set(sql("SELECT id FROM activations"))
        stored = sql("SELECT order_reference FROM licenses WHERE order_reference IS NOT NULL")
        assert sorted(stored) == sorted(self.orders) and len(set(self.orders.values())) == len(stored)


@pytest.fixture
def site(home, database):
    site = Site(home, database)
    try:
        yield site.start()
    finally:
        site.discard()


@pytest.fixture
def load(home, site):
    with nginx(home, configuration(home, site.ports)) as front:
        yield Load(site, front)


def test_a_rolling_restart_behind_nginx_loses_no_acknowledged_change_and_repeats_no_order(site, load):
    with load.running():
        for number in range(SERVERS):
            load.go_on()
            assert site.servers[number].stop() == 0
            load.go_on()
            site.start_server(number)
        load.go_on()
    load.check()


def test_killed_servers_behind_nginx_lose_no_acknowledged_change_and_repeat_no_order(site, load):
    with load.running():
        for number in range(SERVERS):
            load.go_on()
            site.servers[number].kill()
            load.go_on()
            site.start_server(number)
        load.go_on()
    load.check()
