"""Tests that servers and commands don't use a former primary that starts again without becoming a standby."""

import json

import pytest
from client import App
from conftest import Pair
from replication import is_primary, running_cluster
from test_leading import leaders
from test_rewound_store import PATIENCE, Shop, start, stop
from waiting import eventually


@pytest.fixture
def cluster():
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def pair(home, cluster):
    pair = Pair(home, cluster)
    try:
        yield pair.start()
    finally:
        pair.discard()


def bring_back(former) -> None:
    """Starts a former primary, which accepts changes at once."""
    former.start()
    eventually(lambda: is_primary(former), bool, PATIENCE)
    former.sql("ALTER SYSTEM RESET synchronous_standby_names")
    former.sql("SELECT pg_reload_conf()")


def contents(database, store: str) -> list[str]:
    """A hash of each row of the tables to which servers write."""
    return [row for table in ("settings", "leaders", "activations", "event_counters", "tenure_migrations")
            for row in database.sql(f"SELECT md5(t::text) FROM {table} t ORDER BY 1", store)]


def remembered(pair: Pair) -> list[dict]:
    """The contents of the files in which servers remember their store's history."""
    folder = pair.installation.home / "tenure-data"
    return [json.loads(file.read_text()) for file in folder.glob("store-history-*[0-9]")]


def finding(pair: Pair) -> dict:
    """The finding of `tenure doctor` about the database host in use."""
    found, = (line for line in pair.installation.run("doctor", "--json").lines if line["subject"] == "database")
    return found


def refused(pair: Pair, shop: Shop) -> None:
    """Waits until a server refuses an activation, because it reaches only the former primary."""
    app = App(pair.servers[0].new_client(), pair.tenant, "notes")
    answer = eventually(
        lambda: app.activate(shop.key, "on the former primary"),
        lambda answer: answer.status == 503 and answer["code"] == "store_rewound", PATIENCE)
    assert answer.headers["retry-after"], answer


def test_a_former_primary_is_refused_until_the_command_store_recovered_accepts_its_state(pair, cluster):
    shop = Shop(pair)
    shop.activate("before")
    shop_finding = finding(pair)
    assert shop_finding["level"] == "ok" and f"{cluster.primary.folder}:5432, on timeline 1" in shop_finding["message"]
    cluster.fail_over()
    for number in (0, 1):
        shop.activate(f"on the new primary {number}", number)
    pair.installation.do("store", "recovered", "--yes")
    eventually(lambda: remembered(pair), lambda files: len(files) == 2 and all(file["former"] for file in files), PATIENCE)
    assert "on timeline 2" in finding(pair)["message"]
    former = cluster.standby
    bring_back(former)
    before = contents(former, pair.installation.store)
    cluster.primary.crash()
    refused(pair, shop)
    issued = pair.installation.run(
        "license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro")
    assert issued.code == 1 and "former primary" in issued.err, issued
    found = finding(pair)
    assert found["level"] == "failure" and "make it a standby" in found["cure"], found
    assert str(former.folder) in found["message"], found
    assert contents(former, pair.installation.store) == before
    pair.installation.do("store", "recovered", "--yes")
    for number in (0, 1):
        shop.activate(f"on the accepted one {number}", number)
    assert finding(pair)["level"] == "ok"


def test_servers_and_commands_reject_a_former_primary_and_use_the_new_one(pair, cluster):
    shop = Shop(pair)
    shop.activate("before")
    cluster.fail_over()
    for number in (0, 1):
        shop.activate(f"on the new primary {number}", number)
    former, store = cluster.standby, pair.installation.store
    bring_back(former)
    before = contents(former, store)
    cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'server%'")
    for number in (0, 1):
        shop.activate(f"later {number}", number)
        assert shop.events(number=number)
    eventually(lambda: len(leaders(pair)), lambda count: count == 1, PATIENCE)
    assert not former.sql("SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory'")
    for server in pair.servers:
        lines = server.client.get("/metrics").body.decode().splitlines()
        assert f'tenure_store_host{{host="{cluster.primary.folder}:5432"}} 1' in lines
        count, = (line.split()[1] for line in lines if line.startswith("tenure_store_connections_refused_total "))
        assert int(count) > 0
    count = "SELECT count(*) FROM licenses"
    issued = int(cluster.sql(count, store)[0])
    pair.installation.do("license", "issue", "--tenant", pair.tenant, "--product", "notes", "--policy", "pro")
    assert cluster.sql(count, store) == [str(issued + 1)]
    # In the store's URL, the former primary is the first host.
    pair.installation.do("store", "recovered", "--yes")
    assert contents(former, store) == before


def test_a_server_that_starts_with_a_former_primary_changes_nothing_there(pair, cluster):
    shop = Shop(pair)
    shop.activate("before")
    cluster.fail_over()
    for number in (0, 1):
        shop.activate(f"on the new primary {number}", number)
    stop(pair)
    former, store = cluster.standby, pair.installation.store
    bring_back(former)
    cluster.primary.crash()
    before = contents(former, store)
    start(pair)
    refused(pair, shop)
    assert contents(former, store) == before
    cluster.primary.start()
    shop.activate("on the new primary again")
    assert contents(former, store) == before
