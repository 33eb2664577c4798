"""Tests purchases of content: a second purchase, a refund, added and removed lessons, and a lost phone."""

import pytest
from school import School, codes, item, offer, played


@pytest.fixture
def school(vendor):
    return School(vendor)


def test_when_the_first_of_two_enrolments_ends_its_licenses_continue_under_the_second(school):
    first = school.enrol()
    tablet = school.tablet()
    one, two = tablet.has("mck-1"), tablet.has("mck-2")
    second = school.enrol()
    latest, ended = max(school.grant(answer)["expiresAt"] for answer in (one, two)), school.act(first, "end")
    assert ended["enrolment"]["state"] == "ended" and ended["playableUntil"] == latest

    answers = tablet.renew(one, two)["items"]
    assert [school.grant(answer)["enrolment"] for answer in answers] == [second["id"]] * 2
    assert school.enrolment(second)["devices"] == 1
    assert {one["license"], two["license"]} == {
        license["id"] for license in tablet.ask("GET", "/licenses")["licenses"]}


def test_ending_an_enrolment_and_revoking_its_licenses_reports_until_when_devices_can_play(school):
    enrolment = school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    ended = school.act(enrolment, "end", licenses="revoke")
    assert ended["playableUntil"] == school.grant(one)["expiresAt"], "a device that does not ask plays on"
    assert school.act(enrolment, "end", licenses="revoke")["enrolment"] == ended["enrolment"]
    assert codes(tablet.renewed(one)) == ["content_license_revoked"]
    school.enrol()
    again = tablet.has("mck-1")
    assert again["license"] != one["license"] and again["version"] == 1


def test_an_enrolment_covers_a_lesson_added_to_its_course_and_no_longer_covers_a_removed_one(school):
    school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    assert tablet.get("mck-4").codes == ["enrolment_unknown"]
    items = [item(f"mck-{number}") for number in range(1, 6)]
    courses = [{"id": "algebra", "items": ["mck-2", "mck-4", "mck-5"]}]
    offer(school.vendor, items=items, courses=courses)
    assert tablet.has("mck-4")["version"] == 1
    assert codes(tablet.renewed(one)) == ["enrolment_unknown"]
    answer = tablet.get("mck-9")
    assert (answer.status, answer["code"]) == (404, "content_unknown")


def test_an_enrolment_covers_300_lessons_added_to_its_course_without_a_further_activation(school):
    enrolment = school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    lessons = [f"mck-{number}" for number in range(1, 305)]
    offer(school.vendor, items=[item(lesson) for lesson in lessons],
          courses=[{"id": "algebra", "title": "Algebra", "items": lessons}])
    listed, cursor = [], ""
    while cursor is not None:
        page = tablet.ask("GET", "/contents" + (f"?cursor={cursor}" if cursor else "")).json
        listed += page["contents"]
        cursor = page["cursor"]
    assert sorted(content["content"] for content in listed) == sorted(lessons)
    assert all(content["reasons"] == [] for content in listed)
    held = [one] + [tablet.has(lesson) for lesson in lessons[1:]]
    assert {license["version"] for license in held} == {1} and len({license["license"] for license in held}) == 304
    assert school.enrolment(enrolment)["devices"] == 1
    renewed = [answer for at in range(0, 304, 100) for answer in tablet.renew(*held[at:at + 100])["items"]]
    assert {answer["outcome"] for answer in renewed} == {"renewed"} and len(renewed) == 304


def test_the_token_of_a_released_phone_gets_no_license_and_releases_no_device(school):
    enrolment = school.enrol()
    phone = school.tablet(name="Phone")
    one = phone.has("mck-1")
    # The operator releases the phone. It can still report plays, but its requests and device releases are refused.
    school.ask("POST", f"/devices/{phone.device}/release", {"holder": "ada"})
    assert codes(phone.renewed(one)) == ["device_released"]
    assert phone.get("mck-2").codes == ["device_released"]
    [settled] = phone.report(played(one))["settled"]
    assert (settled["license"], settled["sequence"], settled["used"]["plays"]) == (one["license"], 1, 1)
    tablet = school.tablet(name="Tablet")
    two = tablet.has("mck-1")
    assert codes(phone.renewed(two)) == ["content_license_unknown"]
    tried = phone.ask("POST", f"/devices/{tablet.device}/release")
    assert (tried.status, tried.codes) == (409, ["device_released"])
    assert school.enrolment(enrolment)["devices"] == 1
    # Once its token has been ended, every request is refused.
    assert school.ask("POST", "/holders/end", {"holder": "ada", "device": phone.device})["ended"] == 1
    for answer in (phone.renew(one), phone.report(played(one)), phone.ask("GET", "/contents")):
        assert (answer.status, answer["code"]) == (401, "token_invalid")
    assert tablet.renewed(two)["version"] == 2
