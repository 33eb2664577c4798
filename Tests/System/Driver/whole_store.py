"""Fills an installation with data of every kind, which tests then damage."""

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from mart import Mart
from school import School, played
from signing_in import AppSigningIn
from vendor import Vendor


def fill(installation) -> None:
    """Stores data of every kind by means of a server, which is stopped at the end."""
    keys = [fresh_key() for _ in range(5)]
    releasing = policy(durationDays=365, entitlements=["export"], selfRelease={"cooldownDays": 1, "perYear": 4})
    licenses = [license(key, holder="ada@example.com") for key in keys]
    installation.apply(catalog("acme", product(policies=[releasing], licenses=licenses, trialDays=14)))
    installation.do("license", "suspend", keys[1])
    installation.do("license", "revoke", keys[2])
    secrecy.keep(installation.do("license", "rekey", keys[3], "--yes", "--json").json["licenseKey"])
    installation.do("license", "link", keys[0], "--json")
    made = installation.do(
        "token", "create", "--tenant", "acme", "--name", "shop", "--scope", "licenses:read", "--scope",
        "licenses:write", "--json").json
    secrecy.keep(made["token"])
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(keys[0], machine_hash="ab" * 32)
        assert app.validate(keys[0], instance).status == 200
        app.activated(keys[4], machine_hash="cd" * 32)
        begun = server.client.post("/v1/acme/notes/leases/trial", {"nonce": "A" * 32, "device": "ef" * 32})
        assert begun.status == 200, begun
        issued = server.client.post(
            "/v1/acme/licenses", {"product": "notes", "policy": "pro"},
            {"Authorization": f"Bearer {made['token']}", "Idempotency-Key": "order-1"})
        assert issued.status == 201, issued
        secrecy.keep(issued.json["licenses"][0]["licenseKey"])
        mart = Mart(installation, server, access="token")
        token = secrecy.keep(mart.account("ada", mart.items[0]))
        installation.do(
            "account", "add", "ada", "--tenant", mart.tenant, "--email", "ada@example.com", "--password-file", "-",
            given="long enough a password")
        item = mart.items[0]
        assert mart.phone(token).ask({item: mart.apps[item]}).status == 200
        handoff = installation.do("account", "token", "ada", "--handoff", "--tenant", mart.tenant, "--json").json
        signed = AppSigningIn(server.client, mart.tenant).exchange(secrecy.keep(handoff["token"]))
        assert signed.status == 200, signed
        school = School(
            Vendor(installation, server),
            kollus={"securityKey": secrecy.keep("tenure-kollus-test-security-key!"), "customKey": "custom"})
        school.enrol("ada")
        tablet = school.tablet()
        lesson = tablet.has("mck-1")
        assert tablet.report(played(lesson)).status == 200
        installation.do("content", "callback", "--tenant", school.vendor.tenant)
    installation.do("key", "rotate", "--tenant", "acme")
    installation.do("key", "prepare", "--tenant", "acme")
