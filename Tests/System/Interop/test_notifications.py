"""Tests notifications of App Store Connect: their signatures, their order, takedowns and availability."""

import json
import uuid

import pytest
from app_store import Notifier, signature
from shop import Shop
from waiting import eventually

ENGINES = ("sqlite",)

SECRET = "a secret of the webhook"


@pytest.fixture
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server, notifications={"secret": SECRET})


def reason(shop, version, kind="restore", **headers):
    body = {
        "apps": [{"appleItemId": str(shop.item), "appleVersionId": str(version)}], "platform": "iOS", "osVersion": "18.2"}
    answer = shop.server.client.ask(
        "POST", f"/marketplace/{shop.tenant}/{kind}", json.dumps(body).encode(),
        {name.replace("_", "-"): value for name, value in headers.items()}).json
    return answer["failures"][0]["failure"]["reason"] if answer["failures"] else None


def named(shop, **members):
    """Ingests a package under an id of App Store Connect; returns the package and the id."""
    package, name = shop.package(**members), str(uuid.uuid4())
    output = shop.ingest(package.folder, "--package-id", name.upper())
    assert output.code == 0, output
    return package, name


def test_only_signed_notifications_are_accepted(shop):
    apple = Notifier(shop, SECRET)
    body = apple.first("AppUnavailable", 1)
    right = signature(SECRET, body)
    for wrong in (
            None, "", "hmacsha256=", right[:-1], right + "0", signature("another", body), right.replace("sha256", "sha1"),
            "hmacsha256=" + "g" * 64, right[:-1] + ("0" if right[-1] != "0" else "1"), "hmacsha256=" + "é" * 32):
        answer = apple.post(body, x_apple_signature=wrong)
        assert (answer.status, answer.json["code"]) == (401, "notification_unsigned"), wrong
    assert apple.post(body + b" ", x_apple_signature=right).status == 401
    assert apple.post(b"x" * (64 << 10) + b"x").status == 413
    assert apple.post(body, tenant="nobody").status == 404
    assert apple.list() == []
    bare = apple.second("webhookPingCreated", 1)
    for field in (signature(SECRET, bare), signature(SECRET, bare).upper(), signature(SECRET, bare).split("=")[1]):
        assert apple.post(bare, x_apple_signature=field).status == 200, field
    assert [one["outcome"] for one in apple.list()] == ["ignored"]


def test_during_a_change_of_a_marketplaces_secret_notifications_signed_with_either_secret_are_accepted(shop):
    shop.members["notifications"] = {"secrets": ["old secret", "new secret"]}
    output = shop.apply()
    assert output.code == 0 and "notifications" in output.out, output
    assert "secret" not in output.out.replace("secrets set -> others", ""), output
    for secret in ("old secret", "new secret"):
        assert Notifier(shop, secret).post(Notifier(shop).second("webhookPingCreated", 1)).status == 200
    file = shop.home / "webhook.txt"
    file.write_text("third secret\n")
    shop.members["notifications"] = {"secretFiles": [str(file)]}
    assert shop.apply().code == 0
    assert "nothing to change" in shop.apply().err
    ping = Notifier(shop).second("webhookPingCreated", 1)
    assert Notifier(shop, "old secret").post(ping).status == 401
    assert Notifier(shop, "third secret").post(ping).status == 200
    for wrong in ({}, {"secrets": []}, {"secrets": ["a", "b", "c"]}, {"secret": "a", "secretFile": str(file)}):
        shop.members["notifications"] = wrong
        output = shop.apply()
        assert output.code == 1 and "/tenants/0/marketplace/notifications" in output.err, (wrong, output)


def test_an_app_or_version_that_was_taken_down_is_neither_offered_nor_served_until_it_is_available_again(shop):
    apple = Notifier(shop, SECRET)
    package, name = named(shop)
    other, _ = named(shop, version=900000102)
    assert apple.tell(apple.first("AppVersionsUnavailable", 10, alternativeDistributionPackageIds=[name]))[
        "outcome"] == "applied"
    assert reason(shop, package.version) == "version_withdrawn" and reason(shop, other.version) is None
    answer = shop.get(package, "manifest.json")
    assert (answer.status, answer.json["code"]) == (404, "version_withdrawn")
    assert shop.get(other, "manifest.json").status == 200
    assert [one["state"] for one in shop.packages()] == ["withdrawn", "ready"]
    late = apple.tell(apple.second("alternativeDistributionPackageAvailableUpdated", 9, name, available=True))
    assert late["outcome"] == "outdated" and reason(shop, package.version) == "version_withdrawn"
    again = apple.second("alternativeDistributionPackageAvailableUpdated", 11, name, available=True)
    assert apple.tell(again)["outcome"] == "applied" and reason(shop, package.version) is None
    assert apple.tell(apple.first("AppUnavailable", 20))["outcome"] == "applied"
    assert reason(shop, package.version) == "app_withdrawn" and shop.get(other, "signature").status == 404
    assert apple.tell(apple.first("AppUnavailable", 20))["outcome"] == "unchanged"
    assert apple.tell(apple.second(
        "alternativeDistributionTerritoryAvailabilityUpdated", 20, available=True))["outcome"] == "outdated"
    assert apple.tell(apple.second(
        "alternativeDistributionTerritoryAvailabilityUpdated", 21, available=True))["outcome"] == "applied"
    assert reason(shop, package.version) is None and shop.get(other, "signature").status == 200
    assert shop.apply().code == 0, "what Apple closed is no matter of the catalog's"


def test_applying_a_catalog_does_not_undo_a_takedown(shop):
    apple = Notifier(shop, SECRET)
    package, _ = named(shop)
    apple.tell(apple.first("AppUnavailable", 1))
    output = shop.apply(name="Renamed")
    assert output.code == 0 and "withdrawn" not in output.out, output
    assert reason(shop, package.version) == "app_withdrawn"


