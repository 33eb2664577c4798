"""Sends requests to servers while the master key is changed, and checks that all records stay usable."""

import subprocess
import threading

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from client import App

ROTATE = ("master-key", "rotate", "--new-key-file", "new.key")


def killed_while_it_waits(installation) -> None:
    """Begins to change the master key, and kills the command while it waits for the server to adopt the new key."""
    change = subprocess.Popen(
        installation.words(*ROTATE), cwd=installation.home, env=installation.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert "waiting" in change.stderr.readline()
    change.kill()
    change.communicate()


class Shop:
    """A vendor with a device, a token and an order."""

    def __init__(self, installation):
        self.installation, self.key = installation, fresh_key()
        installation.apply(catalog("acme", product(
            policies=[policy("many", activationLimit=10_000)], licenses=[license(self.key, "many")])))
        self.token = secrecy.keep(installation.do(
            "token", "create", "--tenant", "acme", "--name", "shop", "--scope", "licenses:write", "--scope",
            "licenses:read", "--json").json["token"])

    def order(self, client, name: str):
        answer = client.post(
            "/v1/acme/licenses", {"product": "notes", "policy": "many"},
            {"Authorization": f"Bearer {self.token}", "Idempotency-Key": name})
        assert answer.status == 201, (name, answer)
        secrecy.keep(answer.json["licenses"][0]["licenseKey"])
        return answer

    def public_ids(self) -> list[str]:
        """The public ids of the license's devices."""
        shown = self.installation.do("activation", "list", self.key, "--json").json
        return sorted(device["id"] for device in shown["activations"])


class Load:
    """Orders, their repetitions and activations, and refreshes of a device at each server; all must succeed."""

    def __init__(self, shop: Shop, servers: list):
        self.shop, self.orders, self.faults = shop, {}, []
        self._devices = {
            number: App(server.client, "acme", "notes").activated(shop.key, f"Device {number}")
            for number, server in enumerate(servers)}
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._noting_faults, args=(work, number, server))
            for number, server in enumerate(servers) for work in (self._order, self._refresh)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def check(self, servers: list) -> None:
        """Checks that no request failed, and that each server repeats its first response to every order."""
        assert not self.faults, self.faults
        assert self.orders
        for server in servers:
            for name, body in self.orders.items():
                assert self.shop.order(server.client, name).json == body, name

    def _noting_faults(self, work, number, server) -> None:
        client, count = server.new_client(), 0
        while not self._is_over.is_set():
            count += 1
            try:
                work(client, number, count)
            except Exception as fault:
                self.faults.append(f"{work.__name__}: {fault!r}")
                return

    def _order(self, client, number: int, count: int) -> None:
        name = f"{number}-{count}"
        body = self.shop.order(client, name).json
        assert self.shop.order(client, name).json == body
        App(client, "acme", "notes").activated(body["licenses"][0]["licenseKey"])
        self.orders[name] = body

    def _refresh(self, client, number: int, count: int) -> None:
        assert App(client, "acme", "notes").validate(self.shop.key, self._devices[number]).status == 200
