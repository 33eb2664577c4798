"""Tests that `tenure store recovered --carry-from` takes over records that a database lost, while servers use it."""

import json
import subprocess
import threading

import catalogs
import pytest
import secrecy
from catalogs import policy
from client import App
from conftest import Pair
from replication import is_primary, running_cluster
from test_rewound_store import MILLION, PATIENCE, history, rewound, wait_until_ready
from waiting import eventually

HARMLESS = ("keep", "revoked", "released", "fresh", "renewed", "both", "stopped")


class Market:
    """A vendor with a license for each case of the tests, whose servers' database may lose changes."""

    def __init__(self, pair: Pair):
        self.pair, self.do = pair, pair.installation.do
        self.keys = {name: catalogs.fresh_key() for name in HARMLESS}
        self._rules = [policy(activationLimit=1_000), policy("yearly", duration="P1Y", activationLimit=5)]
        licenses = [
            catalogs.license(key, "yearly" if name == "renewed" else "pro", holder=f"{name}@example.com")
            for name, key in self.keys.items()]
        self.do("apply", "-", given=json.dumps(catalogs.catalog(pair.tenant, catalogs.product(
            policies=self._rules, licenses=licenses))))
        token = self.do(
            "token", "create", "--tenant", pair.tenant, "--name", "web", "--scope", "licenses:write", "--scope",
            "licenses:read", "--scope", "events:read", "--json").json
        self._headers = {"Authorization": f"Bearer {secrecy.keep(token['token'])}"}

    def _app(self, number: int = 0) -> App:
        return App(self.pair.servers[number].new_client(), self.pair.tenant, "notes")

    def activate(self, key: str, device: str, number: int = 0) -> str:
        """Activates a device, with repetitions until that succeeds."""
        app = self._app(number)
        answer = eventually(lambda: app.activate(key, device), lambda answer: answer.status != 503, PATIENCE)
        assert answer.status == 200, answer
        return answer["instance_id"]

    def release(self, instance: str) -> None:
        assert self._app().deactivate(instance).status == 200

    def validation(self, key: str, instance: str) -> int:
        return self._app().validate(key, instance).status

    def order(self, number: str) -> dict:
        """Orders a license over the operator API; requests with the same number are the same order."""
        answer = self.pair.servers[0].new_client().post(
            f"/v1/{self.pair.tenant}/licenses", {"product": "notes", "policy": "pro", "order": number},
            self._headers | {"Idempotency-Key": number})
        assert answer.status in (200, 201), answer
        license = answer["licenses"][0]
        if "licenseKey" in license:
            secrecy.keep(license["licenseKey"])
        return license

    def show(self, name: str) -> dict:
        return self.pair.installation.show(self.keys.get(name, name))

    def events(self, after: int = 0) -> list[dict]:
        events = []
        while True:
            answer = self.pair.servers[0].new_client().get(
                f"/v1/{self.pair.tenant}/events?limit=500&after={after}", self._headers)
            assert answer.status == 200, answer
            if not answer["events"]:
                return events
            events += answer["events"]
            after = events[-1]["sequence"]

    @property
    def last(self) -> int:
        return self.events()[-1]["sequence"]

    def signing(self, number: int) -> list[str]:
        keyset = self.pair.servers[number].new_client().get(f"/{self.pair.tenant}/.well-known/keylight-keys")
        return sorted(key["kid"] for key in keyset["keys"])


