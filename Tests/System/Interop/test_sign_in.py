"""Tests sign-in for apps, with Authlib as the app, and with invalid forms and tokens."""

import os
import sqlite3
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import closing

import pytest
import secrecy
from authlib.integrations.requests_client import OAuth2Session
from installation import Installation
from signed_market import INVALID, SignedMarket
from signing_in import EXCHANGE, PASSWORD, SYSTEM, AppSigningIn, Form, WebView

ENGINES = ("postgres",)


@pytest.fixture
def market(shared_installation, shared_server):
    return SignedMarket(shared_installation, shared_server)


@pytest.fixture
def timed_market(home):
    installation = Installation(home).moves_time()
    with installation.serving() as server:
        yield SignedMarket(installation, server)


def test_the_oauth_library_authlib_can_discover_the_endpoints_sign_in_and_refresh_its_tokens(market, monkeypatch):
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    address = market.server.address
    found = market.server.client.get("/.well-known/oauth-authorization-server", {"Host": market.domain})
    assert found.status == 200 and "location" not in found.headers
    assert found["issuer"] == f"https://{market.domain}"
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["response_types_supported"] == ["code"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token", EXCHANGE]
    here = {name: found[name].replace(f"https://{market.domain}", address)
            for name in ("authorization_endpoint", "token_endpoint")}
    app = market.app()
    with OAuth2Session(
            app.id, redirect_uri=SYSTEM, code_challenge_method="S256", token_endpoint_auth_method="none",
            token_endpoint=here["token_endpoint"]) as session:
        url, state = session.create_authorization_url(here["authorization_endpoint"], code_verifier=app.verifier)
        page = app.web.get(url.removeprefix(address))
        answer = app.send(page, account="ada", password=PASSWORD)
        assert answer.status == 303
        token = session.fetch_token(
            here["token_endpoint"], authorization_response=answer.headers["location"], state=state,
            code_verifier=app.verifier)
        assert token["token_type"] == "Bearer" and token["expires_in"] == 3600 and token["scope"] == "all"
        url = f"{address}/marketplace/{market.tenant}/restore"
        assert session.post(url, json=market.offer).status_code == 200
        fresh = session.refresh_token(here["token_endpoint"], refresh_token=token["refresh_token"])
        for one in (token, fresh):
            secrecy.keep(one["access_token"])
            secrecy.keep(one["refresh_token"])
        assert fresh["refresh_token"] != token["refresh_token"]
        assert session.post(url, json=market.offer).status_code == 200


def test_an_access_token_has_the_rights_of_its_account_and_a_refresh_token_has_none(market):
    tokens = market.app().signed_in()
    for what in ("restore", "updates"):
        assert market.opens(tokens["access_token"], what) == 200
        assert market.opens(tokens["refresh_token"], what) == 403
    phone = market.phone(tokens["access_token"])
    item, own = market.items
    # Every account may license the marketplace's own app.
    body = phone.ask({one: market.apps[one] for one in (item, own)})
    assert body.status == 200 and body["unlicensedApps"] == [], body
    assert market.server.client.get(
        f"/marketplace/{market.tenant}/licenses/state", {"Authorization": f"Bearer {tokens['access_token']}"}).status == 200


def test_an_account_without_grants_gets_a_license_only_for_the_marketplaces_own_app(market):
    phone = market.phone(secrecy.keep(market.account("bob")))
    item, own = market.items
    answer = phone.ask({one: market.apps[one] for one in (item, own)})
    assert answer["unlicensedApps"] == [str(item)]
    license = phone_license(market, "bob")
    renewed = phone.renew(license)
    assert renewed.status == 200 and renewed["ineligibleLicenses"] == [], renewed
    assert market.do("license", "explain", license, "--json").json["reasons"] == []


def phone_license(market, account: str) -> str:
    listed = market.installation.do("license", "list", "--tenant", market.tenant, "--account", account, "--json").json
    return listed["licenses"][0]["licenseID"]


def test_an_authorization_code_can_be_used_once_and_a_second_use_ends_its_tokens(market):
    app = market.app()
    code = app.code()
    for wrong in ({"code_verifier": "x" * 43}, {"client_id": "other"}, {"redirect_uri": "https://evil.example/"}):
        assert app.redeem(code, **wrong)["error"] == INVALID
    answer = app.redeem(code, redirect_uri=SYSTEM)
    assert answer.status == 200
    assert market.opens(answer["access_token"]) == 200
    # An attacker who only read the code in a URL lacks the verifier, so the sign-in continues.
    assert app.redeem(code, code_verifier="x" * 43)["error"] == INVALID
    assert market.opens(answer["access_token"]) == 200
    again = app.redeem(code)
    assert again.status == 400 and again["error"] == INVALID
    assert market.opens(answer["access_token"]) == 403
    assert app.refresh(answer["refresh_token"])["error"] == INVALID
    assert market.credentials()["sign-in"]["endedAt"]
    assert [event["shown"] for event in map(detail, market.events("account.sign_in_ended"))] == ["code"]
    assert [event["by"] for event in map(detail, market.events("account.signed_in"))] == ["password"]


def detail(event: dict) -> dict:
    return event["detail"]


def test_using_a_refresh_token_whose_successor_has_been_used_ends_the_sign_in(market):
    app = market.app()
    first = app.signed_in()
    second = app.refresh(first["refresh_token"]).json
    # If the response was lost or the app's extension used the same token, the server issues another successor. The
    # previous successor becomes invalid.
    third = app.refresh(first["refresh_token"]).json
    assert app.refresh(second["refresh_token"])["error"] == INVALID
    assert market.opens(second["access_token"]) == 403
    assert app.refresh(third["refresh_token"], client_id="other-client")["error"] == INVALID
    assert market.opens(first["access_token"]) == 200
    fourth = app.refresh(third["refresh_token"]).json
    assert app.refresh(second["refresh_token"])["error"] == INVALID
    assert market.opens(fourth["access_token"]) == 200
    # Once a successor has been used, its predecessor is a used token, which ends the sign-in.
    assert app.refresh(third["refresh_token"])["error"] == INVALID
    assert market.opens(fourth["access_token"]) == 403
    assert app.refresh(fourth["refresh_token"])["error"] == INVALID


def test_using_an_older_refresh_token_again_ends_all_tokens_of_the_sign_in(market):
    app = market.app()
    tokens = [app.signed_in()["refresh_token"]]
    for _ in range(4):
        tokens.append(app.refresh(tokens[-1])["refresh_token"])
    assert app.refresh(tokens[1])["error"] == INVALID
    assert app.refresh(tokens[-1])["error"] == INVALID


def test_a_forged_refresh_token_is_refused_and_does_not_end_the_sign_in(market):
    """URLs contain the common prefix of a sign-in's tokens, so a token with a guessed rest must not end the sign-in."""
    app = market.app()
    given = app.signed_in()
    for _ in range(3):
        given = app.refresh(given["refresh_token"]).json
    origin = urlsafe_b64decode(given["refresh_token"].removeprefix("tenure_or_"))[:32]
    for number in (1, 2, 3, 4, 5):
        made_up = origin + number.to_bytes(8, "big") + os.urandom(32)
        assert app.refresh("tenure_or_" + urlsafe_b64encode(made_up).decode().rstrip("="))["error"] == INVALID
    assert market.opens(given["access_token"]) == 200
    assert app.refresh(given["refresh_token"]).status == 200


@pytest.mark.parametrize("changes", [
    {},
    {"issued_token_type": "", "requested_token_type": "urn:ietf:params:oauth:token-type:access_token"},
    {"subject_token_type": "ietf:params:oauth:token-type:access_token", "issued_token_type": ""},
    {"grant_type": "ietf:params:oauth:grant-type:token-exchange"},
])
def test_a_handoff_token_can_be_exchanged_once(market, changes):
    made = market.do("account", "token", "ada", "--handoff", "--json").json
    handoff = secrecy.keep(made["token"])
    app = market.app()
    answer = app.exchange(handoff, **changes)
    assert answer.status == 200, answer
    assert answer["token_type"] == "bearer" and answer["expires_in"] == 3600
    assert market.opens(answer["access_token"]) == 200
    assert app.exchange(handoff, **changes)["error"] == INVALID
    assert market.opens(answer["access_token"]) == 200, "its second use is refused alone"
    assert app.refresh(answer["refresh_token"]).status == 200
    assert market.app().refresh(answer["refresh_token"])["error"] == INVALID, "another client's"


def test_invalid_token_requests_get_the_errors_of_rfc_6749(market):
    app = market.app()
    code = app.code()
    cases = [
        ({}, "invalid_request"), ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code", "code": code}, "invalid_request"),
        ({"grant_type": "authorization_code", "code": code, "client_id": app.id}, "invalid_request"),
        ({"grant_type": "refresh_token", "client_id": app.id}, "invalid_request"),
        ({"grant_type": "refresh_token", "client_id": app.id, "refresh_token": "nonsense"}, INVALID),
        ({"grant_type": "refresh_token", "client_id": app.id, "refresh_token": code}, INVALID),
        ({"grant_type": EXCHANGE, "client_id": app.id, "subject_token": "x"}, "invalid_request"),
        ({"grant_type": EXCHANGE, "client_id": app.id, "subject_token": "x",
          "subject_token_type": "urn:ietf:params:oauth:token-type:jwt"}, "invalid_request"),
        ({"grant_type": EXCHANGE, "client_id": app.id, "subject_token": market.token,
          "subject_token_type": "urn:ietf:params:oauth:token-type:access_token"}, INVALID),
        *(({"grant_type": "authorization_code", "code": code, "client_id": app.id, "code_verifier": verifier},
           "invalid_request") for verifier in ("x" * 42, "x" * 129, "x" * 42 + " ", "x" * 42 + "é")),
        ({"grant_type": "authorization_code", "code": code, "client_id": "c" * 300, "code_verifier": app.verifier},
         "invalid_request"),
    ]
    for fields, error in cases:
        answer = app.ask(**fields)
        assert (answer.status, answer["error"]) == (400, error), fields
    for body, kind in ((b"grant_type=a&grant_type=b", "application/x-www-form-urlencoded"),
                       (b"{}", "application/json"), (b"\xff=1", "application/x-www-form-urlencoded")):
        answer = market.server.client.ask("POST", app.path("token"), body, {"Content-Type": kind})
        assert (answer.status, answer["error"]) == (400, "invalid_request")
    long = market.server.client.ask(
        "POST", app.path("token"), b"x=" + b"y" * 20_000, {"Content-Type": "application/x-www-form-urlencoded"})
    assert long.status == 413 and long["error"] == "invalid_request"
    assert market.server.client.ask(
        "POST", "/oauth/nobody/token", b"", {"Content-Type": "application/x-www-form-urlencoded"}).status == 404
    assert app.redeem(code).status == 200, "none of it touched the code"


def test_a_sign_in_redirects_only_to_a_registered_address(shared_installation, shared_server):
    own, web = "com.example.market:/in?a=b", "https://market.example/in"
    market = SignedMarket(shared_installation, shared_server, redirectURIs=[own, web])
    for place in (SYSTEM, own, web):
        app = market.app(place)
        page = app.open()
        scheme = "https://market.example" if place == web else place.split(":")[0] + ":"
        policy = page.headers["content-security-policy"]
        assert f"form-action 'self' {scheme};" in policy and "frame-ancestors 'none'" in policy
        assert page.headers["x-frame-options"] == "DENY" and page.headers["cache-control"] == "no-store"
        back = app.send(page, cancel="yes")
        assert app.items_in(back) == {"error": "access_denied", "state": "xyz 1&2"} | ({"a": "b"} if place == own else {})
        code = app.code()
        if place != SYSTEM:
            assert app.redeem(code)["error"] == INVALID, "an app of one's own names the place"
        for wrong in (place + "/", place.upper(), "https://evil.example/", web if place != web else own):
            assert app.redeem(code, redirect_uri=wrong)["error"] == INVALID, wrong
        assert app.redeem(code, redirect_uri=place).status == 200
        if place == SYSTEM:
            assert app.redeem(app.code()).status == 200, "Apple's device leaves it out"
        for changes, error in (
                ({"code_challenge": None}, "invalid_request"), ({"code_challenge_method": "plain"}, "invalid_request"),
                ({"code_challenge_method": None}, "invalid_request"), ({"code_challenge": "short"}, "invalid_request"),
                ({"response_type": "token"}, "unsupported_response_type"), ({"response_type": None}, "invalid_request")):
            assert app.items_in(app.open(**changes))["error"] == error, changes
    app = market.app()
    for place in (None, "https://evil.example/", own.upper(), web + "/", SYSTEM + "x", "javascript:alert(1)"):
        answer = app.open(redirect_uri=place)
        assert answer.status == 400 and "location" not in answer.headers, place
    assert app.open(client_id=None).status == 400
    twice = app.web.get(app.path("authorize") + "?client_id=a&client_id=b")
    assert twice.status == 400 and "location" not in twice.headers
    without = app.send(app.open(state=None), account="ada", password=PASSWORD)
    assert set(app.items_in(without)) == {"code"}


def test_a_login_hint_is_escaped_on_the_sign_in_page(market):
    hint = "\"><script>alert(1)</script>&amp;"
    page = market.app().open(login_hint=hint)
    assert b"<script" not in page.body
    assert Form(page.body).fields["account"] == hint
    assert Form(market.app().open(login_hint="x" * 300).body).fields["account"] == ""


def test_sign_in_attempts_do_not_reveal_whether_an_account_exists_and_get_429_after_five_failures(market):
    def attempt(name: str, password: str):
        app = market.app()
        page = app.open()
        answer = app.send(page, account=name, password=password)
        sealed = Form(page.body).fields["sign_in"].encode()
        return answer.status, answer.body.replace(name.encode(), b"NAME").replace(sealed, b"SEALED")

    name = f"nobody-{os.urandom(4).hex()}"
    assert attempt("ada", "wrong horse") == attempt(name, "wrong horse")
    assert attempt("ada", "wrong horse")[0] == 403
    # Attempts on the page for apps that don't open count as well.
    web = WebView(market.server.client)
    for _ in range(3):
        assert web.post(f"/resolve/{market.tenant}/sign-in", {"account": "ada", "password": "no"}).status == 403
    assert attempt("ada", PASSWORD)[0] == 429


def test_a_forged_sign_in_form_is_refused(market):
    app, stranger = market.app(), market.app()
    page = app.open()
    form = Form(page.body)
    fields = form.fields | {"account": "ada", "password": PASSWORD}
    stranger.open()
    assert stranger.web.post(form.action, fields).status == 403, "begun in another browser"
    assert WebView(market.server.client).post(form.action, fields).status == 403, "no cookie"
    assert app.web.post(form.action, fields, **{"Sec-Fetch-Site": "cross-site"}).status == 403
    assert app.web.post(form.action, fields | {"sign_in": "AAAA"}).status == 403
    other = SignedMarket(market.installation, market.server)
    assert app.web.post(other.app().path("authorize"), fields).status == 403, "sealed for another tenant"
    assert app.web.post(form.action, fields).status == 303
    proxied = WebView(market.server.client).get(
        app.path("authorize") + "?" + "&".join(f"{name}={value}" for name, value in (
            ("response_type", "code"), ("client_id", app.id), ("redirect_uri", SYSTEM),
            ("code_challenge", app.challenge), ("code_challenge_method", "S256"))), **{"X-Forwarded-Proto": "https"})
    cookie = proxied.headers["set-cookie"]
    assert cookie.startswith("__Secure-") and all(
        part in cookie for part in ("HttpOnly", "Secure", "SameSite=Lax", f"Path=/oauth/{market.tenant}"))


def test_a_one_time_link_signs_in_once(market):
    url = market.do("account", "link", "ada", "--json").json["url"]
    secrecy.keep(url.rsplit("/", 1)[1])
    app = market.app()
    assert app.redeem(app.code_in(app.send(app.open(), link=url))).status == 200
    again = app.send(app.open(), link=url)
    assert again.status == 403 and "This link doesn’t work" in again.body.decode()
    assert [event["by"] for event in map(detail, market.events("account.signed_in"))] == ["link"]


def test_a_sign_in_ends_when_an_operator_ends_it_or_its_account_gets_a_new_password(market):
    app = market.app()
    tokens = app.signed_in()
    listed = market.credentials()
    assert listed["sign-in"]["endedAt"] is None and listed["sign-in"]["id"].startswith("cred_")
    assert market.opens(tokens["access_token"]) == 200
    for changed in (True, False):
        ended = market.installation.do("account", "end-credential", listed["sign-in"]["id"], "--json").json
        assert ended["changed"] == changed
    assert market.opens(tokens["access_token"]) == 403
    assert app.refresh(tokens["refresh_token"])["error"] == INVALID
    tokens, code = app.signed_in(), app.code()
    handoff = secrecy.keep(market.do("account", "token", "ada", "--handoff", "--json").json["token"])
    market.password("another horse battery")
    assert market.opens(tokens["access_token"]) == 403 and market.opens(market.token) == 200
    assert app.redeem(code)["error"] == INVALID and app.exchange(handoff)["error"] == INVALID


def test_access_tokens_are_valid_for_an_hour_and_refresh_tokens_for_90_days_even_after_a_restart(timed_market):
    market = timed_market

    def passes(seconds: int) -> None:
        market.installation.set_clock(int(market.installation.clock.read_text()) + seconds)

    app = market.app()
    code = app.code()
    passes(61)
    assert app.redeem(code)["error"] == INVALID
    handoff = secrecy.keep(market.do("account", "token", "ada", "--handoff", "--json").json["token"])
    passes(901)
    assert app.exchange(handoff)["error"] == INVALID
    page = app.open()
    passes(1801)
    assert app.send(page, account="ada", password=PASSWORD).status == 410
    tokens = app.signed_in()
    passes(3590)
    assert market.opens(tokens["access_token"]) == 200
    passes(20)
    assert market.opens(tokens["access_token"]) == 403
    passes(89 * 86_400)
    assert market.server.stop() == 0
    with market.installation.serving() as server:
        market.server, app.client = server, server.new_client()
        fresh = app.refresh(tokens["refresh_token"]).json
        assert market.opens(fresh["access_token"]) == 200
        passes(61)
        again = app.refresh(fresh["refresh_token"]).json
        passes(61)
        assert app.refresh(fresh["refresh_token"])["error"] == INVALID, "used more than a minute ago"
        assert market.opens(again["access_token"]) == 403
        last = app_signed_in_again(market)
        passes(90 * 86_400 + 1)
        assert last[0].refresh(last[1]["refresh_token"])["error"] == INVALID


def app_signed_in_again(market) -> tuple[AppSigningIn, dict]:
    app = market.app()
    return app, app.signed_in()


def test_no_token_or_app_id_is_stored_in_plain_text(home):
    installation = Installation(home)
    with installation.serving() as server:
        market = SignedMarket(installation, server)
        apps = [market.app(), market.app()]
        for app in apps:
            app.id = apps[0].id
        tokens = [app.signed_in() for app in apps]
        code = apps[0].code()
        assert server.stop() == 0
    kept = b"".join(path.read_bytes() for path in installation.data.glob("tenure.sqlite*"))
    for text in [apps[0].id, apps[0].verifier, code, *(one[name] for one in tokens for name in ("access_token", "refresh_token"))]:
        assert text.encode() not in kept
    with closing(sqlite3.connect(installation.database)) as store:
        clients = [row[0] for row in store.execute("SELECT client FROM sign_ins WHERE client IS NOT NULL")]
    assert len(set(clients)) == 3, "one app at two sign-ins cannot be told from two"


def test_a_developer_token_has_the_format_of_app_store_connect(market):
    import jwt

    developer = "69a6de70-03db-47e3-e053-5b8c7c11a4d1"
    made = market.do("marketplace", "developer-token", "--developer", developer, "--days", "3", "--json").json
    shown = market.do("marketplace", "show", "--json").json["marketplaces"][0]["distributionPublicKey"]
    claims = jwt.decode(made["token"], shown, ["ES256"], audience="appstoreconnect-v1")
    assert jwt.get_unverified_header(made["token"]) == {"alg": "ES256", "typ": "JWT"}
    assert claims["iss"] == str(market.items[1]) and claims["pid"] == developer
    assert claims["exp"] - claims["iat"] == 3 * 86_400
    for days in ("0", "7"):
        assert market.installation.run(
            "marketplace", "developer-token", "--tenant", market.tenant, "--developer", developer, "--days", days
        ).code == 2
