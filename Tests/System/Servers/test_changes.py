"""Tests that every server applies the changes of a command."""

from concurrent.futures import ThreadPoolExecutor

import secrecy
from catalogs import catalog, license, policy, product
from client import App
from crowd import wait_until

SOON = 2


def apps(pair) -> list[App]:
    return [App(server.client, pair.tenant, "notes") for server in pair.servers]


def test_a_revoked_license_is_refused_by_both_servers_from_the_next_request(pair):
    key = pair.offer()
    instance = apps(pair)[0].activated(key)
    assert {app.validate(key, instance).status for app in apps(pair)} == {200}
    pair.installation.do("license", "revoke", key)
    assert {app.validate(key, instance).status for app in apps(pair)} == {422}


def test_after_a_key_rotation_both_servers_publish_the_new_key_and_sign_with_it(pair):
    key = pair.offer()
    instance = apps(pair)[0].activated(key)
    before = apps(pair)[1].validate(key, instance)["lease"]["kid"]
    pair.installation.do("key", "rotate", "--tenant", pair.tenant)

    def primaries() -> set[str]:
        path = f"/{pair.tenant}/.well-known/keylight-keys"
        return {server.client.get(path)["primary_kid"] for server in pair.servers}

    wait_until(lambda: len(primaries()) == 1 and before not in primaries(), SOON)
    assert {app.validate(key, instance)["lease"]["kid"] for app in apps(pair)} == primaries()


def test_both_servers_use_the_activation_limit_of_a_changed_policy(pair):
    key = pair.offer(policy(activationLimit=1))
    apps(pair)[0].activated(key)
    assert {app.activate(key, "two").status for app in apps(pair)} == {402}
    pair.installation.apply(catalog(pair.tenant, product(
        policies=[policy(activationLimit=3)], licenses=[license(key)])))
    assert [app.activate(key, f"more {number}").status for number, app in enumerate(apps(pair))] == [200, 200]
    assert {app.activate(key, "too many").status for app in apps(pair)} == {402}


def test_an_order_sent_to_both_servers_is_carried_out_once(pair):
    pair.offer()
    token = pair.installation.do(
        "token", "create", "--tenant", pair.tenant, "--name", "web", "--scope", "licenses:write", "--json").json["token"]
    secrecy.keep(token)

    def order(server) -> dict:
        answer = server.client.post(
            f"/v1/{pair.tenant}/licenses", {"product": "notes", "policy": "pro"},
            {"Authorization": f"Bearer {token}", "Idempotency-Key": "order-1"})
        secrecy.keep(answer["licenses"][0]["licenseKey"])
        return answer

    with ThreadPoolExecutor(2) as threads:
        answers = [answer for _ in range(3) for answer in threads.map(order, pair.servers)]
    assert len({answer["licenses"][0]["id"] for answer in answers}) == 1, answers
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
