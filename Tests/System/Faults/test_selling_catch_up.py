"""Messages that never arrived are fetched from Stripe's list of events."""

import email
import email.policy
import json
import random
import re
from datetime import UTC, datetime

import catalogs
import pytest
import secrecy
from stripe_shop import DAY, StripeAPI, StripeShop
from waiting import eventually

ADDRESS = "ada@shop.example"
HOUR = 3_600
KEY = re.compile(r"[A-Z0-9]+(?:-[0-9A-Z]{4}){4}")


@pytest.fixture
def api():
    with StripeAPI() as api:
        yield api


@pytest.fixture
def shop(installation, api) -> StripeShop:
    installation.moves_time()
    shop = StripeShop(installation, catalogs.fresh("shop"))
    (installation.home / "api.key").write_text(secrecy.keep("rk_test_of_the_shop"))
    apply(shop, api)
    return shop


def apply(shop: StripeShop, api: StripeAPI, **members) -> None:
    catalog = catalogs.catalog(shop.tenant, catalogs.product(policies=[
        catalogs.policy(), catalogs.policy("monthly", duration="P1M")]))
    items = [{"item": "price_pro", "product": "notes", "policy": "pro"},
             {"item": "price_month", "product": "notes", "policy": "monthly"}]
    source = shop.member(apiKeyFile="api.key", apiURL=api.url, items=items) | members
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [source]}
    shop.installation.apply(catalog)


def serving(shop: StripeShop, api: StripeAPI):
    return shop.installation.serving(
        "--mail-folder", str(shop.installation.home / "letters"), "--egress-allow", api.host)


def later(shop: StripeShop, seconds: int) -> None:
    shop.installation.set_clock(shop.installation.offset + seconds)


def settled(shop: StripeShop, count: int) -> list[dict]:
    """Waits until as many messages are stored and acted on."""
    return eventually(
        shop.messages, lambda messages: len(messages) == count and "waiting" not in {each["state"] for each in messages})


def letters(shop: StripeShop) -> dict[str, list[str]]:
    """The license keys in each letter so far, by its `Message-ID`; a mailbox shows a repeated one once."""
    folder = shop.installation.home / "letters"
    files = sorted(folder.iterdir()) if folder.exists() else []
    found = [email.message_from_bytes(file.read_bytes(), policy=email.policy.SMTP) for file in files]
    return {letter["Message-ID"]: [word for word in letter.get_content().split() if KEY.fullmatch(word)] for letter in found}


def licenses(shop: StripeShop) -> list[dict]:
    """The licenses that can be used."""
    return sorted((each for each in shop.licenses() if each["state"] != "suspended"), key=lambda each: each["id"])


def jobs(shop: StripeShop) -> list[dict]:
    """The job that reads the list of events, if there is one."""
    found = shop.installation.do("job", "list", "--kind", "selling.catch_up", "--json").json["jobs"]
    return [each for each in found if each["tenant"] == shop.tenant]


def job(shop: StripeShop) -> dict:
    (found,) = jobs(shop)
    return found


def at(seconds: int, like: str | None = None) -> str:
    """A time as text; `like` itself if that is at most a minute later."""
    if like and 0 <= datetime.fromisoformat(like).timestamp() - seconds <= 60:
        return like
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def caught_up(shop: StripeShop) -> None:
    """Waits until the list has been read to its end."""
    eventually(
        lambda: job(shop),
        lambda job: (job["state"], job["failure"]) == ("waiting", None) and job["dueAt"] > at(shop.now))


def week(shop: StripeShop) -> list[bytes]:
    """What happens at the shop in a week: a sale, the refund of an older one, and a subscription with a renewal."""
    now = shop.now
    end = now + 5 * DAY
    return [
        shop.session("1", ADDRESS, at=now + HOUR),
        shop.invoice("a", 1, end, "edsger@shop.example", "price_month", at=now + DAY),
        shop.payment("a", 1, at=now + DAY),
        shop.refund("2", at=now + 2 * DAY),
        shop.invoice("a", 2, end + 30 * DAY, "edsger@shop.example", "price_month", at=end + HOUR),
    ]


def test_a_server_that_was_away_for_a_week_is_complete_again(shop, api):
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


