"""Tests the remembered history of stores whose servers share a data folder, a store or a name."""

import json

import catalogs
import pytest
from conftest import Pair
from database import SharedInstallation
from test_rewound_store import MILLION, OldState, Shop, history, start, stop
from waiting import eventually


def suspicions(pair: Pair) -> list[str]:
    """The log lines in which servers report that their store may have lost events."""
    lines = [json.loads(line) for server in pair.servers for line in server.said.splitlines() if line.startswith("{")]
    return [line["event"] for line in lines if line["event"] in ("store_rewound", "store_history_replaced")]


@pytest.fixture
def other(home, database):
    """Two servers on another store, with the data folder of the first pair."""
    pair = Pair(home, database)
    try:
        yield pair.start()
    finally:
        pair.discard()


def test_servers_of_two_stores_with_one_data_folder_keep_separate_histories(pair, other):
    shops = [Shop(pair), Shop(other)]
    for shop in shops:
        shop.activate("before")
    for each in (pair, other):
        stop(each)
    old = OldState(pair)
    for each in (pair, other):
        start(each)
    for shop in shops:
        shop.activate("again")
    for each in (pair, other):
        assert suspicions(each) == [] and history(each) == []
    lost = shops[0].last
    # The other store's servers save their remembered history last.
    stop(pair)
    shops[1].activate("last")
    stop(other)
    old.bring_back()
    for each in (pair, other):
        start(each)
    for shop in shops:
        shop.activate("after")
    assert shops[0].events(after=lost)[0]["sequence"] > lost + MILLION - 1_000
    assert history(pair) and not history(other)
    assert "store_rewound" in suspicions(pair)
    assert suspicions(other) == []


def test_a_loss_of_events_that_only_the_second_of_two_servers_wrote_is_reported(pair):
    shop = Shop(pair)
    for number in (0, 1):
        shop.activate(f"before {number}", number)
    stop(pair)
    old = OldState(pair)
    start(pair)
    shop.activate("lost", number=1)
    last = shop.last
    pair.servers[1].stop()
    # The first server saves its remembered history after the second one has ended.
    pair.servers[0].stop()
    old.bring_back()
    pair.servers = [pair.installations[0].start()]
    shop.activate("after")
    assert shop.events(after=last)[0]["kind"] == "store.restored"
    assert history(pair)


def test_two_servers_skip_a_million_event_numbers_only_once_after_the_store_lost_a_tenant(pair):
    stop(pair)
    old = OldState(pair)
    start(pair)
    shop = Shop(pair)
    for number in (0, 1):
        shop.activate(f"lost {number}", number)
    last = shop.last
    stop(pair)
    old.bring_back()
    start(pair)
    finding, = eventually(lambda: history(pair), bool)
    assert f"of {pair.tenant}" in finding["message"], finding
    floor = pair.installation.sql("SELECT convert_from(value, 'UTF8') FROM settings WHERE name = 'events.floor'")
    assert floor == [str(last + MILLION)]
    again = Shop(pair)
    again.activate("after")
    first = again.events()[0]
    assert first["kind"] == "store.restored" and first["sequence"] == last + MILLION + 1, first
    pair.installation.do("store", "recovered", "--yes")
    pair.installation.do("doctor", "--deep")


def test_an_older_copy_of_a_store_under_another_name_is_reported_as_rewound(pair, database):
    shop = Shop(pair)
    shop.activate("before")
    stop(pair)
    renamed = f"{pair.installation.store}_restored"
    database.sql(f"CREATE DATABASE {renamed} TEMPLATE {pair.installation.store}")
    start(pair)
    shop.activate("lost")
    last = shop.last
    stop(pair)
    for installation in pair.installations:
        installation.store = renamed
    start(pair)
    shop.activate("after")
    assert shop.events(after=last)[0]["kind"] == "store.restored"
    assert history(pair)


def test_doctor_deep_names_an_invalid_record_of_lost_events(home, database):
    installation = SharedInstallation(home, database, database.new_database(), "damaged")
    installation.do("init")
    tenant = catalogs.fresh()
    license = catalogs.license(catalogs.fresh_key())
    installation.apply(catalogs.catalog(tenant, catalogs.product(licenses=[license])))

    def faults(record: str) -> str:
        installation.sql("DELETE FROM settings WHERE name = 'store.rewound'")
        installation.sql(f"INSERT INTO settings VALUES ('store.rewound', convert_to('{record}', 'UTF8'))")
        return installation.run("doctor", "--deep").out

    def record(last: int, restored: int, tenant: str = tenant) -> str:
        loss = {"tenant": tenant, "first": 1, "last": last, "restored": restored}
        return json.dumps({"noticedAt": "2026-11-29T03:00:00Z", "tenants": [loss]})

    assert "is not a record of lost events" in faults("soon")
    assert "is not a record of lost events" in faults(record(7, 7))
    assert f"says that the events of {tenant} go on with number {MILLION}" in faults(record(7, MILLION))
    assert "store.rewound" not in faults(record(7, MILLION, "lost"))
