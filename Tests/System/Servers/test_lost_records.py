"""Tests that no request is refused because of records that the store may have lost, until the loss is accepted."""

import json
import secrets
import uuid
from base64 import urlsafe_b64encode
from urllib.parse import urlencode

import catalogs
import jwt
import pytest
import secrecy
from client import Answer, App
from database import SharedInstallation
from mart import Mart
from program import program
from school import School, codes, played
from signed_market import SignedMarket
from signing_in import WebView
from tenure_app import app as tenure_app
from vendor import Vendor
from waiting import eventually

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Site:
    """A server on a store from which a test removes records."""

    def __init__(self, installation: SharedInstallation, server):
        self.installation, self.server = installation, server

    def vendor(self) -> Vendor:
        return Vendor(self.installation, self.server)

    def loses(self, *statements: str) -> None:
        """Executes SQL statements that change rows, as if the store had returned to an older state."""
        for statement in statements:
            self.installation.sql(statement)

    def settles(self) -> None:
        self.installation.do("store", "recovered", "--yes")
        eventually(lambda: "rewound" in self.server.client.get("/ready").json, lambda isRewound: not isRewound, 30)


@pytest.fixture
def site(home, database):
    installation = SharedInstallation(home, database, database.new_database(), "lost")
    installation.do("init")
    record = json.dumps({"noticedAt": "2026-11-29T03:00:00Z", "tenants": []})
    installation.sql(f"INSERT INTO settings VALUES ('store.rewound', convert_to('{record}', 'UTF8'))")
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        eventually(lambda: "rewound" in server.client.get("/ready").json, bool, 30)
        yield Site(installation, server)


def credential(prefix: str = "", length: int = 32) -> str:
    """A text in the form of a credential that was created with this prefix."""
    return prefix + urlsafe_b64encode(secrets.token_bytes(length)).decode().rstrip("=")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def is_lost(answer: Answer) -> bool:
    """Whether the response asks the caller to try again later, because of lost records."""
    if answer.status != 503:
        return False
    assert answer.headers["retry-after"], answer
    return b"store_rewound" in answer.body


def test_an_unknown_token_gets_503_while_records_may_be_lost_and_a_malformed_one_is_refused(site):
    school = School(site.vendor())
    mart = Mart(site.installation, site.server, apps=1, access="token")
    client = site.server.client

    def events(token: str, tenant: str = school.vendor.tenant) -> Answer:
        return client.get(f"/v1/{tenant}/events", bearer(token))

    def contents(token: str) -> Answer:
        return client.get(f"{school.base}/contents", bearer(token))

    def restores(token: str) -> Answer:
        return client.post(f"/marketplace/{mart.tenant}/restore", {"apps": []}, bearer(token))

    for ask, prefix, refusal in (events, "tenure_", 401), (contents, "tenure_ht_", 401), (restores, "tenure_at_", 403):
        assert is_lost(ask(credential(prefix))), ask
        for malformed in credential(prefix, 31), credential(prefix, 33), credential(prefix) + "=", prefix:
            assert ask(malformed).status == refusal, (ask, malformed)
        assert ask(credential("other_")).status in (401, 403), ask
    assert is_lost(events(credential("tenure_"), "a-tenant-that-may-be-lost"))
    assert events(school.token).status == 200
    assert client.get(f"/v1/{school.vendor.tenant}/events").status == 401
    site.settles()
    for ask, prefix, refusal in (events, "tenure_", 401), (contents, "tenure_ht_", 401), (restores, "tenure_at_", 403):
        assert ask(credential(prefix)).status == refusal


def test_a_revoked_or_ended_token_that_the_store_has_is_refused_while_records_may_be_lost(site):
    school = School(site.vendor())
    tablet = school.tablet()
    site.loses(
        f"UPDATE holder_credentials SET ended_at = 1 WHERE tenant = '{school.vendor.tenant}'",
        f"UPDATE tokens SET revoked_at = 1 WHERE tenant = '{school.vendor.tenant}'")
    assert tablet.ask("GET", "/contents").status == 401
    assert school.ask("GET", "/devices?holder=ada").status == 401


