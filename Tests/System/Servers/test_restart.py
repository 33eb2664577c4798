"""Tests a restart of PostgreSQL under load: clear errors, automatic recovery, and no acknowledged change lost."""

import itertools
import threading
import time

import catalogs
import pytest
from client import App
from crowd import wait_until

WRITERS = 6
# A server accepts at most 600 activations of one license a minute.
LICENSES = 30


@pytest.mark.parametrize("how", ["stop", "crash"])
def test_a_restart_of_postgresql_under_load_loses_no_acknowledged_activation(fragile_pair, how):
    pair = fragile_pair
    keys = [catalogs.fresh_key() for _ in range(LICENSES)]
    pair.installation.apply(catalogs.catalog(pair.tenant, catalogs.product(
        policies=[catalogs.policy(activationLimit=10_000)], licenses=[catalogs.license(key) for key in keys])))
    next_keys = itertools.cycle(keys)
    acknowledged, refused, faults = set(), [], []
    lock, is_over, is_back = threading.Lock(), threading.Event(), threading.Event()
    after = [0] * WRITERS

    def write(number: int) -> None:
        app, turn = App(pair.servers[number % 2].new_client(), pair.tenant, "notes"), 0
        try:
            while not is_over.is_set():
                turn += 1
                answer = app.activate(next(next_keys), f"device {number} {turn}")
                with lock:
                    if answer.status == 200:
                        acknowledged.add(answer["instance_id"])
                        after[number] += is_back.is_set()
                    else:
                        assert answer.status == 503 and answer.headers.get("retry-after"), answer
                        refused.append(answer)
                if answer.status != 200:
                    time.sleep(0.01)
        except Exception as fault:
            faults.append(fault)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    wait_until(lambda: len(acknowledged) > 100 or faults, 60)
    getattr(pair.database, how)()
    wait_until(lambda: len(refused) > WRITERS or faults, 60)
    for server in pair.servers:
        ready = server.new_client().get("/ready")
        assert ready.status == 503 and ready["code"] == "store_unavailable"
    pair.database.start()
    is_back.set()
    wait_until(lambda: all(count > 3 for count in after) or faults, 60)
    is_over.set()
    for writer in writers:
        writer.join()

    assert not faults
    stored = set(pair.installation.sql("SELECT id FROM activations"))
    assert acknowledged <= stored
    # Only requests in progress when the connection broke may be stored without an acknowledgement.
    assert len(stored - acknowledged) <= len(refused)
    assert pair.installation.sql("SELECT count(*) FROM events WHERE kind = 'activation.created'") == [str(len(stored))]
