"""Tests that a server fetches messages that never arrived from Stripe's list of events."""

import json
import random
import re
import shutil
from pathlib import Path

import catalogs
import pytest
from catching_up import api, shop  # noqa: F401 (fixtures)
from catching_up import ADDRESS, HOUR, apply, at, caught_up, jobs, later, letters, licenses, serving, settled
from stripe_shop import DAY, StripeShop
from waiting import eventually


def week(shop: StripeShop) -> list[bytes]:
    """The events of a week: a sale, the refund of an older sale, and a subscription with a renewal."""
    now = shop.now
    end = now + 5 * DAY
    return [
        shop.session("1", ADDRESS, at=now + HOUR),
        shop.invoice("a", 1, end, "edsger@shop.example", "price_month", at=now + DAY),
        shop.payment("a", 1, at=now + DAY),
        shop.refund("2", at=now + 2 * DAY),
        shop.invoice("a", 2, end + 30 * DAY, "edsger@shop.example", "price_month", at=end + HOUR),
    ]


def test_a_server_that_was_down_for_a_week_fetches_every_missed_message_from_stripe(shop, api):
    with serving(shop, api) as running:
        shop.tell(running, shop.session("2", "grace@shop.example"))
        settled(shop, 1)
        eventually(lambda: letters(shop), lambda found: len(found) == 1)
    api.events, api.most = week(shop), 2
    later(shop, 7 * DAY)
    with serving(shop, api):
        settled(shop, 6)
        assert {order["reference"]: order["state"] for order in shop.orders()} == {
            "pi_1": "paid", "pi_2": "refunded", "sub_a": "paid"}
        assert sorted(each["state"] for each in shop.licenses()) == ["issued", "issued", "suspended"]
        eventually(lambda: letters(shop), lambda found: len(found) == 3)
        assert shop.messages("parked") == []
    assert len(api.pages) == 3


def test_catching_up_does_not_store_a_message_again_that_has_already_arrived(shop, api):
    body = shop.session("1", ADDRESS)
    api.events = [body]
    with serving(shop, api) as running:
        shop.tell(running, body)
        settled(shop, 1)
        later(shop, HOUR + 60)
        eventually(lambda: len(api.pages), lambda count: count == 1)
        caught_up(shop)
        assert len(shop.messages()) == 1 and len(letters(shop)) == 1


def test_an_event_that_stripes_list_shows_an_hour_late_is_fetched(shop, api):
    with serving(shop, api):
        later(shop, HOUR + 60)
        caught_up(shop)
        api.events = [shop.session("1", ADDRESS, at=shop.now - 30 * 60)]
        later(shop, HOUR + 60)
        settled(shop, 1)


def test_two_api_versions_of_one_event_are_stored_as_one_message(shop, api):
    new = shop.invoice("a", 1, shop.now + 30 * DAY, item="price_month")
    old = re.sub(rb'"parent": \{"type": "subscription_details".*?\}\}', b'"subscription": "sub_a"', new)
    old = old.replace(b"2026-06-24.dahlia", b"2024-06-20")
    assert old != new and b"subscription_details" not in old
    api.events = [old]
    with serving(shop, api) as running:
        later(shop, HOUR + 60)
        settled(shop, 1)
        shop.tell(running, new)
        assert [each["state"] for each in shop.messages()] == ["done"]
        (order,) = shop.orders()
        assert (order["reference"], len(shop.licenses())) == ("sub_a", 1)


