"""Tests a server whose database another process has locked."""

import sqlite3
import threading
from contextlib import contextmanager

from catalogs import catalog, fresh_key, license, policy, product
from client import App
from waiting import eventually


@contextmanager
def held(installation):
    """Holds the database's write lock, as another program may."""
    other = sqlite3.connect(installation.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def requests_in_flight(server) -> int:
    for line in server.client.get("/metrics").body.decode().splitlines():
        if line.startswith("tenure_requests_in_flight "):
            return int(float(line.split()[1]))
    raise AssertionError("no such metric")


def test_a_locked_database_refuses_changes_and_serves_reads(installation):
    key = fresh_key()
    installation.apply(catalog("acme", product(policies=[policy(activationLimit=100)], licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        answers = []

        def activate(number: int) -> None:
            client = server.new_client()
            answers.append(App(client, "acme", "notes").activate(key, f"Device {number}"))
            client.close()

        with held(installation):
            threads = [threading.Thread(target=activate, args=(number,)) for number in range(5)]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                assert app.validate(key, instance).status == 200
                # Once the server's own regular write has waited for five seconds, the server isn't ready.
                ready = server.client.get("/ready")
                assert ready.status == 200 or (ready["code"], ready["scope"]) == ("store_busy", "store"), ready
            for thread in threads:
                thread.join()

        assert [answer.status for answer in answers] == [503] * 5
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in answers)
        assert {answer["code"] for answer in answers} == {"try_again"}
        assert app.activate(key, "Afterwards").status == 200
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200)
        assert len(installation.show(key)["activations"]) == 2


def test_an_activation_succeeds_after_waiting_for_a_short_lock_of_the_database(installation):
    key = fresh_key()
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    with installation.serving() as server:
        client, answers = server.new_client(), []
        waiting = threading.Thread(target=lambda: answers.append(App(client, "acme", "notes").activate(key)))
        with held(installation):
            waiting.start()
            # The two requests in flight are the one for metrics and the waiting activation.
            while requests_in_flight(server) < 2:
                pass
        waiting.join()
        client.close()

        assert answers[0].status == 200
        assert len(installation.show(key)["activations"]) == 1
