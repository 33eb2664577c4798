"""Tests the records that support reads over the operator API: app licenses, accounts, content licenses and events."""

import itertools
import json
import subprocess

import pytest
import secrecy
from mart import Mart
from school import School

ENGINES = ("postgres",)

SCOPES = (
    "licenses:read", "accounts:read", "accounts:write", "events:read", "links:write", "content:read", "content:write",
    "content:token")


class Desk:
    """A client of the operator API whose token has these scopes, or those in `SCOPES`."""

    def __init__(self, tenant, installation, server, *scopes):
        words = [word for scope in scopes or SCOPES for word in ("--scope", scope)]
        made = installation.do("token", "create", "--tenant", tenant, *words, "--json").json
        self.tenant, self.client = tenant, server.client
        self.headers = {"Authorization": "Bearer " + secrecy.keep(made["token"])}

    def get(self, path, status=200):
        answer = self.client.get(f"/v1/{self.tenant}/{path}", self.headers)
        assert answer.status == status, (path, answer)
        return answer.json

    def post(self, path, body, status=200):
        answer = self.client.post(f"/v1/{self.tenant}/{path}", body, self.headers)
        assert answer.status == status, (path, answer)
        return answer.json

    def pages(self, path, name):
        """The ids on all pages of a list; the last page must have no `next`."""
        after, seen = "", []
        for _ in range(100):
            page = self.get(path + after)
            seen.append([one["id"] for one in page[name]])
            if page["next"] is None:
                return seen
            after = f"&after={page['next']}"
        raise AssertionError("the list never ends")


@pytest.fixture
def mart(shared_installation, shared_server):
    """A marketplace with three apps that require an account."""
    return Mart(shared_installation, shared_server, access="token")


@pytest.fixture
def desk(mart):
    return Desk(mart.tenant, mart.installation, mart.server)


@pytest.fixture
def ada(mart):
    return mart.phone(secrecy.keep(mart.account("ada", *mart.items[:2])))


def licensed(mart, phone, *items):
    answer = phone.ask({item: mart.apps[item] for item in items})
    assert answer.status == 200, answer
    return answer


def listed(mart, *words):
    return mart.do("license", "list", "--apps", *words, "--json").json["licenses"]


def test_the_operator_api_lists_shows_and_explains_app_licenses_as_the_command_line_does(mart, desk, ada):
    licensed(mart, ada, *mart.items[:2])
    bob = mart.phone(secrecy.keep(mart.account("bob", mart.items[0])))
    licensed(mart, bob, mart.items[0])
    told = {one["id"]: one for one in listed(mart)}
    assert len(told) == 3
    assert {one["id"]: one for one in desk.get("licenses?kind=app")["licenses"]} == told
    assert desk.get("licenses")["licenses"] == [] and desk.get("licenses?kind=product")["licenses"] == []
    for query, words in (
            ("account=ada", ("--account", "ada")), (f"item={mart.items[0]}", ("--item", str(mart.items[0]))),
            ("state=active", ("--state", "active")), ("state=revoked", ("--state", "revoked")),
            (f"account=ada&item={mart.items[0]}", ("--account", "ada", "--item", str(mart.items[0])))):
        found = desk.get(f"licenses?kind=app&{query}")["licenses"]
        assert {one["id"] for one in found} == {one["id"] for one in listed(mart, *words)}, query
    one = next(iter(told))
    assert desk.get(f"licenses/{one}") == told[one]
    explained = desk.get(f"licenses/{one}/explain")
    assert explained == mart.installation.do("license", "explain", one, "--json").json
    mart.do("license", "suspend", one)
    assert [reason["code"] for reason in desk.get(f"licenses/{one}/explain")["reasons"]] == ["license_suspended"]
    assert [license["id"] for license in desk.get("licenses?kind=app&state=suspended")["licenses"]] == [one]


def test_the_pages_of_a_list_of_app_licenses_contain_each_license_once(mart, desk, ada):
    licensed(mart, ada, *mart.items[:2])
    other = mart.phone(ada.token)
    licensed(mart, other, *mart.items[:2])
    every = {one["id"] for one in listed(mart)}
    for query, most in (("limit=1", 5), ("limit=3", 2), ("limit=1&state=active", 5), ("limit=1&account=ada", 5)):
        pages = desk.pages(f"licenses?kind=app&{query}", "licenses")
        assert len(pages) <= most
        flat = list(itertools.chain(*pages))
        assert len(flat) == 4 and set(flat) == every, query


