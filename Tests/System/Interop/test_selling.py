"""Runs the shop's webhook program of the documentation against a server whose clock moves."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import secrecy
from catalogs import catalog, policy, product
from client import Client
from installation import Installation, temporary_home

PROGRAM = Path(__file__).resolve().parents[3] / "Examples/shop/webhook.py"
DAY = 86_400
YEAR = {"product": "notes", "policy": "yearly", "holder": "ada@example.com"}


class Webhook:
    """A running webhook program, which prints its mails to standard output."""

    def __init__(self, process, tenure):
        self.process, self.tenure = process, tenure
        address = process.stdout.readline().split()[-1]
        self.client = Client(address)

    def send(self, id: str, type: str, order: str = "order-1001", **members):
        """Sends an event as a payment provider does; returns the response's status."""
        body = {"id": id, "type": type, "order": order} | members
        return self.client.post("/", body).status

    def mail(self) -> list[str]:
        """The words of the next mail: the order, then the license keys."""
        words = self.process.stdout.readline().split()
        assert words[0] == "mail", words
        for key in words[2:]:
            secrecy.keep(key)
        return words[1:]

    def licenses(self, order: str = "order-1001") -> list[dict]:
        return [one for one in self.tenure("licenses?limit=1000")["licenses"] if one["order"] == order]


@contextmanager
def running(installation, server):
    token = installation.do(
        "token", "create", "--tenant", "acme", "--scope", "licenses:read", "--scope", "licenses:write", "--json"
    ).json["token"]
    secrecy.keep(token)
    file = installation.home / "shop.token"
    file.write_text(token)
    environment = os.environ | {
        "TENURE": f"{server.address}/v1/acme", "TOKEN_FILE": str(file), "PORT": "0", "no_proxy": "*"}
    headers = {"Authorization": f"Bearer {token}"}

    def tenure(path):
        return server.client.get(f"/v1/acme/{path}", headers).json

    with subprocess.Popen(
        [sys.executable, str(PROGRAM)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield Webhook(process, tenure)
        finally:
            process.kill()


@pytest.fixture
def shop():
    with temporary_home() as home:
        installation = Installation(home).moves_time()
        plans = [policy("pro"), policy("yearly", duration="P1Y"), policy("team", duration="P1Y")]
        installation.apply(catalog("acme", product(policies=plans)))
        with installation.serving() as server, running(installation, server) as webhook:
            webhook.installation = installation
            yield webhook


def test_a_payment_event_repeated_after_three_days_issues_and_renews_nothing(shop):
    assert shop.send("evt-1", "sale", terms=YEAR) == 204
    first = shop.mail()
    assert len(first) == 2
    assert shop.send("evt-2", "renewal") == 204
    [license] = shop.licenses()
    shop.installation.set_clock(3 * DAY)
    assert shop.send("evt-1", "sale", terms=YEAR) == 204
    assert shop.mail() == ["order-1001"]
    assert shop.send("evt-2", "renewal") == 204
    assert shop.licenses() == [license]
    assert shop.send("evt-3", "renewal") == 204
    assert shop.licenses()[0]["expiresAt"] > license["expiresAt"]


def test_a_repeated_refund_of_an_order_of_thirty_licenses_revokes_these_and_no_others(shop):
    assert shop.send("evt-1", "sale", terms=YEAR | {"count": 30}) == 204
    assert len(set(shop.mail())) == 31
    assert shop.send("evt-2", "sale", order="order-1002", terms=YEAR) == 204
    shop.mail()
    for _ in range(2):
        assert shop.send("evt-3", "refund") == 204
    assert [one["state"] for one in shop.licenses()] == ["revoked"] * 30
    assert [one["state"] for one in shop.licenses("order-1002")] == ["issued"]


def test_an_upgrade_to_another_yearly_policy_keeps_the_end_of_the_license(shop):
    assert shop.send("evt-1", "sale", terms=YEAR) == 204
    shop.mail()
    [before] = shop.licenses()
    assert shop.send("evt-2", "upgrade", terms={"policy": "team"}) == 204
    [after] = shop.licenses()
    assert (after["policy"], after["expiresAt"]) == ("team", before["expiresAt"])


def test_the_example_webhook_answers_500_to_an_event_that_tenure_refuses_and_accepts_it_once_corrected(shop):
    assert shop.send("evt-1", "sale", terms=YEAR | {"policy": "none"}) == 500
    assert shop.send("evt-1", "sale", terms=YEAR) == 204
    assert len(shop.mail()) == 2


def test_the_example_webhook_answers_500_to_a_renewal_event_that_arrives_before_its_sale(shop):
    assert shop.send("evt-2", "renewal") == 500
    assert shop.send("evt-1", "sale", terms=YEAR) == 204
    assert shop.send("evt-2", "renewal") == 204
    assert shop.send("evt-3", "receipt") == 204
    assert shop.client.post("/", {"id": "evt-4", "type": "ping"}).status == 204
    assert shop.client.post("/", {}).status == 204


def test_a_renewal_of_an_order_does_not_extend_its_revoked_licenses(shop):
    assert shop.send("evt 山田", "sale", terms=YEAR | {"count": 3}) == 204
    revoked, *others = shop.licenses()
    shop.installation.do("license", "revoke", revoked["id"])
    assert shop.send("evt-2", "renewal") == 204
    ends = {one["id"]: one["expiresAt"] for one in shop.licenses()}
    assert ends[revoked["id"]] == revoked["expiresAt"]
    assert all(ends[one["id"]] > one["expiresAt"] for one in others)
