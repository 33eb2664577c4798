"""Tests servers that are stopped while they handle requests."""

import http.client
import signal
import threading

import pytest
from catalogs import catalog, fresh_key, license, policy, product
from client import App

CLIENTS = 8


def keep_activating(app: App, key: str, name: str, acknowledged: list, faults: list, enough: threading.Event) -> None:
    """Activates devices until the server has ended; a partial response or an unexpected status is a fault."""
    number = 0
    while True:
        number += 1
        try:
            answer = app.activate(key, f"{name}-{number}")
        except (ConnectionError, http.client.RemoteDisconnected):
            return
        except Exception as fault:
            faults.append(repr(fault))
            return
        if answer.status == 200:
            acknowledged.append(answer["instance_id"])
        elif answer.status != 503:
            faults.append(repr(answer))
        if len(acknowledged) > 200:
            enough.set()


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_stopping_server_still_responds_to_accepted_requests(installation, by):
    key = fresh_key()
    installation.apply(catalog(
        "acme", product(policies=[policy(activationLimit=10_000)], licenses=[license(key)])))
    with installation.serving() as server:
        acknowledged, faults, enough = [], [], threading.Event()
        clients = [server.new_client() for _ in range(CLIENTS)]
        threads = [
            threading.Thread(target=keep_activating, args=(
                App(client, "acme", "notes"), key, f"client {number}", acknowledged, faults, enough))
            for number, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        assert enough.wait(60)
        server.send(by)
        for thread in threads:
            thread.join()
        assert server.stop() == 0
        assert '"drained":"yes"' in server.said

    assert faults == []
    assert set(acknowledged) == set(installation.places(key))


def test_a_server_can_be_stopped_as_soon_as_it_is_ready(installation):
    for _ in range(30):
        with installation.serving():
            pass


def test_a_second_signal_does_not_interrupt_a_stopping_server(installation):
    with installation.serving() as server:
        server.send(signal.SIGTERM)
        server.send(signal.SIGTERM)
        assert server.stop() == 0


def test_the_time_at_which_a_device_was_last_seen_is_stored_when_the_server_stops(installation):
    installation.moves_time()
    key = fresh_key()
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        installation.set_clock(3 * 86_400)
        assert app.validate(key, instance).status == 200

    seat = installation.show(key)["activations"][0]
    assert seat["lastSeenAt"] > seat["activatedAt"]