def test_reading_product_licenses_and_app_licenses_requires_separate_scopes(mart, vendor, ada):
    licensed(mart, ada, mart.items[0])
    app = listed(mart)[0]["id"]
    products = Desk(mart.tenant, mart.installation, mart.server, "licenses:read")
    accounts = Desk(mart.tenant, mart.installation, mart.server, "accounts:read")
    assert products.get("licenses?kind=app", 403)["code"] == "scope_missing"
    assert accounts.get("licenses", 403)["code"] == "scope_missing"
    # For a token with access to product licenses only, an app license does not exist.
    assert products.get(f"licenses/{app}", 404)["code"] == "not_found"
    assert accounts.get(f"licenses/{app}")["id"] == app
    assert accounts.get("licenses/lic_0000000000001", 403)["code"] == "scope_missing"
    own = vendor.installation.show(vendor.offer_license(), "--tenant", vendor.tenant)["id"]
    shop = Desk(vendor.tenant, vendor.installation, vendor.server)
    assert shop.get(f"licenses/{own}")["id"] == own
    # Another tenant's app license is unknown, and a token without the scope doesn't learn whether a product license exists.
    assert shop.get(f"licenses/{app}", 404)["code"] == "not_found"
    assert accounts.get(f"licenses/{own}", 403)["code"] == "scope_missing"


def test_accounts_are_found_by_id_and_by_email_address(mart, desk):
    for number in range(3):
        mart.do("account", "add", f"p{number}", "--email", f"P{number}@example.com")
    assert [one["id"] for one in desk.get("accounts")["accounts"]] == ["p0", "p1", "p2"]
    assert desk.pages("accounts?limit=2", "accounts") == [["p0", "p1"], ["p2"]]
    assert [one["id"] for one in desk.get("accounts?email=p1@EXAMPLE.com")["accounts"]] == ["p1"]
    assert desk.pages("accounts?email=p1@example.com&limit=1", "accounts") == [["p1"], []]
    assert [one["id"] for one in desk.get("accounts?email=p1@example.com&after=p9")["accounts"]] == ["p1"]
    assert [one["id"] for one in desk.get("accounts?account=p2")["accounts"]] == ["p2"]
    assert desk.get("accounts?account=p9")["accounts"] == []
    assert desk.get("accounts?account=p2&email=p1@example.com")["accounts"] == []
    assert desk.get("accounts?name=p2", 422)["code"] == "field_invalid"
    assert desk.get("accounts/p9", 404)["code"] == "not_found"
    writer = Desk(mart.tenant, mart.installation, mart.server, "accounts:write")
    assert writer.get("accounts", 403)["code"] == "scope_missing"


def test_a_deleted_account_gets_no_licenses_and_its_id_stays_reserved(mart, desk, ada):
    item = mart.items[0]
    licensed(mart, ada, item)
    asks = mart.installation.run("account", "delete", "ada", "--tenant", mart.tenant)
    assert asks.code == 1 and f"app {item}, licensed until" in asks.err and "The account wasn't deleted." in asks.err
    assert ada.ask({item: mart.apps[item]}).status == 200
    path = f"/v1/{mart.tenant}/accounts/ada"
    deleted = mart.server.client.ask("DELETE", path, None, desk.headers)
    assert deleted.status == 200 and len(deleted.json["grants"]) == 2, deleted
    assert [license["appleItemID"] for license in deleted.json["licenses"]] == [str(item)]
    assert ada.ask({item: mart.apps[item]}).status == 403
    again = mart.server.client.ask("DELETE", path, None, desk.headers)
    assert again.json["deletedAt"] == deleted.json["deletedAt"] and again.json["licenses"] == []
    put = mart.server.client.ask("PUT", path, {}, desk.headers)
    assert (put.status, put.json["code"]) == (409, "account_deleted")
    grant = mart.server.client.ask("PUT", f"{path}/apps/{item}", {}, desk.headers)
    assert (grant.status, grant.json["code"]) == (409, "account_deleted")
    assert mart.server.client.ask("DELETE", f"/v1/{mart.tenant}/accounts/eve", None, desk.headers).status == 404
    assert "nothing changed" in mart.do("account", "delete", "ada").err


