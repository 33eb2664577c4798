"""Checks that browsers get a page at unknown paths, and that responses with secrets forbid caching."""

import pytest
import secrecy
from catalogs import policy

PAGE = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def shop(vendor):
    """The `Authorization` field with an operator token that has every scope these tests need."""
    vendor.offer()
    scopes = ("licenses:read", "licenses:write", "links:write", "accounts:write")
    words = [word for scope in scopes for word in ("--scope", scope)]
    token = vendor.installation.do("token", "create", "--tenant", vendor.tenant, *words, "--json").json["token"]
    return {"Authorization": f"Bearer {secrecy.keep(token)}"}


@pytest.mark.parametrize("path", ["/nowhere", "/acme", "/portal", "/portal/nobody", "/portal/NOBODY/link/x", "/v1/x/y/z/w"])
def test_a_browser_gets_an_error_page_in_its_language_at_an_unknown_path(vendor, path):
    for language, title in (("en", "Page not found"), ("de", "Seite nicht gefunden")):
        answer = vendor.server.client.get(path, PAGE | {"Accept-Language": language})
        assert answer.status == 404 and answer.headers["content-type"].startswith("text/html"), path
        assert title in answer.body.decode() and answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("accept", [{}, {"Accept": "application/json"}, {"Accept": "*/*"}])
def test_a_client_other_than_a_browser_gets_a_json_problem_at_an_unknown_path(vendor, accept):
    answer = vendor.server.client.get("/nowhere", accept)
    assert (answer.status, answer["code"]) == (404, "route_unknown")


def test_responses_with_keys_links_or_refusals_forbid_caching(vendor, shop):
    vendor.offer_license(policy("pro"))
    client, api = vendor.server.client, f"/v1/{vendor.tenant}"
    issued = client.post(f"{api}/licenses", {"product": "notes", "policy": "pro"}, shop)
    secrecy.keep(issued["licenses"][0]["licenseKey"])
    license = issued["licenses"][0]["id"]
    rekeyed = client.post(f"{api}/licenses/{license}/rekey", {}, shop)
    secrecy.keep(rekeyed["licenseKey"])
    link = client.post(f"{api}/licenses/{license}/links", {}, shop)
    secrecy.keep(link["path"].rsplit("/", 1)[1])
    answers = [
        issued, rekeyed, link, client.get(f"{api}/licenses/{license}", shop), client.get(f"{api}/licenses"),
        client.post(f"{api}/accounts/nobody/handoffs", {}, shop)]
    assert [answer.status for answer in answers[:3]] == [201, 200, 201]
    assert {answer.headers.get("cache-control") for answer in answers} == {"no-store"}


def test_the_remedy_in_a_refusal_to_an_operator_names_a_command_instead_of_referring_to_the_vendor(vendor, shop):
    key = vendor.offer_license(policy("pro", duration="P1M"))
    client, license = vendor.server.client, vendor.installation.show(key)["id"]
    vendor.license("revoke", key)

    for verb, body in (("renew", {"days": 30}), ("reinstate", {})):
        refused = client.post(f"/v1/{vendor.tenant}/licenses/{license}/{verb}", body, shop)
        assert refused.status == 409 and refused.codes[0] == "license_revoked", refused
        assert "sk the vendor" not in refused.body.decode() and "tenure license issue" in refused["reasons"][0]["cure"]
    said = vendor.installation.run("license", "renew", key, "--tenant", vendor.tenant)
    assert said.code == 1 and "sk the vendor" not in said.err and "tenure license issue" in said.err
    assert "Ask the vendor" in vendor.app().activate(key).json["reasons"][0]["cure"], "an app's user isn't the vendor"
