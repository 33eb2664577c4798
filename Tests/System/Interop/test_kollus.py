"""Tests the responses to Kollus's callbacks of kinds 1, 2 and 3, which PyJWT decodes."""

import json
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import jwt
import pytest
from client import Answer
from school import School, codes, rule

DAY = 86_400
KEY = "tenure-kollus-test-security-key!"


class Player:
    """A simulated Kollus player, which knows only Kollus's protocol."""

    def __init__(self, school: School, user: str = "ada", player: str | None = None, path: str | None = None):
        self.school, self.user, self.player = school, user, player or secrets.token_hex(8)
        self.path = path or callback(school)

    def send(self, items: str, client=None) -> Answer:
        body = urlencode({"items": items}).encode()
        return (client or self.school.vendor.server.client).ask(
            "POST", self.path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def item(self, kind: int, key: str, **members) -> dict:
        # Kollus's player sends numbers as strings.
        return {
            "kind": str(kind), "media_content_key": key, "client_user_id": self.user, "player_id": self.player,
            "device_name": "Phone"} | {name: str(value) for name, value in members.items()}

    def ask(self, *items: dict, client=None) -> list[dict]:
        answer = self.send(json.dumps(items), client)
        assert answer.status == 200, answer
        return read(answer)

    def check(self, key: str, **members) -> dict:
        return self.ask(self.item(3, key, session_key="s", start_at=7, **members))[0]


def read(answer: Answer) -> list[dict]:
    assert answer.headers["x-kollus-userkey"] == "custom"
    payload = jwt.decode(answer.body.decode(), KEY, algorithms=["HS256"])
    assert set(payload) == {"data"}, "no registered claims"
    for item in payload["data"]:
        assert all(isinstance(item[name], int) for name in item if name not in (
            "media_content_key", "message", "session_key"))
    return payload["data"]


def callback(school: School, *options: str) -> str:
    return school.vendor.installation.do(
        "content", "callback", "--tenant", school.vendor.tenant, "--json", *options).json["path"]


def with_kollus(vendor, *rules: dict, **kollus) -> School:
    return School(vendor, *rules, kollus={"securityKey": KEY, "customKey": "custom"} | kollus)


@pytest.fixture
def school(vendor):
    return with_kollus(vendor)


def test_a_kollus_player_can_download_content_report_its_completion_check_it_and_reset_its_limits(school):
    school.enrol()
    player = Player(school)
    [given] = player.ask(player.item(1, "mck-1"))
    assert (given["result"], given["expiration_count"], given["expiration_playtime"]) == (1, 3, 7200)
    assert given["expiration_playtime_type"] == 0 and given["expiration_date"] > 1_795_000_000
    assert player.ask(player.item(1, "mck-1")) == [given], "a repeat gets the same"
    [license] = school.ask("GET", "/licenses?holder=ada")["licenses"]
    assert license["downloadedAt"] is None and license["content"] == "mck-1"
    [done] = player.ask(player.item(2, "mck-1"))
    assert (done["result"], done["content_delete"], done["check_expiration_date"]) == (1, 0, 0)
    assert school.license(license["id"])["downloadedAt"] is not None

    checked = player.check("mck-1")
    assert checked["result"] == 1 and "expiration_date" not in checked and "content_expire_reset" not in checked
    assert (checked["session_key"], checked["start_at"]) == ("s", 7)
    reset = player.check("mck-1", reset_req=1)
    assert reset["content_expire_reset"] == 1 and reset["expiration_count"] == 3
    assert player.check("mck-1", reset_req=1) == reset, "given once"
    assert school.license(license["id"])["version"] == 2

    school.stop(license["id"], "expire")
    assert player.check("mck-1", reset_req=1, content_expired=1)["content_expired"] == 1
    school.stop(license["id"], "revoke")
    assert player.ask(player.item(2, "mck-1"))[0]["result"] == 0
    assert [one["name"] for one in school.ask("GET", "/devices?holder=ada")["devices"]] == ["Phone"]


def test_each_item_of_a_kollus_callback_gets_its_own_result(school):
    school.enrol()
    player = Player(school)
    answers = player.ask(
        player.item(1, "mck-1"), player.item(1, "mck-4"), player.item(9, "mck-2"), player.item(2, "mck-2", start_at="1e3"),
        player.item(3, "none"), player.item(1, "mck-3", localtime="soon"))
    assert [one["result"] for one in answers] == [1, 0, 0, 1, 1, 0]
    assert "Enrol" in answers[1]["message"] and "content_expired" not in answers[4]
    for items in ("{}", "[]", "nonsense", json.dumps([player.item(1, "mck-1")] * 11)):
        assert player.send(items).status == 422
    twice = urlencode([("items", "[]"), ("items", "[]")]).encode()
    answer = school.vendor.server.client.ask(
        "POST", player.path, twice, {"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status == 422
    json_body = school.vendor.server.client.post(player.path, {"items": "[]"})
    assert json_body.status == 415 and "application/x-www-form-urlencoded" in json_body["detail"]


def test_a_kollus_players_wrong_clock_is_recorded_and_causes_no_refusal(school):
    school.enrol()
    player = Player(school)
    for clock in (2**63, -5, 0):
        assert player.ask(player.item(1, "mck-1", localtime=clock))[0]["result"] == 1
    [license] = school.ask("GET", "/licenses?holder=ada")["licenses"]
    events = school.vendor.server.client.get(
        f"/v1/{school.vendor.tenant}/events?contentLicense={license['id']}",
        {"Authorization": f"Bearer {school.token}"})["events"]
    [event] = [one for one in events if one["kind"] == "content.player_clock_wrong"]
    assert event["detail"]["playerTime"] == "9999-12-31T23:59:59Z"
    assert event["detail"]["serverTime"] == event["at"]


def test_a_repeated_kollus_download_gets_no_end_date_in_the_past(timed):
    school = with_kollus(timed, rule(expiresAfterDays=3))
    school.enrol()
    player = Player(school)

    def end(kind: int, **members) -> int:
        return player.ask(player.item(kind, "mck-1", **members))[0]["expiration_date"]

    first = end(1)
    assert end(1) == first
    timed.installation.set_clock(DAY * 5 // 2)
    second = end(3, reset_req=1)
    assert second >= first + DAY * 5 // 2 and end(3, reset_req=1) == second, "sent again within a minute"
    timed.installation.set_clock(4 * DAY)
    assert end(1) == second
    assert end(3, reset_req=1) >= second + DAY * 3 // 2, "another bulk renewal"


def test_a_repeated_kollus_download_ends_later_after_an_extension_of_the_enrolment_that_limited_it(school):
    enrolment = school.enrol(endsAt=1_900_000_000)
    other = school.enrol("bob", endsAt=int(time.time()) + 2 * DAY)
    ada, bob = Player(school), Player(school, "bob")
    [before], [short] = ada.ask(ada.item(1, "mck-1")), bob.ask(bob.item(1, "mck-1"))
    for one in (enrolment, other):
        school.act(one, "extend", days=5)
    assert ada.ask(ada.item(1, "mck-1")) == [before], "its policy ends it first"
    [later] = bob.ask(bob.item(1, "mck-1"))
    assert later["expiration_date"] == short["expiration_date"] + 5 * DAY
    assert bob.ask(bob.item(1, "mck-1")) == [later]


def test_with_unknown_downloads_set_to_expire_a_kollus_download_is_expired_until_its_holder_is_enrolled(vendor):
    school = with_kollus(vendor, unknownDownloads="expire")
    player = Player(school)
    assert player.check("mck-1")["content_expired"] == 1
    school.enrol()
    adopted = player.check("mck-1", reset_req=1)
    assert adopted["content_expire_reset"] == 1 and adopted["expiration_count"] == 3
    assert len(school.ask("GET", "/licenses")["licenses"]) == 1


def test_after_kolluss_callback_path_is_rotated_requests_to_the_old_and_the_new_path_are_accepted(school, vendor):
    school.enrol()
    old = callback(school)
    assert callback(school) == old and old.startswith(f"/content/{vendor.tenant}/kollus/drm/")
    new = callback(school, "--rotate")
    assert new != old
    for path in (old, new):
        assert Player(school, path=path).check("mck-1")["result"] == 1
    wrong = Player(school, path=old[:-1] + ("A" if old[-1] != "A" else "B")).send("[]")
    bare = Player(school, path=f"/content/{vendor.tenant}/kollus/drm").send("[]")
    assert (wrong.status, wrong["code"], bare.status) == (404, "not_found", 404)
    other = f"{vendor.tenant}-2"
    vendor.installation.apply({"tenants": [{"id": other, "name": other, "content": {
        "policies": [rule()], "kollus": {"securityKey": KEY, "customKey": "custom"}}}]})
    stranger = Player(school, path=f"/content/{other}/kollus/drm/{new.rsplit('/', 1)[1]}").send("[]")
    assert (stranger.status, stranger["code"]) == (404, "not_found"), "another tenant's secret"
    assert old.rsplit("/", 1)[1] not in vendor.server.said


def test_a_catalog_with_a_content_policy_beyond_kolluss_limits_is_refused(vendor):
    school = with_kollus(vendor)
    listed = {"policies": [rule(grantedPlays=2000)], "kollus": {"securityKey": KEY, "customKey": "custom"}}
    catalog = json.dumps({"tenants": [{"id": vendor.tenant, "content": listed}]})
    refused = vendor.installation.run("apply", "-", given=catalog)
    assert refused.code == 1 and "Kollus supports grantedPlays from 1 to 1000" in refused.err
    # A backup must not contain Kollus's security key in plain text.
    vendor.installation.do("backup", str(vendor.installation.home / f"{vendor.tenant}.backup"))
    assert KEY.encode() not in (vendor.installation.home / f"{vendor.tenant}.backup").read_bytes()
    assert codes({"reasons": []}) == [] and school.token


def test_a_content_policy_beyond_kolluss_limits_is_refused_even_if_another_catalog_file_configures_kollus(vendor):
    kollus = {"securityKey": KEY, "customKey": "custom"}

    def apply(**content):
        catalog = {"tenants": [{"id": vendor.tenant, "content": content}]}
        return vendor.installation.run("apply", "-", given=json.dumps(catalog))

    assert apply(policies=[rule("many", grantedPlays=1001), rule("short", grantedPlaySeconds=59)]).code == 0
    for content in ({"kollus": kollus}, {"kollus": kollus, "policies": [rule("many", grantedPlays=1000)]}):
        refused = apply(**content)
        assert refused.code != 0 and "Kollus supports grantedPlaySeconds from 60 to 604800, not 59" in refused.err
    assert "Kollus supports grantedPlays from 1 to 1000, not 1001" in apply(kollus=kollus).err
    carried = [rule("many", grantedPlays=1000), rule("short", grantedPlaySeconds=60)]
    assert apply(policies=carried).code == 0
    done = apply(kollus=kollus)
    assert done.code == 0 and "restarts with each download" in done.out
    refused = apply(policies=[rule("later", grantedPlays=1001)])
    assert refused.code != 0 and f"The policy {vendor.tenant}/later" in refused.err
    assert "restarts with each download" not in apply(policies=carried).out, "told once"
    free = rule("free", grantedPlays=None, grantedPlaySeconds=None)
    assert "restarts" not in apply(policies=[*carried, free]).out


def test_the_command_content_check_warns_that_kolluss_player_restarts_its_counts_with_each_download(vendor):
    with_kollus(vendor)
    words = ("content", "check", "--tenant", vendor.tenant)
    told = vendor.installation.do(*words)
    assert "std: Kollus's player counts plays and play time itself and restarts with each download." in told.err
    [row] = [one for one in vendor.installation.do(*words, "--json").json["policies"] if one["warnings"]]
    assert (row["policy"], row["target"]) == ("std", "kollus")


def test_a_kollus_license_shows_that_its_usage_is_not_reported_and_that_the_player_expired_it(school):
    enrolment = school.enrol()
    player = Player(school)
    player.ask(player.item(1, "mck-1"))
    [license] = school.ask("GET", "/licenses?holder=ada")["licenses"]
    assert license["usageReported"] is False and license["playerExpiredAt"] is None

    def show(word: str = "show") -> str:
        words = [license["id"]] if word != "list" else []
        return school.vendor.installation.do("content", word, *words, "--tenant", school.vendor.tenant).out

    assert "not reported" in show() and "0/3" not in show() and "not reported" in show("list")
    native = school.tablet().has("mck-2")
    assert school.license(native["license"])["usageReported"] is True

    school.act(enrolment, "pause")
    assert player.check("mck-1", content_expired=1)["result"] == 0
    assert school.license(license["id"])["playerExpiredAt"] is not None
    assert "expired" in show() and "expired" in show("list")
    explained = school.ask("GET", f"/licenses/{license['id']}/explain")
    assert codes(explained)[0] == "player_expired"

    school.act(enrolment, "resume")
    assert player.check("mck-1", content_expired=1)["content_expire_reset"] == 1
    assert school.license(license["id"])["playerExpiredAt"] is None and "expired" not in show()


def test_refusals_of_content_are_in_the_language_that_the_client_prefers(vendor):
    vendor.installation.apply({"tenants": [{"id": vendor.tenant, "language": "ko"}]})
    school = with_kollus(vendor)
    player = Player(school)

    def message(language: str | None) -> str:
        fields = {"Content-Type": "application/x-www-form-urlencoded"}
        fields |= {"Accept-Language": language} if language else {}
        body = urlencode({"items": json.dumps([player.item(1, "mck-4")])}).encode()
        answer = school.vendor.server.client.ask("POST", player.path, body, fields)
        return read(answer)[0]["message"]

    assert "Enrol in a course" in message("en-GB, ko;q=0.5")
    assert "수강" in message("ko-KR") and "고객센터" in message(None), "the tenant's language is the fallback"
    assert "报名" in message("zh-CN") and "수강" in message("zh-TW"), "traditional Chinese isn't available"

    tablet = school.tablet()
    def refused(**headers) -> dict:
        body = {"requestId": f"language-{len(headers)}", "content": "mck-4"}
        return school.ask("POST", "/licenses", body, tablet.token, headers={
            name.replace("_", "-"): value for name, value in headers.items()}).json

    english, korean = refused(Accept_Language="en"), refused()
    assert english["code"] == korean["code"] == "enrolment_unknown"
    assert english["reasons"][0]["message"] == "You don't have an enrolment that includes this content."
    assert "수강" in korean["reasons"][0]["message"] and korean["reasons"][0]["cure"]
    assert school.refusal(korean)["reasons"][0]["message"] == korean["reasons"][0]["message"]
    explained = school.ask("POST", "/enrolments", {"holder": "", "course": "algebra"})
    assert explained.status == 422 and explained["detail"].isascii(), "operators are told in English"