def test_the_operator_api_shows_an_accounts_devices_grants_and_refusals(mart, desk, ada):
    one, two, three = mart.items
    licensed(mart, ada, one)
    refused = licensed(mart, ada, three)
    account = desk.get("accounts/ada")
    assert account["id"] == "ada" and "password" not in json.dumps(account).lower().replace("haspassword", "")
    assert {grant["appleItemID"] for grant in account["grants"]} == {str(one), str(two)}
    device, = account["devices"]
    license, = device["licenses"]
    assert license == listed(mart, "--account", "ada")[0] and license["device"] == device["device"]
    refusal, = account["refusals"]
    assert refusal["kind"] == "app_license.refused" and refusal["appleItemID"] == str(three)
    # The refusal names the device, and the request id from the response's header.
    assert refusal["detail"]["device"] == device["device"]
    assert refusal["detail"]["request"] == refused.headers["x-request-id"]
    event, = desk.get("events?account=ada&kind=app_license.refused")["events"]
    assert event["detail"] == refusal["detail"] and event["sequence"] == refusal["sequence"]


def test_events_can_be_filtered_by_account_by_kind_and_by_license(mart, desk, ada):
    licensed(mart, ada, *mart.items[:2])
    mart.account("bob", mart.items[0])
    every = desk.get("events?limit=1000")["events"]

    def told(query):
        return [event["sequence"] for event in desk.get("events?limit=1000&" + query)["events"]]

    def meant(test):
        found = [event["sequence"] for event in every if test(event)]
        assert found
        return found

    license = listed(mart)[0]["id"]
    assert told("account=ada") == meant(lambda event: event["account"] == "ada")
    assert told("kind=app_license.issued") == meant(lambda event: event["kind"] == "app_license.issued")
    assert told("kind=account.*") == meant(lambda event: event["kind"].startswith("account."))
    assert told("kind=account.*&account=bob") == meant(
        lambda event: event["kind"].startswith("account.") and event["account"] == "bob")
    assert told(f"license={license}") == meant(lambda event: event["license"] == license)
    assert told(f"license={license}&kind=app_license.*") == meant(lambda event: event["license"] == license)
    # `license.*` must not match `app_license.*`.
    assert told("kind=license.*") == []
    page, seen = desk.get("events?limit=1&kind=account.*"), []
    while page["events"]:
        seen += [event["sequence"] for event in page["events"]]
        page = desk.get(f"events?limit=1&kind=account.*&after={page['next']}")
    assert seen == told("kind=account.*")
    # If no event matches, the cursor still moves to the newest event.
    assert int(desk.get("events?kind=license.*")["next"]) >= every[-1]["sequence"]


@pytest.mark.parametrize("query", [
    "kind=license.nothing", "kind=nothing.*", "kind=*", "kind=license", "kind=", "knd=license.*", "account=nobody",
    "license=lic_0000000000001", "enrolment=enr_0000000000001", "contentLicense=clc_0000000000001", "person=ada"])
def test_event_filters_with_unknown_kinds_records_or_names_are_refused(desk, query):
    problem = desk.get(f"events?{query}", 422)
    assert problem["code"] == "field_invalid"
    name = query.split("=")[0]
    assert name in problem["detail"]


@pytest.mark.parametrize("query", ["kind=apps", "kind=app&account=nobody", "kind=app&item=1", "kind=app&policy=pro",
                                   "kind=app&after=lic_0000000000001", "account=ada"])
def test_license_filters_with_unknown_values_or_of_another_kind_of_license_are_refused(desk, query):
    assert desk.get(f"licenses?{query}", 422)["code"] == "field_invalid"


def test_lists_of_content_licenses_and_enrolments_refuse_unknown_filters(vendor):
    school = School(vendor)
    school.enrol()
    license = school.tablet().has("mck-1")["license"]
    assert [one["id"] for one in school.ask("GET", "/licenses?holder=ada&content=mck-1")["licenses"]] == [license]
    assert [one["id"] for one in school.ask("GET", "/licenses?content=mck-1")["licenses"]] == [license]
    assert school.ask("GET", "/licenses?content=mck-2")["licenses"] == []
    for path in ("/licenses?learner=ada", "/enrolments?learner=ada"):
        answer = school.ask("GET", path)
        assert answer.status == 422 and "learner" in answer["detail"], answer