class Loss:
    """A primary with changes that its standby never received, and the standby that was promoted."""

    def __init__(self, market: Market, cluster):
        self.market, self.cluster = market, cluster
        pair, do, keys = market.pair, market.do, market.keys
        self.known = {name: market.activate(keys[name], "before") for name in HARMLESS if name != "fresh"}
        cluster.cut_off_standby()
        self.order = market.order("lost")
        self.twice = market.order("twice")
        self.bought = market.activate(self.order["licenseKey"], "of the lost license")
        self.fresh = market.activate(keys["fresh"], "first device", 1)
        self.later = market.activate(keys["keep"], "lost device", 1)
        do("license", "revoke", keys["revoked"], "--reason", "charged back")
        do("license", "revoke", keys["stopped"])
        market.release(self.known["released"])
        do("license", "renew", keys["renewed"])
        self.end = market.show("renewed")["expiresAt"]
        do("license", "change", keys["both"], "--holder", "lost@example.com")
        do("key", "rotate", "--tenant", pair.tenant)
        eventually(lambda: market.signing(0) == market.signing(1) and len(market.signing(0)) == 2, bool, PATIENCE)
        self.keyset = market.signing(0)
        # Each server must write an event that is later than every change made by a command.
        for number in (0, 1):
            market.activate(keys["keep"], f"last {number}", number)
        self.last = market.last
        cluster.fail_over()
        for number in (0, 1):
            market.activate(keys["keep"], f"after {number}", number)
        wait_until_ready(pair)
        for server in pair.servers:
            eventually(lambda: rewound(server), lambda state: state == (True, True), PATIENCE)
        do("license", "change", keys["both"], "--holder", "own@example.com")
        do("license", "change", keys["stopped"], "--holder", "own@example.com")
        self.own = market.order("own")
        self.repeated = market.order("twice")
        assert self.repeated["id"] != self.twice["id"]
        self.own_instance = market.activate(self.own["licenseKey"], "of the own license")
        assert market.validation(keys["revoked"], self.known["revoked"]) == 200, "it's valid again"

    def old(self) -> str:
        """Starts the former primary, so that it accepts no changes, and returns the address of its database."""
        former = self.cluster.standby
        former.start()
        eventually(lambda: is_primary(former), bool, PATIENCE)
        former.sql("ALTER SYSTEM SET default_transaction_read_only = on")
        former.sql("SELECT pg_reload_conf()")
        return former.url(self.market.pair.installation.store)

    def dump(self) -> list[str]:
        """The rows of the former primary's database."""
        store = self.market.pair.installation.store
        tables = self.cluster.standby.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1", store)
        return [
            f"{table}: " + self.cluster.standby.sql(f"SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM {table} t", store)[0]
            for table in tables]


class Load:
    """Devices that are activated on both servers until the context ends."""

    def __init__(self, market: Market):
        self._market, self._is_over = market, threading.Event()
        self.instances: list[str] = []
        self.faults: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in (0, 1)]

    def _run(self, number: int) -> None:
        turn = 0
        try:
            while not self._is_over.is_set():
                self.instances.append(
                    self._market.activate(self._market.keys["keep"], f"load {number} {turn}", number))
                turn += 1
                # A server admits 600 activations of a license a minute.
                self._is_over.wait(0.15)
        except BaseException as fault:
            self.faults.append(fault)

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        eventually(lambda: len(self.instances), lambda count: count > 4 or self.faults, PATIENCE)
        return self

    def __exit__(self, *_) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()
        assert not self.faults, self.faults


@pytest.fixture
def loss(home):
    with running_cluster() as cluster:
        pair = Pair(home, cluster)
        try:
            yield Loss(Market(pair.start()), cluster)
        finally:
            pair.discard()