@pytest.mark.parametrize("option", ["--as-copied", "--carry-issued"])
def test_a_restored_store_has_all_licenses_and_orders_again_after_catching_up_with_stripe(shop, api, option):
    installation = shop.installation
    backup = installation.home / "before.sqlite"
    sale = shop.session("2", "grace@shop.example")
    with serving(shop, api) as running:
        installation.do("backup", str(backup))
        shop.tell(running, sale)
        settled(shop, 1)
        eventually(lambda: letters(shop), lambda found: len(found) == 1)
        api.events = [sale, *week(shop)]
        later(shop, 7 * DAY)
        settled(shop, 6)
        eventually(lambda: letters(shop), lambda found: len(found) == 3)
        sold = [(each["id"], each["expiresAt"]) for each in licenses(shop)]
        orders = sorted((each["reference"], each["state"], each["paidUntil"]) for each in shop.orders())
    mailed = letters(shop)
    installation.do("restore", str(backup), "--replace", option)
    with serving(shop, api):
        settled(shop, 6)
        caught_up(shop)
        assert [(each["id"], each["expiresAt"]) for each in licenses(shop)] == sold
        assert sorted((each["reference"], each["state"], each["paidUntil"]) for each in shop.orders()) == orders
        # The server derives the same keys as before the restore, so the keys in the buyers' letters are valid.
        assert {installation.show(key)["id"] for (key,) in mailed.values()} >= {id for id, _ in sold}
        eventually(
            lambda: installation.do("mail", "list", "--tenant", shop.tenant, "--json").json["mails"],
            lambda mails: "waiting" not in {each["state"] for each in mails})
        assert letters(shop) == mailed
    assert installation.run("doctor", "--deep").code == 0


def test_a_license_issued_again_after_a_restore_is_listed_once_with_one_issue_event(shop, api):
    installation = shop.installation
    backup = installation.home / "before.sqlite"
    with serving(shop, api) as running:
        installation.do("backup", str(backup))
        sales = [shop.session(str(number), ADDRESS) for number in range(3)]
        shop.tell(running, *sales)
        settled(shop, 3)
    api.events = sales
    restored = installation.do("restore", str(backup), "--replace")
    assert "come back without --carry-issued, with the same keys" in restored.err
    assert f"{shop.tenant}/stripe, for 30 days" in restored.err
    (first,) = installation.data.glob("*.before-restore-*")
    later(shop, HOUR + 60)
    with serving(shop, api) as running:
        settled(shop, 3)
        shop.tell(running, shop.session("4", "grace@shop.example"))
        settled(shop, 4)
    sold = sorted(each["id"] for each in shop.licenses())
    assert len(sold) == 4
    carried = installation.do("restore", str(backup), "--replace", "--carry-from", f"sqlite:{first}", "--carry-issued")
    assert "come back" not in carried.err
    listed = installation.do("license", "list", "--tenant", shop.tenant, "--json").json["licenses"]
    assert sorted(each["id"] for each in listed) == sold
    pages, after = [], []
    for _ in sold:
        page = installation.do("license", "list", "--tenant", shop.tenant, "--limit", "1", "--json", *after).json["licenses"]
        pages += [each["id"] for each in page]
        after = ["--after", pages[-1]]
    assert sorted(pages) == sold
    assert issued(shop) == sold
    assert installation.run("doctor", "--deep").code == 0


def test_a_recovery_records_no_second_issue_event_for_an_orders_license(shop, api):
    installation = shop.installation
    older, lost = installation.home / "older.sqlite", installation.home / "lost.sqlite"
    installation.issue(shop.tenant, "notes", "pro")
    copy(installation.database, older)
    sales = [shop.session(str(number), ADDRESS) for number in range(3)]
    with serving(shop, api) as running:
        shop.tell(running, *sales)
        settled(shop, 3)
    before = issued(shop)
    copy(installation.database, lost)
    copy(older, installation.database)
    api.events = sales[:2]
    later(shop, HOUR + 60)
    with serving(shop, api):
        settled(shop, 2)
    installation.do("store", "recovered", "--carry-from", f"sqlite:{lost}")
    listed = installation.do("license", "list", "--tenant", shop.tenant, "--json").json["licenses"]
    assert sorted(each["id"] for each in listed) == issued(shop) == before
    assert len(before) == 4


def issued(shop: StripeShop) -> list[str]:
    """The license of each event `license.issued`."""
    events = shop.installation.do("events", "--tenant", shop.tenant, "--json").lines
    return sorted(event["license"] for event in events if event["kind"] == "license.issued")


def copy(source: Path, target: Path) -> None:
    """Copies the database of a stopped server."""
    for end in ("", "-wal", "-shm"):
        file = target.with_name(target.name + end)
        file.unlink(missing_ok=True)
        if source.with_name(source.name + end).exists():
            shutil.copy2(source.with_name(source.name + end), file)