def test_a_notification_that_the_app_store_repeats_or_the_operator_replays_is_applied_once(shop):
    apple = Notifier(shop, SECRET)
    _, name = named(shop)
    body = apple.first("AppVersionsUnavailable", 10, "n-1", alternativeDistributionPackageIds=[name])
    assert apple.tell(body)["outcome"] == "applied"
    assert apple.post(body).status == 200 and len(apple.list()) == 1
    run = shop.installation.do(
        "marketplace", "notifications", "replay", "n-1", "--tenant", shop.tenant, "--json")
    assert run.json["replayed"]
    assert apple.settled("n-1")["outcome"] == "unchanged"
    missing = shop.installation.run("marketplace", "notifications", "replay", "none", "--tenant", shop.tenant)
    assert missing.code == 1, missing
    events = shop.installation.do("token", "create", "--tenant", shop.tenant, "--scope", "events:read", "--json").json
    told = shop.server.client.ask(
        "GET", f"/v1/{shop.tenant}/events", headers={"Authorization": f"Bearer {events['token']}"}).json["events"]
    closed = [one for one in told if one["kind"] == "app.closed"]
    assert len(closed) == 1 and closed[0]["detail"]["package"] == name and closed[0]["actor"] == "app-store", closed


def test_an_app_closed_in_a_territory_is_not_offered_to_devices_that_report_that_territory(shop):
    apple = Notifier(shop, SECRET)
    package, name = named(shop)
    apple.tell(apple.second(
        "alternativeDistributionTerritoryAvailabilityUpdated", 1, available=False, territories=["IRL", "MLT"]))
    for territory, expected in (
            ("IE", "territory_closed"), ("irl", "territory_closed"), ("MLT", "territory_closed"), ("FR", None),
            ("QQ", None)):
        for kind in ("restore", "updates"):
            version = package.version if kind == "restore" else 0
            assert reason(shop, version, kind, Tenure_Territory=territory) == expected, (territory, kind)
    assert reason(shop, package.version) is None
    token = json.dumps({"appleItemID": str(shop.item)}).encode()
    path = f"/marketplace/{shop.tenant}/install-token"
    answer = shop.server.client.ask("POST", path, token, {"Tenure-Territory": "IE"})
    assert (answer.status, answer.json["code"]) == (404, "territory_closed")
    assert shop.server.client.ask("POST", path, token).status == 200
    assert shop.server.client.ask("POST", path, token, {"Tenure-Territory": "Ireland"}).status == 400
    apple.tell(apple.second(
        "alternativeDistributionTerritoryAvailabilityUpdated", 2, available=True, territories=["IRL"]))
    assert reason(shop, package.version, Tenure_Territory="IE") is None
    assert reason(shop, package.version, Tenure_Territory="MT") == "territory_closed"
    apple.tell(apple.second(
        "alternativeDistributionPackageAvailableUpdated", 3, name, available=False, territories=["FRA"]))
    assert reason(shop, package.version, Tenure_Territory="FR") == "territory_closed"
    assert reason(shop, package.version, Tenure_Territory="DE") is None


def test_a_takedown_of_an_unknown_package_is_shown_by_status_and_withdraws_the_package_once_it_is_ingested(shop):
    apple = Notifier(shop, SECRET)
    unknown = str(uuid.uuid4())
    told = apple.tell(apple.first("AppVersionsUnavailable", 5, alternativeDistributionPackageIds=[unknown]))
    assert told["outcome"] == "unmatched" and unknown in told["detail"]
    assert eventually(lambda: shop.server.said, lambda said: "notification_unmatched" in said)
    status = shop.installation.do("status", "--json").json
    assert any(unknown in one["detail"] for one in status["unmatchedNotifications"])
    assert "unmatched" in shop.installation.do("status").out
    package = shop.package()
    assert shop.ingest(package.folder, "--package-id", unknown).code == 0
    assert reason(shop, package.version) == "version_withdrawn", "it was taken down before it came"


def test_a_notification_for_another_marketplace_is_forwarded_if_that_marketplaces_secret_signed_it(shop):
    apple = Notifier(shop, SECRET)
    other = Shop(shop.installation, shop.server, notifications={"secrets": ["third", SECRET]})
    stranger = Shop(shop.installation, shop.server, notifications={"secret": "of a stranger"})
    for one, outcome in ((other, None), (stranger, "foreign")):
        package, _ = named(one)
        body = json.loads(Notifier(one, SECRET).first("AppUnavailable", 1))
        answer = apple.post(json.dumps(body).encode())
        assert answer.status == 200
        kept = apple.seen(body["data"]["id"])
        assert (kept and kept["outcome"]) == outcome
        if outcome is None:
            Notifier(one).settled(body["data"]["id"])
            assert reason(one, package.version) == "app_withdrawn"
        else:
            assert Notifier(one).list() == [] and reason(one, package.version) is None
    nowhere = apple.first("AppUnavailable", 1, marketplace=7)
    assert apple.post(nowhere).status == 200
    assert apple.seen(json.loads(nowhere)["data"]["id"])["outcome"] == "foreign"


def test_a_signed_notification_that_is_unreadable_or_of_an_unknown_kind_is_accepted_and_ignored(shop):
    apple = Notifier(shop, SECRET)
    for body in (b"{}", b"no json", b"\xff\x00", b"[" * 5000):
        assert apple.post(body).status == 200
    assert {one["outcome"] for one in apple.list()} == {"unreadable"} and len(apple.list()) == 4
    strange = json.loads(apple.first("SomethingNew", 1))
    assert apple.tell(json.dumps(strange).encode())["outcome"] == "ignored"