def test_sign_in_tokens_that_the_store_may_have_lost_get_503(site):
    market = SignedMarket(site.installation, site.server)
    app = market.app()
    first = app.signed_in()
    before, = site.installation.sql("SELECT to_json(sign_ins) FROM sign_ins")
    second = app.refresh(first["refresh_token"]).json
    # The store returns to the state in which only the first tokens had been issued.
    site.loses(
        "DELETE FROM sign_ins",
        f"INSERT INTO sign_ins SELECT * FROM json_populate_record(NULL::sign_ins, '{before}')")
    assert is_lost(app.refresh(second["refresh_token"]))
    assert market.opens(second["access_token"]) == 503
    assert market.opens(first["access_token"]) == 200
    site.settles()
    assert app.refresh(second["refresh_token"])["error"] == "invalid_grant"
    assert market.opens(second["access_token"]) == 403


def test_a_link_or_session_that_may_be_lost_gets_503_and_the_browser_keeps_the_session_cookie(site):
    school = School(site.vendor())
    key = school.vendor.offer_license()
    mart = Mart(site.installation, site.server, apps=1, access="token")
    mart.account("ada")
    tenant = school.vendor.tenant
    link = school.vendor.license("link", key, "--base-url", site.server.address, "--json").json["url"]
    pages = [
        # The start page, the path of the form that uses a link, a link, and its table
        (f"/portal/{tenant}", "/link", link.rsplit("/", 1)[1], "license_credentials"),
        (f"/content/{tenant}/learner", None, school.ask("POST", "/holders/link", {"holder": "ada"})["path"].rsplit("/", 1)[1],
         "holder_credentials"),
        (f"/resolve/{mart.tenant}", "/link", mart.do("account", "link", "ada", "--json").json["url"].rsplit("/", 1)[1],
         "credentials")]
    for start, form, link, table in pages:
        view = WebView(site.server.client)
        secrecy.keep(link)

        def uses(text: str, start=start, form=form, view=view) -> Answer:
            return view.post(start + form, {"link": text}) if form else view.post(f"{start}/link/{text}", {})

        for text, status in (credential(), 503), (credential("x"), 410), ("x", 410):
            for answer in view.get(f"{start}/link/{text}"), uses(text):
                assert answer.status == status, (start, answer)
        assert uses(link).status == 303
        assert uses(link).status == 410, "the store knows that the link was used"
        assert view.get(start).status == 200
        (name, session), = view.cookies.items()
        site.loses(f"DELETE FROM {table}")
        answer = view.post(f"{start}/release", {"code": "x"})
        assert answer.status == 503 and answer.headers["retry-after"], (start, answer)
        answer = view.get(start)
        # Only the page where people can sign in again is still shown.
        assert answer.status == (200 if start.startswith("/resolve") else 503), (start, answer)
        assert view.cookies == {name: session}, "the browser forgot the session"


def test_requests_with_a_lost_key_or_activation_get_503_in_both_dialects(site):
    vendor = site.vendor()
    key = vendor.offer_license(catalogs.policy(activationLimit=10))
    app, client = vendor.app(), site.server.client
    known, lost = app.activated(key, "known"), app.activated(key, "lost")
    site.loses(f"DELETE FROM activations WHERE id = '{lost}'")

    def leases(verb: str, key: str, **members) -> Answer:
        body = {"nonce": "a" * 32, "device": "0" * 64, "licenseKey": key} | members
        return client.post(f"/v1/{vendor.tenant}/notes/leases/{verb}", body)

    unknown = catalogs.fresh_key()
    for answer in (
            app.activate(unknown), app.validate(unknown, known), app.validate(key, lost), app.deactivate(lost),
            leases("activate", unknown), leases("renew", unknown, activation=known),
            leases("renew", key, activation=lost), leases("release", key, activation=lost),
            leases("release", unknown, activation=known)):
        assert is_lost(answer), answer
    laptop = tenure_app(vendor)
    granted, lease, _ = laptop.ask("activate", "lease", key)
    assert is_lost(leases("devices/release", key, device=laptop.device, activation=lease["activation"],
                          lease=granted["lease"], release=str(uuid.uuid4())))
    assert app.activate(key, "another").status == 200
    assert app.validate(key, known).status == app.deactivate(known).status == 200
    for tenant, product in (vendor.tenant, "lost"), ("lost", "notes"):
        assert is_lost(App(client, tenant, product).validate(key, known))
    assert App(client, "NO-NAME", "notes").validate(key, known).status in (400, 404)
    site.settles()
    assert app.activate(unknown)["code"] == leases("activate", unknown)["code"] == "license_unknown"
    assert app.deactivate(lost).status == 200


