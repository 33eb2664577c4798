"""Tests that no event is lost if Stripe's list of events is slow, too long or wrong, or if the server is killed."""

import json

import pytest
from catching_up import api, shop  # noqa: F401 (fixtures)
from catching_up import ADDRESS, HOUR, at, caught_up, job, later, letters, serving, settled
from stripe_shop import DAY
from waiting import eventually


@pytest.mark.parametrize("fault", [
    (429, b"{}"), (503, b""), (200, b"<html>"), (200, b'{"object": "list"}'), (200, b'{"object": "list", "data": [')])
def test_a_failed_request_for_stripes_list_of_events_is_repeated(shop, api, fault):
    api.events, api.faults = [shop.session("1", ADDRESS)], [fault]
    with serving(shop, api):
        later(shop, HOUR + 60)
        failed = eventually(lambda: job(shop), lambda job: job["failure"] is not None)
        assert "Stripe" in failed["failure"] and shop.messages() == []
        later(shop, 60)
        settled(shop, 1)
        caught_up(shop)


def test_doctor_reports_repeated_failures_of_a_providers_list_of_events_until_the_list_is_read(shop, api):
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


def test_doctor_reports_missed_days_whose_events_the_payment_provider_no_longer_lists(shop, api):
    with serving(shop, api):
        caught_up(shop)
    later(shop, 40 * DAY)
    with serving(shop, api):
        caught_up(shop)
        doctor = shop.installation.run("doctor").out
        assert "don't list the events of some days any more (stripe: " in doctor
        shop.installation.do("intake", "catch-up", "stripe", "--tenant", shop.tenant, "--since", at(shop.now)[:10])
        assert "events of some days" not in shop.installation.run("doctor").out


def test_killing_a_server_that_reads_a_list_of_payment_events_neither_loses_nor_repeats_a_sale(shop, api):
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


def test_a_page_of_payment_events_that_is_too_large_is_requested_again_with_fewer_events(shop, api):
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


def test_a_payment_event_over_the_message_size_limit_is_carried_out_if_it_is_read_from_the_providers_list(shop, api):
    api.events = [
        shop.session("1", ADDRESS), shop.session("2", ADDRESS, metadata={"note": "x" * (2 << 20)}), shop.session("3", ADDRESS)]
    with serving(shop, api):
        later(shop, HOUR + 60)
        settled(shop, 3)
        assert len(shop.licenses()) == 3


def test_reading_a_slow_list_of_payment_events_does_not_delay_the_message_about_a_sale(shop, api):
    api.events, api.delay = [shop.session("1", ADDRESS, at=shop.now + HOUR)], 5
    with serving(shop, api) as running:
        later(shop, HOUR + 60)
        eventually(lambda: len(api.pages), lambda count: count == 1)
        shop.tell(running, shop.session("2", ADDRESS))
        # The message is carried out while the provider hasn't responded yet.
        settled(shop, 1)
        assert [order["reference"] for order in shop.orders()] == ["pi_2"]
        settled(shop, 2)


def test_a_providers_api_key_is_neither_logged_nor_part_of_a_jobs_failure(shop, api):
    api.faults = [(401, b"{}")]
    with serving(shop, api) as running:
        later(shop, HOUR + 60)
        failed = eventually(lambda: job(shop), lambda job: job["failure"] is not None)
        assert "rk_test" not in json.dumps(failed) and "rk_test" not in running.said


def test_an_unreadable_payment_event_in_a_list_is_parked_once_and_the_others_are_carried_out(shop, api):
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


def test_a_listed_event_about_a_test_payment_is_ignored_by_a_source_of_real_payments(shop, api):
    shop.live = False
    api.events = [shop.session("1", ADDRESS)]
    with serving(shop, api):
        later(shop, HOUR + 60)
        (ignored,) = settled(shop, 1)
        assert ignored["reason"] == "wrong_world"
