"""Tests lost responses to content devices, and responses with a new token, the usage or evidence."""

import pytest
from school import School, codes, played, rule

DAY = 86_400


@pytest.fixture
def school(vendor):
    return School(vendor)


def test_content_is_renewed_although_responses_with_later_versions_were_lost(timed):
    """The device keeps sending version 1, because it never received the later versions."""
    school = School(timed, rule(expiresAfterDays=3, maxRenewals=2))
    school.enrol()
    tablet = school.tablet(hours=24 * 100)
    one = tablet.has("mck-1")
    timed.installation.set_clock(3 * DAY)
    lost = tablet.renewed(one)
    assert lost["version"] == 2
    timed.installation.set_clock(5 * DAY)
    assert tablet.renewed(one)["grant"] == lost["grant"], "while it plays, the present grant is given again"
    timed.installation.set_clock(7 * DAY)
    now = school.grant(lost)["issuedAt"] + 4 * DAY
    again = tablet.renewed(one, when="due")
    assert (again["outcome"], again["version"]) == ("renewed", 3) and school.grant(again)["expiresAt"] > now
    # The lost renewal wasn't counted, so one of two renewals is left.
    timed.installation.set_clock(10 * DAY)
    last = tablet.renewed(again)
    assert (last["outcome"], last["version"]) == ("renewed", 4)
    timed.installation.set_clock(14 * DAY)
    assert codes(tablet.renewed(last)) == ["renewal_over"]


def test_a_content_renewal_counts_against_the_limit_only_once_the_device_has_proved_receipt_of_the_new_version(timed):
    school = School(timed, rule(expiresAfterDays=3, maxRenewals=1))
    school.enrol()
    asking, reporting, showing, silent = (school.tablet(hours=24 * 100, holder=f"h{n}") for n in range(4))
    for tablet in (asking, reporting, showing, silent):
        school.enrol(tablet.holder)
        tablet.first = tablet.has("mck-1")
    timed.installation.set_clock(2 * DAY)
    for tablet in (asking, reporting, showing, silent):
        tablet.second = tablet.renewed(tablet.first)
        assert tablet.second["version"] == 2
    assert asking.renewed(asking.second, when="due")["outcome"] == "unchanged"
    reporting.report(played(reporting.second))
    timed.installation.set_clock(6 * DAY)
    assert codes(asking.renewed(asking.first)) == ["renewal_over"]
    assert codes(reporting.renewed(reporting.first)) == ["renewal_over"]
    shown = showing.first | {"grant": showing.second["grant"], "shows": True}
    assert codes(showing.renewed(shown)) == ["renewal_over"]
    assert silent.renewed(silent.first)["version"] == 3


def test_a_usage_report_without_sessions_gets_a_new_device_token_in_the_second_half_of_the_tokens_life(timed):
    school = School(timed)
    school.enrol()
    tablet, gone = school.tablet(), school.tablet()
    for one in (tablet, gone):
        one.has("mck-1")
    assert tablet.report().json == {"settled": [], "refused": []}, "the token is young"
    assert school.ask("POST", f"/devices/{gone.device}/release", {"holder": "ada"}).status == 200
    timed.installation.set_clock(16 * DAY)
    for path in ("/contents", "/licenses", "/devices", "/enrolments"):
        assert "token" not in tablet.ask("GET", path).json
    old, answer = tablet.token, tablet.report()
    assert answer["token"] != old
    assert "token" not in tablet.report().json, "one token has one successor a day"
    license = tablet.has("mck-1")
    assert "token" not in tablet.renew(license).json
    assert "token" not in gone.report().json
    timed.installation.set_clock(17 * DAY + 60)
    renewed = tablet.renew(license).json["token"]
    assert renewed not in (old, answer["token"]) and "token" not in tablet.report().json
    timed.installation.set_clock(31 * DAY)
    assert tablet.report()["code"] == "token_expired"
    tablet.token = answer["token"]
    assert tablet.renewed(license)["outcome"] == "renewed"


def test_a_usage_report_with_a_lower_sequence_number_gets_the_servers_sequence_number(vendor):
    """A device whose usage ledger was restored from a backup reports lower sequence numbers."""
    school = School(vendor, rule("std"), rule("all", onRenewal="carry", grantedPlays=9), items=[
        {"id": "mck-1", "title": "One", "policy": "std"}, {"id": "mck-2", "title": "Two", "policy": "all"},
        {"id": "mck-3", "title": "Three", "policy": "std"}])
    school.enrol()
    tablet = school.tablet()
    one, two = tablet.has("mck-1"), tablet.has("mck-2")
    tablet.report(*(played(item, sequence=place) for item in (one, two) for place in (1, 2, 3)))
    assert [tablet.renewed(item)["version"] for item in (one, two)] == [2, 2]
    told = {entry["license"]: entry for entry in tablet.report(played(one, 5), played(two, 5))["settled"]}
    assert told[one["license"]] == {
        "license": one["license"], "sequence": 3, "version": 2, "used": {"plays": 0, "playSeconds": 0}}
    assert told[two["license"]] == {
        "license": two["license"], "sequence": 3, "version": 2, "used": {"plays": 4, "playSeconds": 185}}
    # In the response to a renewal, the usage is that of the new version.
    answer = tablet.renew(one | {"version": 2}, usage=[played(one | {"version": 2}, sequence=4)]).json
    assert answer["settled"][0]["version"] == 3 and answer["settled"][0]["used"] == answer["items"][0]["used"]


def test_the_reasons_of_an_expired_content_license_and_a_paused_enrolment_have_the_member_evidence(school):
    """The API description requires the member `evidence`, even if it is empty."""
    enrolment = school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    school.stop(one["license"], "expire")
    school.act(enrolment, "pause")
    reasons = school.ask("GET", f"/licenses/{one['license']}/explain")["reasons"]
    reasons += tablet.renewed(one)["reasons"] + tablet.ask("GET", "/contents")["contents"][0]["reasons"]
    assert {reason["code"] for reason in reasons} == {"content_license_expired", "enrolment_paused"}
    assert all(set(reason) == {"code", "message", "cure", "changesAt", "evidence"} for reason in reasons)
