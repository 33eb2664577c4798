"""Tests failovers of PostgreSQL under load, and servers behind a pooler or a balancer.

FAILOVER_ROUNDS sets the number of failovers (default: 3).
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import catalogs
import pytest
import secrecy
from catalogs import policy
from client import App
from conftest import Pair
from crowd import wait_until
from database import SharedInstallation
from nginx import documented
from replication import haproxy, pgbouncer, running_cluster
from test_leading import expiries, leaders

ROUNDS = int(os.environ.get("FAILOVER_ROUNDS", 3))
WRITERS, LICENSES = 4, 200
PATIENCE = 60


class Load:
    """Devices that activate on both servers and repeat each request until it succeeds, and a shop that reads all events."""

    def __init__(self, pair: Pair):
        self._pair = pair
        # A server accepts at most 600 activations of one license a minute.
        self._keys = [catalogs.fresh_key() for _ in range(LICENSES)]
        rule = policy(activationLimit=10_000)
        pair.installation.apply(catalogs.catalog(pair.tenant, catalogs.product(
            policies=[rule], licenses=[catalogs.license(key) for key in self._keys])))
        token = pair.installation.do(
            "token", "create", "--tenant", pair.tenant, "--name", "reader", "--scope", "events:read", "--json").json
        self._headers = {"Authorization": f"Bearer {secrecy.keep(token['token'])}"}
        self._is_over, self._has_failed, self._lock = threading.Event(), threading.Event(), threading.Lock()
        self.acknowledged: list[str] = []
        self.events: list[dict] = []
        self.faults: list[Exception] = []
        self._counts = [0] * WRITERS
        self._threads = [threading.Thread(target=self._guarded, args=(self._write, number)) for number in range(WRITERS)]
        self._threads.append(threading.Thread(target=self._guarded, args=(self._read, 0)))

    def _guarded(self, act, number: int) -> None:
        try:
            act(number)
        except Exception as fault:
            self.faults.append(fault)

    def _until_accepted(self, request):
        """Repeats a request until its response is 200."""
        while not self._has_failed.wait(0.02):
            answer = request()
            if answer.status == 200:
                return answer
            assert answer.status == 503 and answer.headers.get("retry-after"), answer
        raise AssertionError("the test has failed")

    def _write(self, number: int) -> None:
        app = App(self._pair.servers[number % 2].new_client(), self._pair.tenant, "notes")
        while not self._is_over.is_set():
            turn = self._counts[number]
            key, device = self._keys[(turn * WRITERS + number) % LICENSES], f"device {number} {turn}"
            answer = self._until_accepted(lambda: app.activate(key, device))
            with self._lock:
                self.acknowledged.append(answer["instance_id"])
                self._counts[number] += 1

    def _read(self, _: int) -> None:
        client = self._pair.servers[0].new_client()
        while True:
            is_last = self._is_over.is_set() and not any(writer.is_alive() for writer in self._threads[:WRITERS])
            cursor = self.events[-1]["sequence"] if self.events else 0
            page = self._until_accepted(
                lambda: client.get(f"/v1/{self._pair.tenant}/events?limit=500&after={cursor}", self._headers))
            self.events += page["events"]
            if is_last and not page["events"]:
                return

    def go_on(self) -> None:
        """Waits until every writer has been acknowledged some more activations."""
        before = list(self._counts)
        wait_until(
            lambda: self.faults or all(count > start + 5 for count, start in zip(self._counts, before)), PATIENCE)
        assert not self.faults, self.faults

    @contextmanager
    def running(self):
        """Runs the load until the context ends."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        except BaseException:
            self._has_failed.set()
            raise
        finally:
            self._is_over.set()
            for thread in self._threads:
                thread.join()

    def check(self) -> None:
        """Checks that all acknowledged activations are stored, and that the shop has read every event once."""
        assert not self.faults, self.faults
        stored = self._pair.installation.sql("SELECT id FROM activations")
        assert set(self.acknowledged) <= set(stored)
        assert len(set(self.acknowledged)) == len(self.acknowledged)
        sequences = [event["sequence"] for event in self.events]
        assert sequences == list(range(1, len(sequences) + 1))
        created = [event for event in self.events if event["kind"] == "activation.created"]
        assert len(created) == len(stored)
        self._pair.installation.do("doctor", "--deep")


@pytest.fixture
def cluster():
    with running_cluster() as cluster:
        yield cluster


@contextmanager
def running_pair(home, database):
    pair = Pair(home, database)
    try:
        yield pair.start()
    finally:
        pair.discard()


def test_failovers_to_a_synchronous_standby_lose_no_acknowledged_change_or_event(home, cluster):
    with running_pair(home, cluster) as pair:
        load = Load(pair)
        with load.running():
            for _ in range(ROUNDS):
                load.go_on()
                cluster.fail_over()
                load.go_on()
                cluster.rejoin()
        load.check()