def test_a_message_that_arrived_already_is_not_stored_again(shop, api):
    body = shop.session("1", ADDRESS)
    api.events = [body]
    with serving(shop, api) as running:
        shop.tell(running, body)
        settled(shop, 1)
        later(shop, HOUR + 60)
        eventually(lambda: len(api.pages), lambda count: count == 1)
        caught_up(shop)
        assert len(shop.messages()) == 1 and len(letters(shop)) == 1


def test_an_event_that_the_list_shows_an_hour_late_is_fetched(shop, api):
    with serving(shop, api):
        later(shop, HOUR + 60)
        caught_up(shop)
        api.events = [shop.session("1", ADDRESS, at=shop.now - 30 * 60)]
        later(shop, HOUR + 60)
        settled(shop, 1)


def test_an_old_shape_and_a_new_shape_of_one_event_are_one_message(shop, api):
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


@pytest.mark.parametrize("fault", [
    (429, b"{}"), (503, b""), (200, b"<html>"), (200, b'{"object": "list"}'), (200, b'{"object": "list", "data": [')])
def test_a_provider_that_fails_is_asked_again(shop, api, fault):
    api.events, api.faults = [shop.session("1", ADDRESS)], [fault]
    with serving(shop, api):
        later(shop, HOUR + 60)
        failed = eventually(lambda: job(shop), lambda job: job["failure"] is not None)
        assert "Stripe" in failed["failure"] and shop.messages() == []
        later(shop, 60)
        settled(shop, 1)
        caught_up(shop)


def test_a_provider_that_fails_for_long_is_reported_and_nothing_is_lost(shop, api):
    api.events, api.faults = [shop.session("1", ADDRESS)], [(401, b"{}")] * 3
    with serving(shop, api):
        later(shop, HOUR + 60)
        for count in range(3):
            eventually(lambda: len(api.pages), lambda pages, count=count: pages == count + 1)
            eventually(lambda: job(shop), lambda job: job["state"] == "waiting")
            if count < 2:
                later(shop, 13 * 60)
        doctor = shop.installation.run("doctor").out
        assert "responded with 401 to /v1/events" in doctor
        later(shop, 13 * 60)
        settled(shop, 1)
        caught_up(shop)
        assert "/v1/events" not in shop.installation.run("doctor").out


@pytest.mark.parametrize("option", ["--as-copied", "--carry-issued"])
def test_a_restored_copy_is_complete_again_after_catching_up(shop, api, option):
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
        # The server derives the same keys, so the letters that the buyers have are right.
        assert {installation.show(key)["id"] for (key,) in mailed.values()} >= {id for id, _ in sold}
        eventually(
            lambda: installation.do("mail", "list", "--tenant", shop.tenant, "--json").json["mails"],
            lambda mails: "waiting" not in {each["state"] for each in mails})
        assert letters(shop) == mailed
    assert installation.run("doctor", "--deep").code == 0


def test_events_that_the_provider_does_not_list_any_more_are_reported_with_their_dates(shop, api):
    with serving(shop, api):
        caught_up(shop)
    later(shop, 40 * DAY)
    with serving(shop, api):
        caught_up(shop)
        doctor = shop.installation.run("doctor").out
        assert "don't list the events of some days any more (stripe: " in doctor
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now)[:10])
        assert "events of some days" not in shop.installation.run("doctor").out


def test_an_operator_fetches_messages_while_no_server_runs(shop, api):
    api.events = [shop.session("1", ADDRESS, at=shop.now - 20 * DAY)]
    answer = shop.installation.do(
        "intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", "2020-01-01", "--json").json
    assert answer == {"source": "stripe", "since": at(shop.now - 30 * DAY, like=answer["since"])}
    with serving(shop, api):
        settled(shop, 1)
        caught_up(shop)


def test_an_operator_fetches_messages_from_a_running_server(shop, api):
    with serving(shop, api):
        api.events = [shop.session("1", ADDRESS, at=shop.now - 2 * DAY)]
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now - 3 * DAY))
        settled(shop, 1)
        caught_up(shop)


def test_a_catch_up_needs_an_existing_source_with_an_api_key_and_an_earlier_date(shop, api):
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


def test_a_source_without_catch_up_reads_the_list_only_on_request(shop, api):
    apply(shop, api, catchUpMinutes=0)
    api.events = [shop.session("1", ADDRESS)]
    with serving(shop, api):
        later(shop, 2 * HOUR)
        eventually(lambda: jobs(shop), lambda found: found == [])
        assert api.pages == []
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now - DAY))
        settled(shop, 1)
        eventually(lambda: jobs(shop), lambda found: found == [])


