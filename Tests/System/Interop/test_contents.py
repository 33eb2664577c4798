"""Tests offline content: enrolments, licenses, renewals and reports; PyJWT verifies the grants."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from school import School, codes, played, request_id, rule

DAY = 86_400


@pytest.fixture
def school(vendor):
    return School(vendor)


def test_only_plays_of_a_content_licenses_latest_version_count_against_its_limits(school):
    enrolment = school.enrol()
    assert (enrolment["state"], enrolment["devices"], enrolment["deviceLimit"]) == ("open", 0, 2)
    tablet = school.tablet(name="Ada's tablet")
    listed = tablet.ask("GET", "/contents")["contents"]
    assert [one["content"] for one in listed] == ["mck-1", "mck-2", "mck-3"]
    assert all(one["license"] is None and one["enrolment"] == enrolment["id"] for one in listed)

    first = tablet.has("mck-1")
    grant = school.grant(first)
    assert (first["outcome"], first["version"], grant["version"], grant["plays"]) == ("renewed", 1, 1, 3)
    assert grant["device"] == tablet.device and grant["enrolment"] == enrolment["id"]
    assert grant["expiresAt"] == grant["issuedAt"] + 30 * DAY and grant["renewFrom"] == grant["expiresAt"] - 3 * DAY
    assert "exp" not in grant and "nbf" not in grant

    due = tablet.renewed(first, when="due")
    assert (due["outcome"], due["grant"]) == ("unchanged", first["grant"])
    plays = [played(first, sequence=number) for number in (1, 2, 3)]
    second = tablet.renewed(first, when="due", usage=plays)
    assert (second["outcome"], second["version"], second["used"]) == ("renewed", 2, {"plays": 0, "playSeconds": 0})
    assert school.grant(second)["settled"] == 3

    # Usage of the first version never counts against the second.
    late = tablet.report(played(first, sequence=4), played(second, 100, sequence=5))
    used = {"plays": 1, "playSeconds": 100}
    assert late["settled"] == [{"license": first["license"], "sequence": 5, "version": 2, "used": used}]
    kept = school.license(first["license"])
    assert kept["used"] == {"plays": 1, "playSeconds": 100} and kept["remaining"] == {"plays": 2, "playSeconds": 7100}
    assert [one["license"] for one in tablet.ask("GET", "/contents")["contents"]] == [first["license"], None, None]


def test_a_repeated_content_request_gets_the_same_response(school):
    school.enrol()
    tablet = school.tablet()
    request = request_id()
    first, again = tablet.get("mck-1", request), tablet.get("mck-1", request)
    assert first.body == again.body
    answer = tablet.get("mck-2", request)
    assert (answer.status, answer["code"]) == (409, "request_id_reused")

    request, license = request_id(), first.json
    usage = [played(license)]
    one = tablet.renew(license, usage=usage, request=request).json
    two = tablet.renew(license, usage=usage, request=request).json
    assert one["items"] == two["items"] and one["items"][0]["version"] == 2
    assert tablet.renewed(license)["version"] == 2, "an older version gets the present grant"
    refused = tablet.get("mck-4", request := request_id())
    assert refused.status == 403 and refused.body == tablet.get("mck-4", request).body


def test_the_response_to_a_content_renewal_lists_the_outcome_and_reasons_of_each_item_in_order(school):
    course, other, third = school.enrol(), school.enrol(content="mck-4"), school.enrol("bob")
    tablet = school.tablet()
    one, two, three, four = (tablet.has(f"mck-{number}") for number in range(1, 5))
    foreign = school.tablet("bob").has("mck-1")
    school.stop(two["license"], "revoke", reason="fraud")
    school.stop(three["license"], "delete")
    school.act(other, "pause")
    assert third["id"] != course["id"]

    answer = tablet.renew(
        one, two, three, four, foreign, {"license": "clc_0000000000001", "version": 1},
        {"license": "nonsense", "version": 1}).json
    outcomes = [(one["outcome"], codes(one)) for one in answer["items"]]
    assert outcomes == [
        ("renewed", []), ("terminal", ["content_license_revoked"]), ("terminal", ["content_license_deleted"]),
        ("refused", ["enrolment_paused"]), ("invalid", ["content_license_unknown"]),
        ("invalid", ["content_license_unknown"]), ("invalid", ["field_invalid"])]
    assert [school.refusal(answer["items"][place])["act"] for place in (1, 2)] == ["lock", "delete"]
    assert "grant" not in answer["items"][3] and "refusal" not in answer["items"][3]

    # A revoked license is reported as revoked even after its enrolment has ended, and isn't issued again.
    school.act(course, "end")
    assert codes(tablet.renewed(two)) == ["content_license_revoked"]
    refused = tablet.get("mck-2")
    assert refused.status == 403 and refused.codes == ["content_license_revoked", "enrolment_ended"]
    assert school.refusal(refused.json)["license"] is None
    school.stop(three["license"], "reset")
    assert school.stop(two["license"], "reset").status == 409
    assert codes(tablet.renewed(three)) == ["enrolment_ended"]


def test_invalid_entries_of_a_usage_report_are_reported_by_index(school):
    school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    bad = played(one, sequence=9) | {"playSeconds": 2**31 + 1}
    answer = tablet.report(5, played(one), bad, played({"license": "clc_0000000000001", "version": 1}), {})
    used = {"plays": 1, "playSeconds": 60}
    assert answer["settled"] == [{"license": one["license"], "sequence": 1, "version": 1, "used": used}]
    assert answer["refused"] == [
        {"index": 0, "code": "field_invalid"}, {"index": 2, "code": "field_invalid"},
        {"index": 3, "code": "content_license_unknown"}, {"index": 4, "code": "field_invalid"}]
    # Usage beyond the grant is recorded but causes no refusal.
    tablet.report(*(played(one, 4000, sequence=2) for _ in range(4)))
    assert school.license(one["license"])["used"] == {"plays": 5, "playSeconds": 16060}
    events = school.vendor.server.client.get(
        f"/v1/{school.vendor.tenant}/events?contentLicense={one['license']}",
        {"Authorization": f"Bearer {school.token}"})["events"]
    assert [one["kind"] for one in events] == ["content.licensed", "content.overused"]
    assert tablet.renewed(one)["outcome"] == "renewed"


def test_a_device_counts_against_the_limit_of_an_enrolment_until_it_is_released_or_replaced(school):
    enrolment = school.enrol()
    phone, laptop, desk = (school.tablet() for _ in range(3))
    one = phone.has("mck-1")
    phone.has("mck-2"), laptop.has("mck-1")
    assert school.enrolment(enrolment)["devices"] == 2
    answer = desk.get("mck-1")
    assert (answer.status, answer.codes) == (409, ["device_limit_reached"])

    # A returned license counts as long as it can be played, but a device change lets another device take over early.
    for content in ("mck-1", "mck-2"):
        has = phone.has(content)
        returned = phone.ask("POST", f"/licenses/{has['license']}/return", {"requestId": request_id()}).json
        assert (returned["outcome"], codes(returned)) == ("terminal", ["content_license_returned"])
        assert school.refusal(returned)["act"] == "lock"
    assert school.enrolment(enrolment)["devices"] == 2
    assert desk.has("mck-1")["version"] == 1
    assert school.enrolment(enrolment)["devices"] == 2
    assert codes(phone.renewed(one)) == ["content_license_returned"]
    assert phone.get("mck-1").codes == ["device_limit_reached"]

    # A release by the operator takes effect at once; the released device gets a refusal that names the release.
    listed = school.ask("GET", f"/devices?holder={desk.holder}")["devices"]
    assert sorted(one["device"] for one in listed) == sorted([laptop.device, desk.device])
    assert school.ask("POST", f"/devices/{laptop.device}/release", {"holder": "ada"}).status == 200
    assert school.enrolment(enrolment)["devices"] == 1
    answer = laptop.get("mck-1")
    assert (answer.status, answer.codes) == (403, ["device_released"])
    again = school.tablet(device=laptop.device)
    has = again.has("mck-1")
    # A token from before the release can't change licenses that were issued after the release.
    returned = laptop.ask("POST", f"/licenses/{has['license']}/return", {"requestId": request_id()}).json
    for told in (laptop.renewed(has), returned):
        assert (told["outcome"], codes(told), told["version"]) == ("refused", ["device_released"], 1)
    assert phone.ask("POST", f"/devices/{again.device}/release").codes == ["self_release_off"]


def test_a_holder_can_release_a_content_device_only_as_often_as_the_policy_allows(vendor):
    school = School(vendor, rule(selfRelease={"cooldownDays": 0, "perYear": 1}))
    school.enrol()
    phone, lost = school.tablet(), school.tablet(name="Old phone")
    has = lost.has("mck-1")
    phone.has("mck-1")
    listed = phone.ask("GET", "/devices").json
    assert listed["selfRelease"] == {"left": 1, "nextAt": None}
    assert ("Old phone", ["mck-1"]) in [(one["name"], one["contents"]) for one in listed["devices"]]
    left = phone.ask("POST", f"/devices/{lost.device}/release").json
    assert [one["device"] for one in left["devices"]] == [phone.device] and left["selfRelease"]["left"] == 0
    assert codes(lost.renewed(has)) == ["device_released"]
    third = school.tablet()
    third.has("mck-1")
    refused = phone.ask("POST", f"/devices/{third.device}/release")
    assert (refused.status, refused.codes) == (403, ["self_release_used_up"])


def test_of_twelve_devices_that_request_an_enrolments_last_activation_one_gets_it(vendor):
    school = School(vendor, rule(deviceLimit=1))
    enrolment = school.enrol()
    tablets = [school.tablet() for _ in range(12)]

    def get(tablet) -> int:
        client = vendor.server.new_client()
        try:
            return tablet.get("mck-1", client=client).status
        finally:
            client.close()

    with ThreadPoolExecutor(12) as pool:
        assert sorted(pool.map(get, tablets)) == [200] + [409] * 11
    assert school.enrolment(enrolment)["devices"] == 1


def test_two_concurrent_renewals_of_one_version_of_a_content_license_create_one_new_version(school):
    school.enrol()
    tablet = school.tablet()
    held = tablet.has("mck-1")

    def renew(item: dict) -> dict:
        client = school.vendor.server.new_client()
        try:
            return tablet.renewed(item, client=client)
        finally:
            client.close()

    with ThreadPoolExecutor(2) as pool:
        for version in range(2, 27):
            one, two = pool.map(renew, [held, held])
            assert one["grant"] == two["grant"] and one["version"] == version
            held = one


def test_content_with_open_access_is_licensed_to_a_holder_without_an_enrolment(vendor):
    school = School(vendor, access="open")
    tablet = school.tablet("zoë")
    assert len(tablet.ask("GET", "/contents")["contents"]) == 4
    has = tablet.has("mck-4")
    made = school.ask("GET", "/enrolments")["enrolments"]
    assert [(one["holder"], one["content"], one["devices"]) for one in made] == [("zoë", "mck-4", 1)]
    school.act(made[0], "end")
    assert codes(tablet.renewed(has)) == ["enrolment_ended"]
    assert tablet.get("mck-4").status == 200, "what is held already is answered as it is"


def test_a_content_renewal_of_a_version_unknown_to_the_server_is_refused_without_a_grant_of_that_version(
        school, vendor):
    school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    ahead = tablet.renewed(one) | {"version": 5}
    assert codes(tablet.renewed(ahead)) == ["grant_needed"]
    assert codes(tablet.renewed(ahead | {"shows": True})) == ["grant_needed"], "a grant of version 2 proves no 5"
    vendor.installation.do("key", "rotate", "--tenant", vendor.tenant)
    assert tablet.renewed(one)["version"] == 2


def test_malformed_content_requests_are_refused_and_do_not_renew_a_license(school):
    school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")

    def status(path: str, body: dict, token: str | None = None) -> tuple[int, str]:
        answer = school.ask("POST", path, body, token or tablet.token)
        return answer.status, answer["code"]

    named = {"license": one["license"], "version": 1}
    renewal = {"requestId": request_id(), "when": "always"}
    assert status("/renewals", renewal | {"items": [named] * 101}) == (422, "field_invalid")
    assert status("/renewals", renewal | {"items": [named, named]}) == (422, "field_invalid")
    assert status("/renewals", renewal | {"items": []}) == (422, "field_invalid")
    assert status("/renewals", renewal | {"items": [named], "when": "soon"}) == (422, "field_invalid")
    assert status("/renewals", {"requestId": "short", "when": "due", "items": [named]}) == (422, "field_invalid")
    assert status("/licenses", {"content": "mck-1"}) == (422, "field_missing")
    assert status("/licenses", {"requestId": request_id(), "content": "a b"}) == (422, "field_invalid")
    assert status("/enrolments", {"holder": "x", "course": "algebra"}) == (403, "scope_missing")
    assert status("/enrolments", {"holder": "x"}, school.token) == (422, "field_missing")
    assert status("/enrolments", {"holder": "x", "course": "none"}, school.token) == (404, "course_unknown")
    assert status("/licenses", {"requestId": request_id(), "content": "mck-1"}, school.token) == (403, "scope_missing")
    assert status("/licenses", {"requestId": request_id(), "content": "mck-1"}, "tenure_ht_x") == (401, "token_invalid")
    assert tablet.ask("GET", "/licenses/clc_0000000000001").status == 404
    assert tablet.ask("GET", "/time?nonce=short").status == 422
    raw = school.vendor.server.client.ask(
        "POST", f"{school.base}/renewals", b'{"requestId": ',
        {"Authorization": f"Bearer {tablet.token}", "Content-Type": "application/json"})
    assert (raw.status, raw["code"]) == (400, "json_malformed"), raw
    nonce = "n" * 22
    time = school.read(tablet.ask("GET", f"/time?nonce={nonce}")["time"], "tenure-time+jwt")
    assert time["nonce"] == nonce
    assert school.license(one["license"])["version"] == 1


def test_a_holder_can_not_see_another_holders_enrolments_and_content_licenses(school):
    ada, bob = school.enrol("ada"), school.enrol("bob")
    hers, his = school.tablet("ada"), school.tablet("bob")
    one = hers.has("mck-1")
    assert his.ask("GET", f"/licenses/{one['license']}").status == 404
    assert his.ask("GET", f"/enrolments/{ada['id']}").status == 404
    assert [found["id"] for found in his.ask("GET", "/enrolments?holder=ada")["enrolments"]] == [bob["id"]]
    assert his.ask("GET", "/licenses?holder=ada")["licenses"] == []
    answer = his.ask("POST", f"/licenses/{one['license']}/return", {"requestId": request_id()})
    assert (answer.status, answer["code"]) == (404, "not_found")
    # A second learner on the same tablet gets a separate license.
    shared = school.tablet("bob", device=hers.device)
    assert shared.has("mck-1")["license"] != one["license"]
    # The pages of a list add up to the whole list.
    more = {one["license"]} | {hers.has(content)["license"] for content in ("mck-2", "mck-3")}
    for narrowed in ("holder=ada", f"holder=ada&device={hers.device}", ""):
        found, cursor = [], ""
        while cursor is not None:
            page = school.ask("GET", f"/licenses?limit=1&{narrowed}" + (f"&cursor={cursor}" if cursor else "")).json
            found += [license["id"] for license in page["licenses"]]
            cursor = page["cursor"]
        assert len(found) == len(set(found)) and more <= set(found)
        assert (set(found) == more) == bool(narrowed)


def test_no_second_enrolment_is_created_with_the_same_reference(school):
    first = school.enrol(reference="order-1", endsAt=1_900_000_000)
    again = school.enrol(reference="order-1", endsAt=1_900_000_000)
    assert first == again
    answer = school.ask("POST", "/enrolments", {"holder": "eve", "course": "algebra", "reference": "order-1"})
    assert (answer.status, answer.codes) == (409, ["reference_taken"])
    body, headers = {"holder": "ada", "course": "algebra"}, {"Idempotency-Key": "order-2"}
    one, two = (school.ask("POST", "/enrolments", body, headers=headers) for _ in range(2))
    assert one.json == two.json and two.headers["idempotent-replayed"] == "true"
    pages = school.ask("GET", "/enrolments?limit=1").json
    rest = school.ask("GET", f"/enrolments?limit=1&cursor={pages['cursor']}").json
    assert {pages["enrolments"][0]["id"], rest["enrolments"][0]["id"]} == {first["id"], one["enrolment"]["id"]}


def test_a_device_token_that_was_ended_is_refused(school):
    school.enrol()
    tablet = school.tablet()
    one = tablet.has("mck-1")
    assert school.ask("POST", "/holders/end", {"holder": "ada", "device": tablet.device})["ended"] == 1
    answer = tablet.renew(one)
    assert (answer.status, answer["code"]) == (401, "token_invalid")
    assert school.tablet(device=tablet.device).renewed(one)["version"] == 2


def test_an_enrolment_grants_content_only_between_its_dates(timed):
    school = School(timed)
    now = int(school.read(school.ask("GET", f"/time?nonce={'n' * 22}")["time"], "tenure-time+jwt")["issuedAt"])
    enrolment = school.enrol(startsAt=now + DAY, endsAt=now + 10 * DAY)
    tablet = school.tablet(hours=24 * 100)
    answer = tablet.get("mck-1")
    assert answer.codes == ["enrolment_not_started"] and answer["reasons"][0]["changesAt"] is not None
    timed.installation.set_clock(2 * DAY)
    one = tablet.has("mck-1")
    assert school.grant(one)["expiresAt"] == now + 10 * DAY, "a grant ends with its enrolment at the latest"
    timed.installation.set_clock(11 * DAY)
    assert codes(tablet.renewed(one)) == ["enrolment_ended"]
    school.act(enrolment, "extend", days=5)
    assert school.grant(tablet.renewed(one))["version"] == 2

    # After half of its lifetime, a token is replaced if its device counts in an open enrolment.
    assert "token" not in tablet.renew(one).json
    school.enrol()
    timed.installation.set_clock(60 * DAY)
    old, answer = tablet.token, tablet.renew(tablet.has("mck-1"), request=(request := request_id())).json
    assert answer["token"] != old and "token" not in tablet.renew(answer["items"][0], request=request).json
    tablet.token = answer["token"]
    timed.installation.set_clock(101 * DAY)
    assert tablet.renewed(one)["outcome"] == "renewed"
    tablet.token = old
    expired = tablet.renew(one)
    assert (expired.status, expired["code"]) == (401, "token_expired")


def test_commands_can_pause_and_end_enrolments_and_expire_and_reset_content_licenses(school, vendor):
    def run(*words: str) -> dict:
        return vendor.installation.do(*words, "--tenant", vendor.tenant, "--json").json

    added = run("enrolment", "add", "ada", "--course", "algebra", "--until", "2035-01-01", "--reference", "order-9")
    assert run("enrolment", "show", added["id"]) == added == school.enrolment(added)
    assert run("enrolment", "pause", added["id"])["enrolment"]["state"] == "paused"
    tablet = school.tablet()
    assert tablet.get("mck-1").codes == ["enrolment_paused"]
    run("enrolment", "resume", added["id"])
    one = tablet.has("mck-1")
    assert [found["id"] for found in run("content", "list", "--holder", "ada")["licenses"]] == [one["license"]]
    assert run("content", "explain", one["license"])["reasons"] == []
    assert run("content", "expire", one["license"], "--reason", "unpaid")["state"] == "expired"
    assert [reason["code"] for reason in run("content", "explain", one["license"])["reasons"]] == [
        "content_license_expired"]
    assert run("content", "reset", one["license"])["state"] == "active"
    assert tablet.renewed(one, when="due")["outcome"] == "renewed"
    assert run("enrolment", "end", added["id"])["playableUntil"] is not None
