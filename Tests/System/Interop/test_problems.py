"""Tests that error responses follow the standards."""

import catalogs
import secrecy


def test_a_401_names_the_authentication_scheme(vendor):
    """RFC 9110 §15.5.2: every 401 response carries a challenge."""
    key = catalogs.fresh_key()
    vendor.offer(catalogs.product(licenses=[catalogs.license(key)], sdkKey="sdk_live_1"))
    app = vendor.app()
    for answer, header in (
            (app.activate(key), "X-Keylight-SDK-Key"),
            (vendor.app(headers={"X-Keylight-SDK-Key": "wrong"}).activate(key), "X-Keylight-SDK-Key"),
            (vendor.server.client.post(f"/v1/{vendor.tenant}/notes/leases/activate", {}), "Tenure-SDK-Key"),
            (vendor.server.client.get(f"/v1/{vendor.tenant}/licenses"), None),
            (vendor.server.client.get(f"/content/{vendor.tenant}/v1/licenses"), None)):
        assert answer.status == 401, answer
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith(f'SDK-Key header="{header}"' if header else "Bearer"), challenge


def test_errors_about_unknown_paths_malformed_queries_and_bad_bodies_have_the_member_detail(vendor):
    """RFC 9457: `detail` explains this occurrence of the problem."""
    vendor.offer()
    client = vendor.server.client
    made = vendor.installation.do("token", "create", "--tenant", vendor.tenant, "--scope", "licenses:read", "--json")
    bearer = {"Authorization": "Bearer " + secrecy.keep(made.json["token"])}
    for answer in (
            client.get("/nothing/here"), client.ask("DELETE", "/health"),
            client.ask("GET", f"/v1/{vendor.tenant}/licenses?a=%zz", None, bearer),
            client.ask("GET", f"/content/{vendor.tenant}/v1/licenses?a=%zz", None, bearer),
            client.ask("POST", f"/v1/{vendor.tenant}/licenses", b"{", bearer),
            client.ask("POST", f"/v1/{vendor.tenant}/licenses", b"a" * (2 << 20), bearer),
            client.get("/v1/none/none/leases/keys")):
        assert answer.status >= 400
        assert answer.headers["content-type"] == "application/problem+json", answer
        assert answer["detail"], answer