def test_a_failover_behind_haproxy_loses_no_acknowledged_change_or_event(home, cluster):
    with haproxy(home, cluster, documented("postgresql.md", "haproxy")) as database, running_pair(home, database) as pair:
        load = Load(pair)
        with load.running():
            load.go_on()
            cluster.fail_over()
            load.go_on()
            cluster.rejoin()
            load.go_on()
        load.check()


def test_while_the_only_standby_is_away_devices_are_validated_and_no_change_is_acknowledged(home, cluster):
    with running_pair(home, cluster) as pair:
        key, app = pair.offer(), App(pair.servers[0].client, pair.tenant, "notes")
        instance = app.activated(key, "first")
        cluster.standby.stop()
        refused = app.activate(key, "second")
        assert refused.status == 503 and refused.headers["retry-after"], refused
        assert app.validate(key, instance).status == 200
        cluster.standby.start()
        answers = []
        wait_until(lambda: answers.append(app.activate(key, "second")) or answers[-1].status == 200, PATIENCE)
        assert app.validate(key, answers[-1]["instance_id"]).status == 200


def test_a_repeated_order_is_acknowledged_only_after_the_standby_has_stored_it(home, cluster):
    with running_pair(home, cluster) as pair:
        pair.offer()
        token = secrecy.keep(pair.installation.do(
            "token", "create", "--tenant", pair.tenant, "--name", "shop", "--scope", "licenses:write",
            "--json").json["token"])

        def order(server, key: str = "order-1"):
            answer = server.new_client().post(
                f"/v1/{pair.tenant}/licenses", {"product": "notes", "policy": "pro"},
                {"Authorization": f"Bearer {token}", "Idempotency-Key": key})
            if answer.status == 201:
                secrecy.keep(answer["licenses"][0]["licenseKey"])
            return answer

        issue = ("license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro",
                 "--idempotency-key", "order-2", "--json")
        with ThreadPoolExecutor(3) as threads:
            cluster.standby.stop()
            first = order(pair.servers[0])
            assert first.status == 503 and first.headers["retry-after"], first
            assert pair.installation.run(*issue).code == 1
            assert pair.installation.sql("SELECT count(*) FROM answers") == ["2"]
            repeated = [threads.submit(order, server) for server in pair.servers]
            command = threads.submit(pair.installation.run, *issue)
            for answer in [answer.result() for answer in repeated]:
                assert answer.status == 503 and answer.headers["retry-after"], answer
            assert command.result().code == 1, command.result()
        cluster.standby.start()
        answers = []
        wait_until(lambda: answers.append(order(pair.servers[1])) or answers[-1].status == 201, PATIENCE)
        assert answers[-1].headers["idempotent-replayed"] == "true", answers[-1]
        assert pair.installation.do(*issue).json["repeated"] is True
        stored = answers[-1]["licenses"][0]["id"]
        cluster.fail_over()
        assert pair.installation.sql("SELECT count(*) FROM answers") == ["2"]
        assert stored in pair.installation.do("license", "list", "--tenant", pair.tenant).out


def test_without_synchronous_replication_changes_succeed_while_the_standby_is_away(home):
    with running_cluster(is_synchronous=False) as cluster, running_pair(home, cluster) as pair:
        key, app = pair.offer(), App(pair.servers[0].client, pair.tenant, "notes")
        cluster.standby.stop()
        assert app.activate(key, "second").status == 200


def test_servers_behind_a_session_pooler_lose_no_acknowledged_change_when_the_pooler_restarts(home, database):
    with pgbouncer(home, database, "session") as (pooler, pooled), running_pair(home, pooled) as pair:
        wait_until(lambda: len(leaders(pair)) == 1, PATIENCE)
        load = Load(pair)
        with load.running():
            load.go_on()
            pair.installation.do(
                "license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro",
                "--expires-at", "2026-01-01", "--already-ended")
            # A leader looks for expired licenses when it begins to lead, and not again for a minute.
            assert expiries(pair) == 0
            pooler.kill()
            pooler.start()
            load.go_on()
            wait_until(lambda: len(leaders(pair)) == 1 and expiries(pair) == 1, PATIENCE)
        load.check()


@pytest.mark.parametrize("settings", ["", "server_round_robin = 1\n"])
def test_a_transaction_pooler_is_refused_before_anything_is_written(home, database, settings):
    with pgbouncer(home, database, "transaction", settings) as (_, pooled):
        installation = SharedInstallation(home, pooled, database.new_database(), "pooled")
        refused = installation.run("init")
        assert refused.code == 1 and "Use session pooling" in refused.err, refused
        assert database.sql("SELECT count(*) FROM pg_class WHERE relname = 'settings'", installation.store) == ["0"]
    direct = SharedInstallation(home, database, installation.store, "direct")
    direct.do("init")
    with pgbouncer(home, database, "transaction", settings) as (_, pooled):
        behind = SharedInstallation(home, pooled, installation.store, "pooled")
        for words in (("serve", "--listen", "127.0.0.1:0"), ("doctor",)):
            refused = behind.run(*words)
            assert refused.code == 1 and "Use session pooling" in refused.out + refused.err, refused