def test_the_events_command_prints_the_same_events_as_the_api(mart, desk, ada):
    licensed(mart, ada, *mart.items[:2])
    every = desk.get("events?limit=1000")["events"]
    assert mart.do("events", "--json").lines == every
    assert mart.do("events", "--kind", "account.*", "--account", "ada", "--json").lines == [
        event for event in every if event["kind"].startswith("account.") and event["account"] == "ada"]
    last = every[-1]["sequence"]
    assert mart.do("events", "--after", str(last), "--json").lines == []
    line = mart.do("events", "--after", str(last - 1)).out.split()
    assert line[0] == str(last) and every[-1]["kind"] in line
    for words, code in ((("--kind", "license.nothing"), 2), (("--kind", "nothing"), 2), (("--account", "nobody"), 1)):
        refused = mart.installation.run("events", *words, "--tenant", mart.tenant)
        assert refused.code == code and refused.out == "", refused


def test_the_events_command_with_follow_prints_new_events_as_they_occur(mart, ada):
    installation = mart.installation
    words = installation.words(
        "events", "--follow", "--kind", "app_license.*", "--json", "--tenant", mart.tenant)
    with subprocess.Popen(
            words, cwd=installation.home, env=installation.environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as following:
        try:
            assert following.stderr.readline().startswith("waiting for events after ")
            licensed(mart, ada, mart.items[0])
            first = json.loads(following.stdout.readline())
            assert (first["kind"], first["account"]) == ("app_license.issued", "ada")
            licensed(mart, ada, mart.items[2])
            assert json.loads(following.stdout.readline())["kind"] == "app_license.refused"
        finally:
            following.terminate()


def test_a_license_link_opens_the_licenses_page_once_and_does_not_allow_replacing_the_key(vendor):
    key = vendor.offer_license()
    vendor.app().activated(key, "Laptop")
    id = vendor.installation.show(key, "--tenant", vendor.tenant)["id"]
    support = Desk(vendor.tenant, vendor.installation, vendor.server, "links:write")
    made = support.post(f"licenses/{id}/links", {"hours": 1}, 201)
    path = made["path"]
    secrecy.keep(path.rsplit("/", 1)[1])
    assert made["license"] == id and made["canRelease"] is False
    assert path.startswith(f"/portal/{vendor.tenant}/link/") and (made["url"] or path).endswith(path)
    event = [one for one in vendor.installation.show(key)["events"] if one["kind"] == "license.link_made"][-1]
    assert event["actor"].startswith("operator:tok_")

    client = vendor.server.new_client()
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    text = path.rsplit("/", 1)[1].encode()
    opened = client.ask("POST", f"/portal/{vendor.tenant}/link", b"link=" + text, form)
    assert opened.status == 303, opened
    cookie = opened.headers["set-cookie"].split(";")[0]
    secrecy.keep(cookie.split("=", 1)[1])
    page = client.ask("GET", f"/portal/{vendor.tenant}", None, {"Cookie": cookie})
    assert page.status == 200 and b"Laptop" in page.body
    assert key.encode() not in page.body and key[5:-4].encode() not in page.body
    # The session works only for the page. It isn't a token, and the page can't replace the key.
    for attempt in (
            client.ask("POST", f"/portal/{vendor.tenant}/rekey", b"", form | {"Cookie": cookie}),
            client.post(f"/v1/{vendor.tenant}/licenses/{id}/rekey", {}, {"Cookie": cookie}),
            client.post(f"/v1/{vendor.tenant}/licenses/{id}/rekey", {},
                        {"Authorization": "Bearer " + cookie.split("=", 1)[1]})):
        assert attempt.status in (401, 404), attempt
    assert vendor.app().activate(key).status == 200
    # A link works once, and creating one requires the scope `links:write`.
    assert client.ask("POST", f"/portal/{vendor.tenant}/link", b"link=" + text, form).status != 303
    reader = Desk(vendor.tenant, vendor.installation, vendor.server, "licenses:read")
    assert reader.post(f"licenses/{id}/links", {}, 403)["code"] == "scope_missing"
    for body in ({"hours": 0}, {"hours": 721}, {"days": 1}):
        support.post(f"licenses/{id}/links", body, 422)
    support.post("licenses/lic_0000000000001/links", {}, 404)
