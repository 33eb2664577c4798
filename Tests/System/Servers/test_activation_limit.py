"""Tests that activation limits hold across servers."""

from catalogs import policy
from crowd import all_at_once

DEVICES = 40


def test_two_servers_grant_the_last_activation_of_a_license_once(pair):
    for _ in range(5):
        key = pair.offer(policy(activationLimit=3))
        all_at_once(pair.servers, pair.tenant, 2, lambda app, number: app.activated(key, f"early {number}"))
        answers = all_at_once(
            pair.servers, pair.tenant, DEVICES, lambda app, number: app.activate(key, f"device {number}"))

        losers = [answer for answer in answers if answer.status != 200]
        assert len(losers) == DEVICES - 1
        assert {(answer.status, answer["code"]) for answer in losers} == {(402, "activation_limit_reached")}
        assert len(pair.installation.show(key)["activations"]) == 3


def test_one_device_uses_one_activation_at_two_servers(pair):
    key = pair.offer(policy(activationLimit=3))
    machine = "ab" * 32
    answers = all_at_once(
        pair.servers, pair.tenant, DEVICES, lambda app, _: app.activate(key, "one", machine_hash=machine))

    assert {answer.status for answer in answers} == {200}
    assert len({answer["instance_id"] for answer in answers}) == 1
    assert len(pair.installation.show(key)["activations"]) == 1