def checks_what_was_taken_over(loss: Loss) -> None:
    """Checks the state after a recovery from the former primary, on both servers."""
    market, keys = loss.market, loss.market.keys
    assert history(market.pair) == []
    for server in market.pair.servers:
        eventually(lambda: rewound(server), lambda state: state == (False, False), PATIENCE)
    assert market.validation(loss.order["licenseKey"], loss.bought) == 200
    assert market.validation(loss.own["licenseKey"], loss.own_instance) == 200
    assert market.validation(keys["fresh"], loss.fresh) == 200
    assert market.validation(keys["keep"], loss.later) == 200
    assert market.validation(keys["keep"], loss.known["keep"]) == 200
    assert market.order("twice")["id"] == loss.repeated["id"]
    for name, status in (("revoked", 422), ("stopped", 422), ("released", 422)):
        assert market.validation(keys[name], loss.known[name]) == status, name
    assert market.show("revoked")["state"] == market.show("stopped")["state"] == "revoked"
    assert market.show("renewed")["expiresAt"] == loss.end
    assert market.show("both")["holder"] == market.show("stopped")["holder"] == "own@example.com"
    assert market.order("lost")["id"] == loss.order["id"], "an order that is sent again isn't carried out twice"
    for number in (0, 1):
        eventually(lambda: market.signing(number), lambda keyset: keyset == loss.keyset, PATIENCE)

    events = market.events(after=loss.last)
    assert events[0]["kind"] == "store.restored" and events[0]["sequence"] > loss.last + MILLION - 1_000, events[0]
    numbers = [event["sequence"] for event in events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    repeated = [
        event["kind"] for event in events
        if event.get("license") in (loss.order["id"], market.show("revoked")["id"], market.show("renewed")["id"])]
    assert sorted(repeated) == ["activation.created", "license.issued", "license.renewed", "license.revoked"], repeated
    market.do("doctor", "--deep")


def test_the_command_store_recovered_takes_over_records_lost_in_a_failover_under_load(loss):
    market, old = loss.market, loss.old()
    before = loss.dump()
    with Load(market) as load:
        recovered = market.do("store", "recovered", "--carry-from", old, "--json").json
    assert recovered["settled"] and recovered["missingEvents"] > 0 and recovered["unread"] == [], recovered
    acts = {(item["kind"], item["act"]) for item in recovered["carriedOver"]}
    assert {("license", "revoked"), ("activation", "released"), ("lease key", "retiring"), ("lease key", "added")} <= acts
    items = {item["name"]: item for item in recovered["given"]["items"]}
    assert items[loss.twice["id"]]["leftBehind"] == "its request was repeated and carried out here since", items
    assert items[loss.order["id"]]["acts"] == ["issued"] and items[loss.order["id"]]["order"] == "lost", items
    both = items[market.show("both")["id"]]
    assert both["leftBehind"] == "it was changed here since, too" and both["acts"] == ["changed"], both
    assert [group["left"] for group in recovered["given"]["byActor"] if group["kind"] == "license" and group["left"]] == [1, 1]
    assert loss.dump() == before, "the former primary's database stays as it is"
    checks_what_was_taken_over(loss)
    for instance in load.instances:
        assert market.validation(market.keys["keep"], instance) == 200

    last = market.last
    again = market.do("store", "recovered", "--carry-from", old)
    assert "nothing is to be settled" in again.out and "changed here since" in again.out, again
    alone = market.do("store", "recovered")
    assert alone.out.startswith("nothing is to be settled"), alone
    assert market.last == last


def test_repeating_the_command_store_recovered_after_it_was_killed_completes_the_recovery(loss):
    market, old, store = loss.market, loss.old(), loss.market.pair.installation.store
    lock = subprocess.Popen(
        ["psql", "-XqAt", loss.cluster.primary.url(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        lock.stdin.write("BEGIN; LOCK TABLE answers IN EXCLUSIVE MODE; SELECT 'locked';\n")
        lock.stdin.flush()
        assert lock.stdout.readline().strip() == "locked"
        words = market.pair.installation.words("store", "recovered", "--carry-from", old)
        command = subprocess.Popen(
            words, env=market.pair.installation.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        found = f"SELECT count(*) FROM licenses WHERE order_reference = 'lost'"
        eventually(lambda: loss.cluster.sql(found, store), lambda rows: rows == ["1"], PATIENCE)
        command.kill()
        command.wait()
    finally:
        lock.stdin.close()
        lock.wait()
    finding, = history(market.pair)
    assert "store recovered --carry-from" in finding["cure"], finding
    assert market.do("store", "recovered", "--carry-from", old, "--json").json["settled"]
    checks_what_was_taken_over(loss)