def test_a_catch_up_on_payments_requested_while_no_server_runs_is_done_by_the_next_server(shop, api):
    api.events = [shop.session("1", ADDRESS, at=shop.now - 20 * DAY)]
    answer = shop.installation.do(
        "intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", "2020-01-01", "--json").json
    assert answer == {"source": "stripe", "since": at(shop.now - 30 * DAY, like=answer["since"])}
    with serving(shop, api):
        settled(shop, 1)
        caught_up(shop)


def test_a_running_server_reads_stripes_list_of_events_at_an_operators_request(shop, api):
    with serving(shop, api):
        api.events = [shop.session("1", ADDRESS, at=shop.now - 2 * DAY)]
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now - 3 * DAY))
        settled(shop, 1)
        caught_up(shop)


def test_a_catch_up_on_payments_is_refused_for_an_unknown_source_a_missing_api_key_or_a_future_date(shop, api):
    def refused(source: str, date: str) -> str:
        result = shop.installation.run("intake", "catch-up", source, "--tenant", shop.tenant, "--since", date)
        assert result.code != 0
        return result.err

    assert "is in the future" in refused("stripe", "2099-01-01")
    assert "has no source other" in refused("other", "2026-01-01")
    keyless = StripeShop(shop.installation, shop.tenant, "keyless")
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [keyless.member()]}
    shop.installation.apply(catalog)
    assert "has no API key" in refused("keyless", "2026-01-01")
    catalog["tenants"][0] |= {"intake": [keyless.member(catchUpMinutes=60)]}
    result = shop.installation.run("apply", "-", given=json.dumps(catalog))
    assert result.code != 0 and "catchUpMinutes" in result.err and "needs an \"apiKeyFile\"" in result.err


def test_stripes_list_of_events_is_read_only_on_request_if_automatic_catch_up_is_off(shop, api):
    apply(shop, api, catchUpMinutes=0)
    api.events = [shop.session("1", ADDRESS)]
    with serving(shop, api):
        later(shop, 2 * HOUR)
        eventually(lambda: jobs(shop), lambda found: found == [])
        assert api.pages == []
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now - DAY))
        settled(shop, 1)
        eventually(lambda: jobs(shop), lambda found: found == [])


def test_stripes_list_of_events_is_not_read_once_the_payment_source_was_removed_from_the_catalog(shop, api):
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": []}
    with serving(shop, api):
        shop.installation.apply(catalog, "--prune")
        later(shop, 2 * HOUR)
        eventually(lambda: jobs(shop), lambda found: found == [])
        assert api.pages == []


def test_reading_stripes_list_of_events_leads_to_the_same_orders_as_shuffled_and_repeated_messages(shop, api):
    told = StripeShop(shop.installation, catalogs.fresh("told"))
    apply(told, api, catchUpMinutes=0)
    now = shop.now
    events = []
    for number in range(4):
        name, end = f"s{number}", now + (5 + number) * DAY
        buyer = f"{name}@shop.example"
        events += [
            shop.invoice(name, 1, end, buyer, "price_month", at=now + HOUR), shop.payment(name, 1, at=now + HOUR),
            shop.invoice(name, 2, end + 30 * DAY, buyer, "price_month", at=end + HOUR),
            shop.payment(name, 2, at=end + HOUR), shop.session(f"o{number}", buyer, at=now + HOUR)]
    events += [
        shop.ended("s0", at=now + 6 * DAY), shop.refund("s1_2", 900, 900, at=now + 8 * DAY),
        shop.dispute("o1", at=now + 2 * DAY), shop.dispute("o1", "won", at=now + 3 * DAY),
        shop.refund("o2", 100, at=now + 2 * DAY), shop.dispute("s3_1", at=now + 7 * DAY)]
    later(shop, 10 * DAY)
    api.events = events
    messages = events * 2
    random.Random(7).shuffle(messages)
    with serving(shop, api) as running:
        told.tell(running, *messages)
        settled(told, len(events))
        settled(shop, len(events))

        def state(of: StripeShop) -> list:
            """The orders with their usable licenses. A sale whose refund arrived first has issued no license."""
            return sorted(
                (order["reference"], order["state"], order["paidUntil"], order["holderEmail"], [
                    (license["state"], license["policy"], license["expiresAt"])
                    for license in map(of.installation.show, order["lines"][0]["licenses"])
                    if license["state"] != "suspended"])
                for order in of.orders())

        assert len(state(shop)) == 8
        assert state(shop) == state(told)
