"""Tests that events don't contain the names of holders and devices, but that a holder's name finds the events."""

import re
import sqlite3
from contextlib import closing

import secrecy
from database import SharedInstallation
from school import School
from vendor import Vendor

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
PAGE_EVENTS = ["holder.link_made", "holder.session_opened", "holder.session_closed"]


def opened_page(school: School, holder: str) -> str:
    """Opens a holder's page with a new link; returns the session's cookie."""
    link = school.ask("POST", "/holders/link", {"holder": holder})["path"]
    secrecy.keep(link.rsplit("/", 1)[1])
    opened = school.vendor.server.client.ask("POST", link, b"", FORM)
    assert opened.status == 303, opened
    cookie = opened.headers["set-cookie"].split(";")[0]
    secrecy.keep(cookie.split("=", 1)[1])
    return cookie


def visit(school: School, holder: str) -> str:
    """Opens a holder's page and closes it again; returns its reference for support."""
    cookie, start = opened_page(school, holder), f"/content/{school.vendor.tenant}/learner"
    client = school.vendor.server.client
    page = client.ask("GET", start, None, {"Cookie": cookie}).body.decode()
    code = re.search(r'name="code" value="([^"]+)"', page)[1]
    closed = client.ask("POST", start + "/sign-out", f"code={code}".encode(), FORM | {"Cookie": cookie})
    assert closed.status == 200, closed
    return re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", page)[0]


def events_of(school: School, holder: str) -> list[dict]:
    answer = school.vendor.server.client.get(
        f"/v1/{school.vendor.tenant}/events?holder={holder}", {"Authorization": f"Bearer {school.token}"})
    assert answer.status == 200, answer
    return answer["events"]


def stored_events(installation, tenant: str) -> str:
    """Every column of a tenant's stored events, as one text."""
    if isinstance(installation, SharedInstallation):
        return "\n".join(installation.sql(f"SELECT events::text FROM events WHERE tenant = '{tenant}'"))
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT * FROM events WHERE tenant = ?", (tenant,)).fetchall()
    return "\n".join(map(str, rows))


def test_the_holder_filter_finds_exactly_the_events_of_one_holder(vendor):
    school = School(vendor)
    for holder in ("ada", "adam"):
        visit(school, holder)
    for holder in ("ada", "adam"):
        found = events_of(school, holder)
        assert [event["kind"] for event in found] == PAGE_EVENTS
        assert len({event["detail"]["holderRef"] for event in found}) == 1
        printed = vendor.installation.do(
            "events", "--tenant", vendor.tenant, "--holder", holder, "--json").lines
        assert printed == found
    assert events_of(school, "Ada") == events_of(school, "eve") == []


def test_the_events_of_two_tenants_refer_to_the_same_holder_by_different_references(shared_installation, shared_server):
    references = set()
    for _ in range(2):
        school = School(Vendor(shared_installation, shared_server))
        opened_page(school, "ada")
        references |= {event["detail"]["holderRef"] for event in events_of(school, "ada")}
    assert len(references) == 2


def test_the_support_command_finds_the_holder_and_events_of_a_session_by_the_reference_on_the_holder_page(vendor):
    school = School(vendor)
    reference = visit(school, "ada")
    found = vendor.installation.do("support", reference, "--tenant", vendor.tenant, "--json").json
    assert found["holder"] == "ada"
    assert [event["kind"] for event in found["events"]] == PAGE_EVENTS[1:]
    assert "holder   ada\n" in vendor.installation.do("support", reference, "--tenant", vendor.tenant).out


def test_no_stored_event_contains_the_name_of_a_holder_or_a_device(vendor):
    tenant, do = vendor.tenant, vendor.installation.do
    key = vendor.offer_license(holder="lovelace@example.com")
    instance = vendor.app().activated(key, "Lovelace's laptop")
    do("license", "change", key, "--holder", "babbage@example.com", "--tenant", tenant)
    do("license", "link", key, "--tenant", tenant, "--json")
    assert vendor.app().deactivate(instance).status == 200
    secrecy.keep(do(
        "license", "transfer", key, "--to", "somerville@example.com", "--yes", "--tenant", tenant, "--json",
    ).json["licenseKey"])

    school = School(vendor)
    school.act(school.enrol("lovelace"), "pause")
    school.enrol("babbage")
    tablet = school.tablet("babbage", name="Babbage's tablet")
    tablet.has("mck-1")
    visit(school, "babbage")
    assert school.ask("POST", f"/devices/{tablet.device}/release", {"holder": "babbage"}).status == 200
    assert school.ask("POST", "/holders/end", {"holder": "babbage"}).status == 200

    stored = stored_events(vendor.installation, tenant)
    for kind in (
            "license.changed", "license.transferred", "activation.released", "enrolment.paused", "content.returned",
            *PAGE_EVENTS):
        assert kind in stored, kind
    for name in ("lovelace", "babbage", "somerville"):
        assert name not in stored.lower(), name
