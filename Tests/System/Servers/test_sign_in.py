"""Tests sign-ins on two servers that receive the same code or token at the same time."""

import threading

import pytest
import secrecy
from signing_in import PASSWORD, AppSigningIn

INVALID = "invalid_grant"


@pytest.fixture
def market(pair):
    pair.installation.apply({"tenants": [{"id": pair.tenant, "marketplace": {
        "name": "Mart", "domain": f"{pair.tenant}.example", "access": "token", "accounts": [{"id": "ada"}]}}]})
    pair.installation.do(
        "account", "add", "ada", "--tenant", pair.tenant, "--password-file", "-", given=secrecy.keep(PASSWORD) + "\n")
    return pair


def at(market, server: int, app: AppSigningIn | None = None) -> AppSigningIn:
    """A new app at a server, or a copy of an existing one."""
    other = AppSigningIn(market.servers[server].new_client(), market.tenant)
    if app:
        other.id, other.verifier, other.web.cookies = app.id, app.verifier, dict(app.web.cookies)
    return other


def at_once(*acts):
    """Runs the functions at the same time, and returns their results."""
    barrier, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place: int) -> None:
        barrier.wait()
        answers[place] = acts[place]()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def state(market, server: int, token: str) -> int:
    return market.servers[server].new_client().get(
        f"/marketplace/{market.tenant}/licenses/state", {"Authorization": f"Bearer {token}"}).status


def test_a_sign_in_started_at_one_server_continues_at_the_other(market):
    here = at(market, 0)
    there = at(market, 1, here)
    page = here.open()
    there.web.cookies = here.web.cookies
    tokens = here.redeem(there.code_in(there.send(page, account="ada", password=PASSWORD))).json
    assert state(market, 1, tokens["access_token"]) == 200
    assert there.refresh(tokens["refresh_token"]).status == 200


def test_a_refresh_token_used_at_both_servers_at_once_has_one_valid_successor(market):
    for _ in range(12):
        apps = [at(market, 0)]
        apps.append(at(market, 1, apps[0]))
        first = apps[0].signed_in()["refresh_token"]
        answers = at_once(*[lambda app=app: app.refresh(first) for app in apps])
        # An app and its extension each get a token; only the last one stays valid.
        assert [answer.status for answer in answers] == [200, 200]
        after = [apps[0].refresh(answer["refresh_token"]) for answer in answers]
        assert sorted(answer.status for answer in after) == [200, 400]
        alive = next(answer for answer in after if answer.status == 200)
        assert state(market, 1, alive["access_token"]) == 200


def test_an_authorization_code_used_at_both_servers_at_once_ends_its_tokens(market):
    for _ in range(8):
        apps = [at(market, 0)]
        apps.append(at(market, 1, apps[0]))
        code = apps[0].code()
        answers = at_once(*[lambda app=app: app.redeem(code) for app in apps])
        assert sorted(answer.status for answer in answers) == [200, 400]
        given = next(answer for answer in answers if answer.status == 200)
        assert state(market, 0, given["access_token"]) == 403
        assert apps[0].refresh(given["refresh_token"])["error"] == INVALID


def test_a_handoff_token_used_at_both_servers_at_once_is_exchanged_once(market):
    for _ in range(8):
        made = market.installation.do("account", "token", "ada", "--handoff", "--tenant", market.tenant, "--json")
        handoff = secrecy.keep(made.json["token"])
        answers = at_once(*[lambda app=app: app.exchange(handoff) for app in (at(market, 0), at(market, 1))])
        assert sorted(answer.status for answer in answers) == [200, 400]


def test_if_a_refresh_token_is_reused_while_its_new_access_token_is_first_used_only_one_request_succeeds(market):
    for _ in range(12):
        apps = [at(market, 0)]
        apps.append(at(market, 1, apps[0]))
        first = apps[0].signed_in()["refresh_token"]
        second = apps[0].refresh(first).json
        used, again = at_once(
            lambda: state(market, 0, second["access_token"]), lambda: apps[1].refresh(first))
        if used == 200:
            assert again.status == 400, "something of the successor was in use"
        else:
            assert again.status == 200 and state(market, 1, again["access_token"]) == 200