def test_a_kill_in_the_middle_loses_nothing_and_stores_nothing_twice(shop, api):
    api.events = [shop.session(str(number), f"buyer-{number}@shop.example") for number in range(12)]
    api.most, api.delay = 1, 0.2
    later(shop, HOUR + 60)
    options = ["--mail-folder", str(shop.installation.home / "letters"), "--egress-allow", api.host]
    for pages in (3, 6, 9):
        running = shop.installation.start(*options)
        try:
            eventually(lambda: len(api.pages), lambda count, pages=pages: count >= pages)
        finally:
            running.kill()
    with serving(shop, api):
        settled(shop, 12)
        assert len(shop.licenses()) == 12
        eventually(lambda: letters(shop), lambda found: len(found) == 12)
        assert len({key for (key,) in letters(shop).values()}) == 12


def test_a_source_that_is_removed_from_the_catalog_is_not_asked_any_more(shop, api):
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"intake": []}
    with serving(shop, api):
        shop.installation.apply(catalog, "--prune")
        later(shop, 2 * HOUR)
        eventually(lambda: jobs(shop), lambda found: found == [])
        assert api.pages == []


def test_pages_that_are_too_long_are_read_in_smaller_ones(shop, api):
    # Each event has 200 KiB, so that only five of them fit into a response.
    note = "x" * (200 << 10)
    api.events = [
        shop.session(str(number), f"buyer-{number}@shop.example", metadata={"note": note}) for number in range(12)]
    with serving(shop, api):
        later(shop, HOUR + 60)
        settled(shop, 12)
        assert len(shop.licenses()) == 12
    sizes = [int(page["limit"][0]) for page in api.pages]
    assert sizes[:5] == [50, 25, 12, 6, 3] and set(sizes[5:]) == {3}


def test_a_slow_provider_does_not_delay_a_sale(shop, api):
    api.events, api.delay = [shop.session("1", ADDRESS, at=shop.now + HOUR)], 5
    with serving(shop, api) as running:
        later(shop, HOUR + 60)
        eventually(lambda: len(api.pages), lambda count: count == 1)
        shop.tell(running, shop.session("2", ADDRESS))
        # The message is carried out while the provider hasn't responded yet.
        settled(shop, 1)
        assert [order["reference"] for order in shop.orders()] == ["pi_2"]
        settled(shop, 2)


def test_the_api_key_is_neither_logged_nor_part_of_a_failure(shop, api):
    api.faults = [(401, b"{}")]
    with serving(shop, api) as running:
        later(shop, HOUR + 60)
        failed = eventually(lambda: job(shop), lambda job: job["failure"] is not None)
        assert "rk_test" not in json.dumps(failed) and "rk_test" not in running.said


def test_an_event_that_cannot_be_read_is_parked_once_and_the_others_are_carried_out(shop, api):
    broken = json.loads(shop.session("2", ADDRESS))
    del broken["livemode"]
    api.events = [shop.session("1", ADDRESS), json.dumps(broken).encode()]
    with serving(shop, api):
        for _ in range(2):
            later(shop, HOUR + 60)
            messages = settled(shop, 2)
            caught_up(shop)
        assert sorted((each["state"], each["reason"]) for each in messages) == [
            ("done", None), ("parked", "body_unreadable")]


def test_events_of_the_other_world_are_ignored(shop, api):
    shop.live = False
    api.events = [shop.session("1", ADDRESS)]
    with serving(shop, api):
        later(shop, HOUR + 60)
        (ignored,) = settled(shop, 1)
        assert ignored["reason"] == "wrong_world"


def test_catching_up_alone_ends_in_the_state_of_messages_in_any_order(shop, api):
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
            """The orders with their usable licenses: a sale whose refund was known already has issued none."""
            return sorted(
                (order["reference"], order["state"], order["paidUntil"], order["holderEmail"], [
                    (license["state"], license["policy"], license["expiresAt"])
                    for license in map(of.installation.show, order["lines"][0]["licenses"])
                    if license["state"] != "suspended"])
                for order in of.orders())

        assert len(state(shop)) == 8
        assert state(shop) == state(told)
