"""Tests that servers notice when the database has returned to an older state, continue the events, and tell the operator."""

import json
import shutil

import catalogs
import pytest
import secrecy
from client import App
from conftest import Pair
from replication import is_primary, running_cluster
from waiting import eventually

PATIENCE = 60
MILLION = 1_000_000


class Shop:
    """Devices of one license that activate on a pair's servers, and a reader of the tenant's events."""

    def __init__(self, pair: Pair):
        self._pair = pair
        self.key = pair.offer(catalogs.policy(activationLimit=100))
        token = pair.installation.do(
            "token", "create", "--tenant", pair.tenant, "--name", "reader", "--scope", "events:read", "--json").json
        self._headers = {"Authorization": f"Bearer {secrecy.keep(token['token'])}"}

    def activate(self, device: str, number: int = 0) -> str:
        """Activates a device, with repetitions until that succeeds."""
        app = App(self._pair.servers[number].new_client(), self._pair.tenant, "notes")
        answer = eventually(lambda: app.activate(self.key, device), lambda answer: answer.status != 503, PATIENCE)
        assert answer.status == 200, answer
        return answer["instance_id"]

    def events(self, after: int = 0, number: int = 0) -> list[dict]:
        client = self._pair.servers[number].new_client()
        answer = client.get(f"/v1/{self._pair.tenant}/events?limit=500&after={after}", self._headers)
        assert answer.status == 200, answer
        return answer["events"]

    def validations(self, key: str, instance: str) -> list:
        """The responses of both dialects to a device that validates its license or renews its lease."""
        client = self._pair.servers[0].new_client()
        members = {"nonce": "a" * 32, "device": "0" * 64, "licenseKey": key, "activation": instance}
        return [
            App(client, self._pair.tenant, "notes").validate(key, instance),
            client.post(f"/v1/{self._pair.tenant}/notes/leases/renew", members)]

    @property
    def last(self) -> int:
        return self.events()[-1]["sequence"]


def history(pair: Pair) -> list[dict]:
    """The findings of `tenure doctor` about the store's history."""
    return [finding for finding in pair.installation.run("doctor", "--json").lines if finding["subject"] == "history"]


def checks_continuation(shop: Shop, last: int, number: int = 0) -> None:
    """Checks that a reader who knows the events up to `last` gets `store.restored` and the later events."""
    events = shop.events(after=last, number=number)
    assert events[0]["kind"] == "store.restored" and events[0]["sequence"] > last + MILLION - 1_000, events
    assert "activation.created" in [event["kind"] for event in events[1:]], events


def wait_until_ready(pair: Pair) -> None:
    """Waits until each server has stored the clock's mark again, which may have failed during a failover."""
    for server in pair.servers:
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200, PATIENCE)


def rewound(server) -> tuple[bool, bool]:
    """Whether `/ready` and `/metrics` report a store that returned to an older state; fails if the server isn't ready."""
    answer = server.client.get("/ready")
    assert answer.status == 200, answer
    return "rewound" in answer.json, "\ntenure_store_rewound 1\n" in server.client.get("/metrics").body.decode()


@pytest.fixture
def cluster():
    with running_cluster() as cluster:
        yield cluster


def test_servers_report_events_lost_in_a_failover_until_the_command_store_recovered_accepts_the_loss(home, cluster):
    pair = Pair(home, cluster)
    try:
        shop = Shop(pair.start())
        known = shop.activate("before")
        cluster.cut_off_standby()
        lost = [shop.activate(f"lost {number}", number) for number in (0, 1)]
        issued = pair.installation.do(
            "license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro", "--json").json
        lost_key = secrecy.keep(issued["licenseKey"])
        # The failover also loses this change, so the catalog's version decreases.
        pair.installation.do("key", "rotate", "--tenant", pair.tenant)
        for number in (0, 1):
            shop.activate(f"lost again {number}", number)
        last = shop.last
        cluster.fail_over()
        for number in (0, 1):
            shop.activate(f"after {number}", number)
        wait_until_ready(pair)
        checks_continuation(shop, last)
        checks_continuation(shop, last, number=1)
        finding, = history(pair)
        assert finding["level"] == "failure" and "store recovered" in finding["cure"], finding
        assert f"of {pair.tenant}" in finding["message"], finding
        for server in pair.servers:
            eventually(lambda: rewound(server), lambda state: state == (True, True), PATIENCE)
        answers = shop.validations(shop.key, lost[0]) + shop.validations(lost_key, lost[1])
        for answer in answers:
            assert answer.status == 503 and answer["code"] == "store_rewound" and answer.headers["retry-after"], answer
        assert shop.validations(shop.key, known)[0].status == 200
        lines = [json.loads(line) for server in pair.servers for line in server.said.splitlines() if line.startswith("{")]
        assert [line for line in lines if line["event"] == "store_rewound" and line["level"] == "error"]
        assert pair.installation.run("store", "recovered").code == 1
        settled = pair.installation.do("store", "recovered", "--yes", "--json").json
        assert settled["missingEvents"] > 0
        assert history(pair) == []
        for server in pair.servers:
            eventually(lambda: rewound(server), lambda state: state == (False, False), PATIENCE)
        assert [answer.status for answer in shop.validations(shop.key, lost[0])] == [422, 403]
        assert [answer.status for answer in shop.validations(lost_key, lost[1])] == [404, 404]
        pair.installation.do("doctor", "--deep")
    finally:
        pair.discard()


