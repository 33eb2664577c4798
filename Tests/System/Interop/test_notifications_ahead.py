"""Tests notifications whose timestamp lies in the future, and how an operator undoes a wrong one."""

import json
import sqlite3
import uuid
from contextlib import closing

import pytest
from app_store import Notifier, from_now
from database import SharedInstallation
from shop import Shop
from waiting import eventually

ENGINES = ("postgres",)

SECRET = "a secret of the webhook"
TERRITORIES = "alternativeDistributionTerritoryAvailabilityUpdated"
PACKAGE = "alternativeDistributionPackageAvailableUpdated"


@pytest.fixture
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server, notifications={"secret": SECRET})


def reason(shop, version):
    body = {
        "apps": [{"appleItemId": str(shop.item), "appleVersionId": str(version)}], "platform": "iOS", "osVersion": "18.2"}
    answer = shop.server.client.ask("POST", f"/marketplace/{shop.tenant}/restore", json.dumps(body).encode()).json
    return answer["failures"][0]["failure"]["reason"] if answer["failures"] else None


def named(shop, **members):
    package, name = shop.package(**members), str(uuid.uuid4())
    assert shop.ingest(package.folder, "--package-id", name).code == 0
    return package, name


def sweep(shop, id):
    """Deletes a notification as the server does after 90 days, as if it had arrived a minute before the others."""
    statements = [
        f"DELETE FROM notices WHERE tenant = '{shop.tenant}' AND id = '{id}'",
        f"UPDATE app_availability SET first_heard = first_heard - 60 WHERE tenant = '{shop.tenant}'"]
    for statement in statements:
        if isinstance(shop.installation, SharedInstallation):
            shop.installation.sql(statement)
            continue
        with closing(sqlite3.connect(shop.installation.database, timeout=30)) as store:
            store.execute(statement)
            store.commit()


def forget(shop, id):
    return shop.installation.run(
        "marketplace", "notifications", "forget", id, "--tenant", shop.tenant, "--json")


def test_a_takedown_dated_in_the_future_withdraws_the_app_until_a_notification_that_arrives_later_reopens_it(shop):
    apple = Notifier(shop, SECRET)
    package, _ = named(shop)
    assert apple.tell(apple.second(TERRITORIES, from_now(0), available=True))["outcome"] == "unchanged"
    closing = apple.first("AppUnavailable", from_now(30 * 86400), "wrong")
    assert apple.tell(closing)["outcome"] == "applied"
    assert reason(shop, package.version) == "app_withdrawn"
    assert apple.tell(apple.second(TERRITORIES, from_now(0), available=True))["outcome"] == "applied"
    assert reason(shop, package.version) is None
    shop.installation.do("marketplace", "notifications", "replay", "wrong", "--tenant", shop.tenant)
    assert apple.settled("wrong")["outcome"] == "outdated" and reason(shop, package.version) is None


def test_a_notification_of_availability_dated_in_the_future_has_no_effect_before_its_date(shop):
    apple = Notifier(shop, SECRET)
    package, name = named(shop)
    assert apple.tell(apple.first("AppUnavailable", from_now(-60)))["outcome"] == "applied"
    opening = apple.second(TERRITORIES, from_now(3600), id="early", available=True)
    assert apple.post(opening).status == 200
    seen = eventually(lambda: apple.seen("early"), lambda seen: seen["detail"])
    assert seen["outcome"] == "waiting" and "in the future" in seen["detail"]
    assert reason(shop, package.version) == "app_withdrawn"
    # A notification that is forgotten before its timestamp never makes the app available.
    assert forget(shop, "early").code == 0
    assert apple.seen("early")["outcome"] == "forgotten" and reason(shop, package.version) == "app_withdrawn"


def test_forgetting_a_wrong_takedown_restores_the_state_given_by_the_other_notifications(shop):
    apple = Notifier(shop, SECRET)
    package, name = named(shop)
    other, closed = named(shop, version=900000102)
    assert apple.tell(apple.first("AppVersionsUnavailable", from_now(-500), alternativeDistributionPackageIds=[closed]))[
        "outcome"] == "applied"
    wrong = apple.first("AppUnavailable", from_now(200), "wrong")
    assert apple.tell(wrong)["outcome"] == "applied"
    # This notification of availability doesn't apply, because the wrong takedown has a later timestamp.
    assert apple.tell(apple.second(PACKAGE, from_now(0), closed, id="o", available=True))["outcome"] == "outdated"
    assert reason(shop, package.version) == "app_withdrawn"
    output = forget(shop, "wrong")
    assert output.code == 0 and output.json == {"notification": "wrong", "forgotten": True, "changed": True}, output
    assert reason(shop, package.version) is None and reason(shop, other.version) is None
    assert apple.seen("wrong")["outcome"] == "forgotten" and apple.seen("o")["outcome"] == "applied"
    # Sending or forgetting the wrong notification a second time changes nothing.
    assert apple.post(wrong).status == 200 and apple.seen("wrong")["outcome"] == "forgotten"
    assert reason(shop, package.version) is None
    assert forget(shop, "wrong").json["changed"] is False
    assert forget(shop, "nothing").code == 1
    token = shop.installation.do("token", "create", "--tenant", shop.tenant, "--scope", "events:read", "--json").json
    told = shop.server.client.ask(
        "GET", f"/v1/{shop.tenant}/events", headers={"Authorization": f"Bearer {token['token']}"}).json["events"]
    kinds = [(one["kind"], one["actor"]) for one in told if one["kind"].startswith("app.")]
    assert ("app.notification_forgotten", "operator:cli") in kinds and ("app.opened", "operator:cli") in kinds, kinds
    # The operator can still apply the forgotten notification by replaying it.
    shop.installation.do("marketplace", "notifications", "replay", "wrong", "--tenant", shop.tenant)
    assert apple.settled("wrong")["outcome"] == "applied" and reason(shop, package.version) == "app_withdrawn"


def test_forgetting_a_takedown_that_is_in_effect_is_refused_once_earlier_notifications_were_deleted(shop):
    apple = Notifier(shop, SECRET)
    package, _ = named(shop)
    for id, at in (("first", -500), ("second", -400)):
        apple.tell(apple.first("AppUnavailable", from_now(at), id))
    apple.tell(apple.second("webhookPingCreated", from_now(0), id="ping"))
    sweep(shop, "first")
    output = forget(shop, "second")
    assert output.code == 1 and "have been deleted" in output.err, output
    assert apple.seen("second")["outcome"] == "unchanged" and reason(shop, package.version) == "app_withdrawn"
    # A notification that had no effect can still be forgotten.
    assert forget(shop, "ping").code == 0 and apple.seen("ping")["outcome"] == "forgotten"
