"""Tests terms, grace periods and leases with a clock that a file moves."""

import pytest
from catalogs import policy
from installation import Installation

DAY = 86_400
TERM = 10 * DAY


def lapsing(vendor, **members) -> tuple[str, dict]:
    """Activates a license with a term of ten days; returns its key and the response."""
    key = vendor.offer_license(policy(durationDays=10, **members))
    answer = vendor.app().activate(key, machine_hash="aa" * 32)
    assert answer.status == 200, answer
    return key, answer


def validate_at(vendor, key: str, first: dict, moment: int):
    """Validates at exactly this time of the server's clock, and returns the response."""
    offset = 0
    while True:
        vendor.installation.set_clock(offset)
        before = vendor.server.client.get(f"/{vendor.tenant}/notes/config")
        assert before.status == 200
        answer = vendor.app().validate(key, first["instance_id"])
        said = answer["lease"]["issuedAt"]
        if said == moment:
            return answer
        offset += moment - said


@pytest.mark.parametrize("grace", [0, 3])
def test_a_license_is_valid_until_the_exact_second_at_which_its_term_and_grace_period_end(timed, grace):
    key, first = lapsing(timed, graceDays=grace)
    use_end = first["license_expires_at"] + grace * DAY

    last = validate_at(timed, key, first, use_end - 1)
    assert last.status == 200 and last["lease"]["status"] == "active"
    assert last["lease"]["expiresAt"] == use_end
    over = validate_at(timed, key, first, use_end)
    assert (over.status, over["code"], over["lease"]["status"]) == (422, "license_expired", "expired")
    assert over["lease"]["entitlements"] == []


@pytest.mark.parametrize("day, lease_days", [(0, 7), (2, 7), (3, 7), (4, 6), (9, 1)])
def test_a_lease_does_not_outlast_its_licenses_term(timed, day, lease_days):
    key, first = lapsing(timed)
    end = first["license_expires_at"]

    lease = validate_at(timed, key, first, end - TERM + day * DAY)["lease"]
    assert lease["expiresAt"] - lease["issuedAt"] == lease_days * DAY
    assert lease["expiresAt"] <= end


def test_a_grace_period_lengthens_leases_but_not_the_term(timed):
    key, first = lapsing(timed, graceDays=5)
    end = first["license_expires_at"]

    answer = validate_at(timed, key, first, end + DAY)
    assert answer.status == 200 and answer["license_expires_at"] == end
    assert answer["lease"]["status"] == "active" and answer["lease"]["expiresAt"] == end + 5 * DAY


def test_fallback_begins_at_the_exact_second_at_which_the_licenses_term_ends(timed):
    key, first = lapsing(timed, fallbackAccess=True)
    end = first["license_expires_at"]

    assert validate_at(timed, key, first, end - 1)["lease"]["status"] == "active"
    over = validate_at(timed, key, first, end)
    assert (over.status, over["lease"]["status"], over["lease"]["entitlements"]) == (422, "fallback", [])
    again = timed.app().activate(key, machine_hash="aa" * 32)
    assert (again.status, again["instance_id"]) == (200, first["instance_id"])
    assert again["lease"]["status"] == "fallback"


def test_a_renewal_makes_an_expired_license_active_again(timed):
    key, first = lapsing(timed)
    over = validate_at(timed, key, first, first["license_expires_at"] + DAY)
    assert over.status == 422
    timed.license("renew", key)

    answer = timed.app().validate(key, first["instance_id"])
    assert answer.status == 200
    lasts = answer["license_expires_at"] - answer["lease"]["issuedAt"]
    assert TERM - 60 <= lasts <= TERM


def test_a_renewal_before_a_licenses_end_extends_it_by_a_whole_term(timed):
    key, first = lapsing(timed)
    timed.license("renew", key)

    answer = timed.app().validate(key, first["instance_id"])
    assert answer["license_expires_at"] == first["license_expires_at"] + TERM


def test_the_readiness_check_doctor_and_the_log_report_a_virtual_clock(timed):
    assert timed.server.client.get("/ready").json["clock"] == "virtual clock"
    assert timed.server.says("virtual clock")
    assert "virtual clock" in timed.installation.do("doctor").out


def test_a_virtual_clock_is_refused_if_other_hosts_can_reach_the_server(home):
    (home / "clock").write_text("0")
    output = Installation(home).run("serve", "--listen", "0.0.0.0:0", "--clock", str(home / "clock"))
    assert output.code == 1 and "loopback" in output.err


@pytest.mark.parametrize("text", ["", "soon", "1.5", "1e3"])
def test_a_server_refuses_to_start_if_its_clock_file_does_not_contain_a_whole_number(home, text):
    (home / "clock").write_text(text)
    output = Installation(home).run("serve", "--listen", "127.0.0.1:0", "--clock", str(home / "clock"))
    assert output.code == 1 and "whole number" in output.err