def test_an_address_that_sent_thirty_unknown_keys_gets_429_while_records_may_be_lost(site):
    vendor = site.vendor()
    key = vendor.offer_license()
    app = vendor.app()
    source = {"X-Forwarded-For": "203.0.113.7"}
    answers = [app.activate(catalogs.fresh_key(), headers=source) for _ in range(30)]
    assert all(is_lost(answer) for answer in answers)
    assert app.activate(catalogs.fresh_key(), headers=source).status == 429
    assert app.activate(key, headers={"X-Forwarded-For": "198.51.100.9"}).status == 200


def test_operators_get_503_instead_of_404_for_a_lost_license(site):
    vendor = site.vendor()
    vendor.offer_license()
    issued = site.installation.issue(vendor.tenant, "notes", "pro")
    scopes = ("--scope", "licenses:read", "--scope", "licenses:write")
    token = site.installation.do("token", "create", "--tenant", vendor.tenant, *scopes, "--json").json["token"]
    path = f"/v1/{vendor.tenant}/licenses/{issued['id']}"
    assert site.server.client.get(path, bearer(token)).status == 200
    site.loses(f"DELETE FROM licenses WHERE tenant = '{vendor.tenant}'")
    for answer in site.server.client.get(path, bearer(token)), site.server.client.post(f"{path}/revoke", {}, bearer(token)):
        assert is_lost(answer), answer


def test_a_content_renewal_renews_existing_licenses_and_reports_lost_ones_as_transient(site):
    school = School(site.vendor())
    school.enrol()
    tablet = school.tablet()
    known, lost = tablet.has("mck-1"), tablet.has("mck-2")
    site.loses("DELETE FROM content_licenses WHERE content = 'mck-2'")
    use = [played(lost), played(known)]
    answer = tablet.renew(known, lost, usage=use, request="a-request-with-a-lost-license")
    assert answer.status == 200, answer
    assert [item["outcome"] for item in answer["items"]] == ["renewed", "transient"]
    assert codes(answer["items"][1]) == ["store_rewound"] and "grant" not in answer["items"][1]
    assert [entry["license"] for entry in answer["settled"]] == [known["license"]] and answer["refused"] == []
    again = tablet.renew(known, lost, usage=use, request="a-request-with-a-lost-license")
    assert again["items"] == answer["items"], "the repetition renewed again"
    assert is_lost(tablet.report(played(lost)))
    report = tablet.report(played(lost), played(known, sequence=2))
    assert [entry["license"] for entry in report["settled"]] == [known["license"]] and report["refused"] == []
    assert is_lost(tablet.ask("POST", f"/licenses/{lost['license']}/return", {"requestId": "returns-a-lost-one"}))
    assert is_lost(school.tablet("bob").get("mck-1")), "the enrolment may be lost"
    site.settles()
    answer = tablet.renew(known, lost, usage=[played(lost)])
    assert answer["items"][1]["outcome"] == "invalid" and answer["refused"][0]["code"] == "content_license_unknown"
    assert school.tablet("bob").get("mck-1")["code"] == "enrolment_unknown"


def test_a_player_keeps_a_content_license_that_the_store_lost_and_renews_it_when_its_record_is_restored(site, home):
    school = School(site.vendor())
    school.enrol("mia")

    def player(command: str, *words: str) -> list[dict]:
        words = [program(), "player", command, str(home / "phone"), *words, "--json"]
        return site.installation.run_words([str(word) for word in words]).lines

    (home / "clock").write_text("0\n")
    created, = player("new", "--server", site.server.address, "--tenant", school.vendor.tenant, "--holder", "mia",
                      "--clock", str(home / "clock"))
    (home / "token").write_text(school.tablet("mia", device=created["device"]).token + "\n")
    player("sign-in", "--token-file", str(home / "token"))
    player("add", "mck-1", "mck-2")
    row, = site.installation.sql("SELECT to_json(content_licenses) FROM content_licenses WHERE content = 'mck-2'")
    site.loses("DELETE FROM content_licenses WHERE content = 'mck-2'")
    assert player("renew", "--all")[-1] == {"report": {"renewed": 1, "transient": 1}}
    listed, = player("list")
    left = {content["content"]: content["playsLeft"] for content in listed["contents"]}
    assert left["mck-1"] == left["mck-2"] == 3
    site.loses(f"INSERT INTO content_licenses SELECT * FROM json_populate_record(NULL::content_licenses, '{row}')")
    assert player("renew", "--all")[-1] == {"report": {"renewed": 2}}


