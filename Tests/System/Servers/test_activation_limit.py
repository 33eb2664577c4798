"""Tests that activation limits hold across servers."""

from catalogs import policy
from crowd import all_at_once

DEVICES = 40


def test_exactly_one_gets_the_last_seat_of_two_servers(pair):
    for _ in range(5):
        key = pair.offer(policy(activationLimit=3))
        all_at_once(pair.servers, pair.tenant, 2, lambda app, number: app.activated(key, f"early {number}"))
        answers = all_at_once(
            pair.servers, pair.tenant, DEVICES, lambda app, number: app.activate(key, f"device {number}"))

        losers = [answer for answer in answers if answer.status != 200]
        assert len(losers) == DEVICES - 1
        assert {(answer.status, answer["code"]) for answer in losers} == {(402, "activation_limit_reached")}
        assert len(pair.installation.show(key)["activations"]) == 3


def test_one_machine_gets_one_seat_whichever_server_it_asks(pair):
    key = pair.offer(policy(activationLimit=3))
    machine = "ab" * 32
    answers = all_at_once(
        pair.servers, pair.tenant, DEVICES, lambda app, _: app.activate(key, "one", machine_hash=machine))

    assert {answer.status for answer in answers} == {200}
    assert len({answer["instance_id"] for answer in answers}) == 1
    assert len(pair.installation.show(key)["activations"]) == 1