def test_a_former_primary_that_starts_again_is_not_used_until_the_command_store_recovered_accepts_it(home, cluster):
    pair = Pair(home, cluster)
    try:
        shop = Shop(pair.start())
        shop.activate("before")
        cluster.fail_over()
        for number in (0, 1):
            shop.activate(f"on the new primary {number}", number)
        former = cluster.standby
        former.start()
        eventually(lambda: is_primary(former), bool, PATIENCE)
        former.sql("ALTER SYSTEM RESET synchronous_standby_names")
        former.sql("SELECT pg_reload_conf()")
        store = pair.installation.store
        known = former.sql("SELECT id FROM activations", store)
        cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'server%'")
        acknowledged = [shop.activate(f"later {number}", number) for number in (0, 1)]
        assert set(acknowledged) <= set(cluster.sql("SELECT id FROM activations", store))
        cluster.primary.crash()
        app = App(pair.servers[0].new_client(), pair.tenant, "notes")
        answer = eventually(
            lambda: app.activate(shop.key, "on the former primary"),
            lambda answer: answer.status == 503 and answer["code"] == "store_rewound", PATIENCE)
        assert answer.headers["retry-after"], answer
        assert former.sql("SELECT id FROM activations", store) == known
        pair.installation.do("store", "recovered", "--yes")
        for number in (0, 1):
            shop.activate(f"on the accepted one {number}", number)
    finally:
        pair.discard()


class OldState:
    """A copy of a pair's database, which replaces the database later. No server may run during either step."""

    def __init__(self, pair: Pair):
        self._database, self._store = pair.database, pair.installation.store
        self._copy = f"{self._store}_old"
        self._database.sql(f"CREATE DATABASE {self._copy} TEMPLATE {self._store}")

    def bring_back(self) -> None:
        self._database.sql(f"DROP DATABASE {self._store}")
        self._database.sql(f"CREATE DATABASE {self._store} TEMPLATE {self._copy}")


def stop(pair: Pair) -> None:
    for server in pair.servers:
        server.stop()


def start(pair: Pair) -> None:
    pair.servers = [installation.start() for installation in pair.installations]


def test_servers_that_start_on_an_older_state_of_their_store_report_the_missing_events(pair):
    shop = Shop(pair)
    shop.activate("before")
    stop(pair)
    old = OldState(pair)
    start(pair)
    shop.activate("lost")
    last = shop.last
    stop(pair)
    old.bring_back()
    start(pair)
    shop.activate("after")
    checks_continuation(shop, last)
    finding, = history(pair)
    assert "At least 1 event is missing" in finding["message"], finding


def test_the_first_command_on_a_store_that_returned_to_an_older_state_records_store_restored_before_its_own_event(pair):
    shop = Shop(pair)
    shop.activate("before")
    stop(pair)
    old = OldState(pair)
    start(pair)
    shop.activate("lost")
    last = shop.last
    stop(pair)
    old.bring_back()
    found, = (line for line in pair.installation.run("doctor", "--json").lines if line["subject"] == "database")
    assert found["level"] == "failure" and "lacks 1 event that servers remember" in found["message"], found
    issued = pair.installation.do("license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro")
    secrecy.keep(issued.out.split()[2])
    assert "returned to an older state" in issued.err, issued
    start(pair)
    events = shop.events(after=last)
    assert [event["kind"] for event in events][:2] == ["store.restored", "license.issued"], events


def test_restarted_servers_do_not_report_a_store_that_lost_nothing_as_rewound(pair):
    shop = Shop(pair)
    shop.activate("before")
    stop(pair)
    start(pair)
    shop.activate("after")
    numbers = [event["sequence"] for event in shop.events()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert history(pair) == []


def test_an_older_copy_of_a_store_is_not_reported_as_rewound_by_servers_with_a_new_data_folder(pair, home):
    shop = Shop(pair)
    shop.activate("before")
    stop(pair)
    old = OldState(pair)
    start(pair)
    shop.activate("later")
    stop(pair)
    old.bring_back()
    shutil.rmtree(home / "tenure-data")
    start(pair)
    shop.activate("on the copy")
    numbers = [event["sequence"] for event in shop.events()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert history(pair) == []