def test_kollus_players_keep_downloads_whose_records_the_store_may_have_lost(site):
    school = School(site.vendor(), kollus={
        "securityKey": "tenure-kollus-test-security-key!", "customKey": "custom", "unknownDownloads": "expire"})
    path = site.installation.do(
        "content", "callback", "--tenant", school.vendor.tenant, "--json").json["path"]

    def asks(kind: int, path: str = path, user: str = "unknown") -> Answer:
        item = {"kind": str(kind), "media_content_key": "mck-1", "client_user_id": user, "player_id": "p",
                "content_expired": "1"}
        return site.server.client.ask("POST", path, urlencode({"items": json.dumps([item])}).encode(), FORM)

    def told(answer: Answer) -> dict:
        assert answer.status == 200, answer
        return jwt.decode(answer.body.decode(), "tenure-kollus-test-security-key!", algorithms=["HS256"])["data"][0]

    check, download = told(asks(3)), told(asks(1))
    assert check["result"] == 1 and not check.get("content_expired")
    assert download["result"] == 0 and "enrol" not in download["message"]
    other = path.rsplit("/", 1)[0]
    assert is_lost(asks(3, f"{other}/{credential(length=24)}")) and asks(3, f"{other}/{credential()}").status == 404
    site.settles()
    assert told(asks(3))["content_expired"] == 1 and "enrol" in told(asks(1))["message"]


def test_a_renewal_renews_existing_app_licenses_and_reports_no_lost_one_as_ineligible(site, home):
    mart = Mart(site.installation, site.server, apps=2)
    phone = mart.phone()
    licenses = [license["licenseID"] for license in phone.read(phone.ask(mart.apps))["licenses"]]
    known, lost = licenses
    site.loses(f"DELETE FROM app_licenses WHERE id = {lost}")
    answer = phone.renew(known, lost, 2**64 - 1)
    assert [license["licenseID"] for license in phone.read(answer)["licenses"]] == [known]
    assert answer["ineligibleLicenses"] == [str(2**64 - 1)], "no license has this id"
    assert is_lost(phone.renew(lost))
    site.settles()
    assert set(phone.renew(known, lost)["ineligibleLicenses"]) == {str(lost)}


def test_a_license_request_for_only_an_app_whose_sale_may_be_lost_gets_503(site):
    mart = Mart(site.installation, site.server, apps=2, access="token")
    sold, lost = mart.items
    phone = mart.phone(secrecy.keep(mart.account("ada", sold)))
    assert is_lost(phone.ask({lost: mart.apps[lost]}))
    assert phone.ask(mart.apps)["unlicensedApps"] == [str(lost)]
    site.settles()
    assert phone.ask({lost: mart.apps[lost]})["unlicensedApps"] == [str(lost)]


def test_a_simulated_iphone_keeps_a_lost_app_license(site, home):
    mart = Mart(site.installation, site.server, apps=2)
    mart.members = {"domain": "127.0.0.1"}
    mart.apply()
    (home / "clock").write_text("0\n")

    def device(command: str, *words: str):
        words = [program(), "device", command, *words, "--json"]
        return site.installation.run_words([str(word) for word in words])

    assert device("new", "phone", "--server", site.server.address, "--model", "iPhone15,1", "--clock", "clock").code == 0
    for item in mart.items:
        done = device("install", "phone", "--package", str(site.installation.home / mart.tenant / f"package-{item}"))
        assert done.code == 0, done
    known, lost = mart.items
    site.loses(f"DELETE FROM app_licenses WHERE item = {lost}")
    renewal = device("renew", "phone", "--item", str(known), "--item", str(lost)).json
    assert [[app["appleItemID"] for app in renewal[told]] for told in ("renewed", "ineligible", "unanswered")] == [
        [str(known)], [], [str(lost)]]
    assert device("launch", "phone", "--item", str(lost)).code == 0
