"""Tests fifty devices that compete for a license's last activation."""

import threading

from catalogs import policy
from client import App

DEVICES = 50


def race(vendor, key: str, members=lambda number: {}) -> list:
    """Activates all devices at the same time, each over its own open connection; returns the responses."""
    start, answers = threading.Barrier(DEVICES), [None] * DEVICES

    def device(number: int) -> None:
        client = vendor.server.new_client()
        client.connect()
        start.wait()
        answers[number] = App(client, vendor.tenant, "notes").activate(key, f"Device {number}", **members(number))
        client.close()

    threads = [threading.Thread(target=device, args=(number,)) for number in range(DEVICES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_exactly_one_of_fifty_devices_gets_the_last_activation(vendor):
    for _ in range(5):
        key = vendor.offer_license(policy(activationLimit=3))
        for name in ("first", "second"):
            vendor.app().activated(key, name)
        answers = race(vendor, key)

        winners = [answer for answer in answers if answer.status == 200]
        losers = [answer for answer in answers if answer.status != 200]
        assert len(winners) == 1
        assert {(answer.status, answer["code"]) for answer in losers} == {(402, "activation_limit_reached")}
        seats = vendor.installation.show(key)["activations"]
        assert len(seats) == 3 and winners[0]["instance_id"] in vendor.installation.places(key)


def test_fifty_concurrent_requests_of_one_device_use_one_activation(vendor):
    key = vendor.offer_license(policy(activationLimit=1))
    answers = race(vendor, key, lambda number: {"machine_hash": "ab" * 32})

    assert {answer.status for answer in answers} == {200}
    assert len({answer["instance_id"] for answer in answers}) == 1
    assert len(vendor.installation.show(key)["activations"]) == 1
