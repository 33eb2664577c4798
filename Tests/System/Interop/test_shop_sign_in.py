"""Tests a shop that signs users in on its own pages and confirms each sign-in over the operator API."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
import secrecy
from signed_market import INVALID, SignedMarket
from signing_in import PASSWORD, WebView

ENGINES = ("sqlite",)


@pytest.fixture
def market(shared_installation, shared_server):
    return SignedMarket(shared_installation, shared_server, signInURL="https://shop.example/in?from=mart")


def sent_to_shop(answer) -> dict:
    assert answer.status == 303
    place = answer.headers["location"]
    assert place.startswith("https://shop.example/in?from=mart&return=")
    return dict(parse_qsl(urlsplit(place).query, strict_parsing=True))


def below(url: str, market) -> str:
    assert url.startswith(f"https://{market.domain}/"), url
    return url.removeprefix(f"https://{market.domain}")


def link(market, state: str, account: str = "ada", headers: dict | None = None):
    return market.server.client.post(
        f"/v1/{market.tenant}/accounts/{account}/links", {"state": state}, headers or market.operator())


def test_a_sign_in_at_a_vendors_shop_is_completed_once_and_only_in_the_browser_that_began_it(market):
    app = market.app()
    sent = sent_to_shop(app.open())
    operator = market.operator()
    base = f"/v1/{market.tenant}/accounts"
    assert link(market, sent["state"], "eve", operator).status == 404
    made = market.server.client.ask(
        "PUT", base + "/eve%20x", b'{"email":"eve@example.com"}', operator | {"Content-Type": "application/json"})
    assert made.status == 200 and made["id"] == "eve x" and made["hasPassword"] is False
    grant = market.server.client.ask("PUT", f"{base}/eve%20x/apps/{market.items[0]}", None, operator)
    assert grant.status == 200 and grant["open"] is True
    made = link(market, sent["state"], "eve%20x", operator)
    assert made.status == 201 and made["expiresAt"]
    path = below(made["url"], market)
    secrecy.keep(path.split("/link/")[1].split("?")[0])

    stranger = market.app()
    stranger.open()
    for web in (stranger.web, WebView(market.server.client)):
        answer = web.get(path)
        assert answer.status == 403 and "location" not in answer.headers, "begun in another browser"
    # A HEAD request, as link scanners send it, changes nothing.
    head = app.web.head(path)
    assert head.status == 200 and head.body == b"" and "location" not in head.headers
    assert "set-cookie" not in head.headers and head.headers["cache-control"] == "no-store"
    code = app.code_in(app.web.get(path))
    assert app.web.get(path).status == 410
    assert link(market, sent["state"], "eve%20x", operator)["code"] == "sign_in_over"
    tokens = app.redeem(code).json
    assert market.opens(tokens["access_token"]) == 200
    ended = market.server.client.ask("DELETE", f"{base}/eve%20x/apps/{market.items[0]}", None, operator)
    assert ended.status == 200 and ended["open"] is False and ended["endedAt"]
    assert market.opens(tokens["access_token"]) == 200
    missing = market.server.client.ask("DELETE", f"{base}/eve%20x/apps/{market.items[1] + 5}", None, operator)
    assert missing.status == 409


def test_creating_a_second_link_to_complete_a_sign_in_at_a_shop_invalidates_the_first_link(market):
    app = market.app()
    sent = sent_to_shop(app.open())
    first, second = (below(link(market, sent["state"])["url"], market) for _ in range(2))
    assert app.web.get(first).status == 410
    assert app.code_in(app.web.get(second))


def test_cancelling_a_sign_in_at_a_vendors_shop_returns_to_the_app_with_the_error_access_denied(market):
    app = market.app()
    sent = sent_to_shop(app.open())
    back = below(sent["return"], market)
    assert WebView(market.server.client).get(back).status == 403
    assert app.items_in(app.web.get(back)) == {"error": "access_denied", "state": "xyz 1&2"}
    # The server doesn't accept a password for the cancelled sign-in.
    assert app.web.post(app.path("authorize"), {
        "sign_in": sent["state"], "account": "ada", "password": PASSWORD}).status == 403


def test_a_user_can_sign_in_to_the_resolution_page_through_the_vendors_shop(market):
    web = WebView(market.server.client)
    item = market.items[0]
    page = web.get(f"/resolve/{market.tenant}?account=ada&appleItemID={item}&appleVersionID=7000")
    assert page.status == 200 and b'name="password"' not in page.body
    begin = f"/oauth/{market.tenant}/page?appleItemID={item}&amp;appleVersionID=7000"
    assert begin.encode() in page.body
    sent = sent_to_shop(web.get(begin.replace("&amp;", "&")))
    back = web.get(below(sent["return"], market))
    assert back.headers["location"] == f"/resolve/{market.tenant}?appleItemID={item}&appleVersionID=7000"
    path = below(link(market, sent["state"])["url"], market)
    assert WebView(market.server.client).get(path).status == 403
    assert web.head(path).status == 200
    answer = web.get(path)
    assert answer.status == 200 and b"You are signed in" in answer.body
    own = web.get(f"/resolve/{market.tenant}?appleItemID={item}")
    assert b"Signed in as" in own.body
    assert web.get(path).status == 410


def test_the_operator_api_creates_a_handoff_token_only_for_an_existing_account_and_with_the_required_scope(market):
    operator = market.operator()
    made = market.server.client.post(f"/v1/{market.tenant}/accounts/ada/handoffs", {}, operator)
    assert made.status == 201 and set(made.json) == {"token", "expiresAt"}
    assert market.app().exchange(secrecy.keep(made["token"])).status == 200
    assert market.server.client.post(f"/v1/{market.tenant}/accounts/eve/handoffs", {}, operator).status == 404
    for state in ("", "nonsense", "A" * 9_000):
        assert link(market, state, headers=operator).status == 422
    taken = market.server.client.ask(
        "PUT", f"/v1/{market.tenant}/accounts/eve", b'{"email":"not one"}',
        operator | {"Content-Type": "application/json"})
    assert taken.status == 422
    words = ("token", "create", "--tenant", market.tenant, "--scope", "licenses:write", "--json")
    weak = {"Authorization": "Bearer " + secrecy.keep(market.installation.do(*words).json["token"])}
    assert market.server.client.post(f"/v1/{market.tenant}/accounts/ada/handoffs", {}, weak)["code"] == "scope_missing"


def test_an_account_has_at_most_fifty_valid_handoff_tokens(market):
    operator, base = market.operator(), f"/v1/{market.tenant}/accounts/ada"
    app = market.app()
    made = [secrecy.keep(market.server.client.post(base + "/handoffs", {}, operator)["token"]) for _ in range(60)]
    assert len(market.do("account", "credentials", "ada", "--json").json["credentials"]) == 51, "with the token"
    assert app.exchange(made[-1]).status == 200, "the newest takes the place of an older one"
    answers = [app.exchange(handoff) for handoff in made[:-1]]
    assert sum(answer.status == 200 for answer in answers) == 49
    assert {answer["error"] for answer in answers if answer.status != 200} == {INVALID}


@pytest.mark.parametrize("members, pointer", [
    ({"signInURL": "http://shop.example/in"}, "signInURL"), ({"signInURL": "https://shop.example/#in"}, "signInURL"),
    ({"signInURL": "http://localhost.evil.example/"}, "signInURL"),
    ({"redirectURIs": ["http://market.example/in"]}, "redirectURIs/0"),
    ({"redirectURIs": ["javascript:alert(1)"]}, "redirectURIs/0"),
    ({"redirectURIs": ["com.example:/in", "Com.example:/in"]}, "redirectURIs/1"),
    ({"redirectURIs": ["com.example:/in#a"]}, "redirectURIs/0"),
    ({"redirectURIs": ["com.example:/in", "com.example:/in"]}, "redirectURIs/1"),
])
def test_a_catalog_with_an_invalid_sign_in_url_or_redirect_uri_is_refused(market, members, pointer):
    catalog = {"tenants": [{"id": market.tenant, "marketplace": {"name": "Mart", "domain": market.domain} | members}]}
    output = market.installation.run("apply", "-", "--dry-run", given=json.dumps(catalog))
    assert output.code == 1 and f"/tenants/0/marketplace/{pointer}" in output.out + output.err, output
