"""Tests the player with an independent server and with Tenure's own."""

import json
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from content_server import DAY, ContentServer
from program import program
from school import School, rule


class Player:
    """Runs `tenure player` on a folder, with a clock that it shares with a server."""

    def __init__(self, home, clock, address: str, tenant: str, *words: str):
        self.home, self.clock = home, clock
        self.device = self.json(
            "new", "--server", address, "--tenant", tenant, "--holder", "mia", "--clock", clock, *words)["device"]

    def signs_in(self, token: str) -> None:
        (self.home / "token").write_text(f"{token}\n")
        assert self.run("sign-in", "--token-file", self.home / "token").returncode == 0

    def run(self, command: str, *words) -> subprocess.CompletedProcess:
        words = [program(), "player", command, self.home / "phone", *words]
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)

    def json(self, command: str, *words):
        done = self.run(command, *words, "--json")
        assert done.stdout, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0] if len(lines) == 1 else lines

    def listed(self) -> dict[str, dict]:
        return {content["content"]: content for content in self.json("list")["contents"]}

    def passes(self, seconds: int) -> None:
        self.clock.write_text(f"{int(self.clock.read_text()) + seconds}\n")


@pytest.fixture
def player(home):
    clock = home / "clock"
    clock.write_text("0\n")
    server = ContentServer(clock)
    player = Player(home, clock, server.address, "acme", "--key", f"k1={server.public_key}")
    player.server, server.device = server, player.device
    player.signs_in("t-mia")
    yield player
    server.http.shutdown()


@pytest.fixture
def school(timed):
    return School(timed, rule(grantedPlaySeconds=1000, expiresAfterDays=2, renewAheadDays=1, resumeWithinSeconds=0))


@pytest.fixture
def pupil(school, tmp_path):
    """A player that uses Tenure's server, and trusts the keys which that server publishes."""
    pupil = Player(tmp_path, school.vendor.installation.clock, school.vendor.server.address, school.vendor.tenant)
    pupil.signs_in(school.tablet("mia", device=pupil.device).token)
    return pupil


def moment(text: str) -> float:
    """Converts a date that the player prints to POSIX seconds."""
    return datetime.fromisoformat(text).timestamp()


def test_a_play_that_ends_in_a_crash_uses_up_one_play_and_its_time_is_recorded_to_within_five_seconds(player):
    player.server.contents = {"lesson": {"plays": 3, "playSeconds": 1000}}
    assert player.json("add", "--all")["refused"] == []
    assert player.json("play", "lesson", "--seconds", "60", "--fast")["secondsLeft"] == 940
    assert player.run("crash", "lesson", "--seconds", "33").returncode == -9
    left = player.listed()["lesson"]
    assert left["playsLeft"] == 1 and 940 - 38 <= left["secondsLeft"] <= 940 - 30
    assert player.json("renew", "--all")[-1] == {"report": {"renewed": 1}}
    sessions = list(player.server.sessions.values())
    assert len(sessions) == 2 and sum(session["counted"] for session in sessions) == 2
    assert player.listed()["lesson"]["playsLeft"] == 3


def test_a_renewal_of_120_content_items_reports_each_item_once_with_its_outcome(player):
    numbers = range(120)
    player.server.contents = {f"c{number:03}": {"days": 30} for number in numbers}
    assert player.json("add", "--all")["refused"] == []
    player.server.verdicts = {
        "c005": ("refused", "enrolment_paused"), "c050": ("terminal", "content_license_revoked"),
        "c110": ("transient", "try_again")}
    *told, report = player.json("renew", "--all")
    assert [one["index"] for one in told] == list(numbers)
    assert report == {"report": {"renewed": 117, "refused": 1, "terminal": 1, "transient": 1}}
    noes = {one["content"]: (one["outcome"], one["reasons"], one["recovery"]) for one in told if one["recovery"]}
    assert noes == {
        "c005": ("refused", ["enrolment_paused"], "support"),
        "c050": ("terminal", ["content_license_revoked"], "support"),
        "c110": ("transient", ["try_again"], "retry")}
    assert player.server.requests.count("renewals") == 2
    assert player.listed()["c050"]["status"] == "revoked"


def test_content_that_expires_while_a_player_is_offline_is_renewed_when_the_player_is_online(player):
    player.server.contents = {"film": {"days": 2}, "course": {"days": 30}}
    player.json("add", "--all")
    until = subprocess.run(
        ["date", "-u", "-d", "+3 days", "+%Y-%m-%dT%H:%M:%SZ"], capture_output=True, text=True).stdout.strip()
    said = player.json("plane", "--until", until)["lapses"]
    assert [lapse["content"] for lapse in said] == ["film"]
    for network in ("off", "portal"):
        assert player.json("net", network)["recovered"] is False
        player.passes(DAY + 60)
    assert player.listed()["film"]["status"] == "dateOver"
    refused = player.json("play", "film", "--fast")
    assert refused["outcome"] == "refused" and refused["recovery"] == "retry"
    assert refused["choices"] == [
        {"option": "retry", "helps": True}, {"option": "support", "helps": True}, {"option": "redownload", "helps": False}]
    assert [reason["code"] for reason in refused["reasons"]] == ["grant_expired", "content_unreached"]
    assert player.json("play", "course", "--fast", "--seconds", "5")["outcome"] == "played"
    assert player.json("net", "on")["recovered"] is True
    assert player.listed()["film"]["status"] == "valid"
    assert player.json("play", "film", "--fast", "--seconds", "5")["outcome"] == "played"


def test_content_that_requires_confirmation_is_renewed_only_after_the_confirmation(player):
    asks = {"days": 2, "askBeforeRenew": True}
    player.server.contents = {"film": asks, "talk": asks, "course": {"days": 2}}
    player.json("add", "--all")
    player.passes(DAY + 3600)
    *told, report = player.json("renew")
    assert report == {"report": {"renewed": 1, "refused": 2}}
    assert {one["content"] for one in told if one["reasons"] == ["renewal_unconfirmed"]} == {"film", "talk"}
    assert sorted(player.json("list")["awaitingConfirmation"]) == ["film", "talk"]
    # A license of two days is due for renewal a day before it ends. The extra minute keeps the course clear of that limit.
    player.passes(DAY + 60)
    assert player.json("play", "film", "--fast")["outcome"] == "asks"
    assert player.json("renew", "--confirmed")[-1] == {"report": {"renewed": 3}}
    assert player.json("list")["awaitingConfirmation"] == []


def test_a_simulated_player_plays_content_reports_usage_and_renews_licenses_with_tenures_server(school, pupil):
    enrolment = school.enrol("mia")
    assert pupil.json("add", "--all")["refused"] == []
    assert [one["status"] for one in pupil.listed().values()] == ["valid", "valid", "valid"]
    assert pupil.json("play", "mck-1", "--seconds", "60", "--fast")["secondsLeft"] == 940
    assert pupil.run("crash", "mck-1", "--seconds", "33").returncode == -9

    # While the network is off, renewals fail. Once the network is back, usage is reported and each renewal counts once.
    pupil.json("net", "off")
    assert pupil.json("renew", "--all")[-1] == {"report": {"transient": 3}}
    assert pupil.json("net", "on")["recovered"] is True
    license = school.ask("GET", "/licenses?holder=mia&content=mck-1")["licenses"][0]
    assert license["version"] == 1 and license["used"]["plays"] == 2
    assert 60 + 30 <= license["used"]["playSeconds"] <= 60 + 38

    # The server refuses in several ways. Each content item is reported once, and existing grants stay playable.
    school.stop(license["id"], "revoke")
    school.act(enrolment, "pause")
    *told, report = pupil.json("renew", "--all")
    assert report == {"report": {"refused": 2, "terminal": 1}}
    assert {one["content"]: one["reasons"] for one in told} == {
        "mck-1": ["content_license_revoked"], "mck-2": ["enrolment_paused"], "mck-3": ["enrolment_paused"]}
    assert {name: one["status"] for name, one in pupil.listed().items()} == {
        "mck-1": "revoked", "mck-2": "valid", "mck-3": "valid"}
    school.act(enrolment, "resume")

    # Two days later, the grants have expired; they are renewed before playback.
    pupil.passes(2 * DAY)
    assert pupil.listed()["mck-2"]["status"] == "dateOver"
    assert pupil.json("play", "mck-2", "--seconds", "5", "--fast")["outcome"] == "played"
    assert pupil.json("renew", "--expired")[-1] == {"report": {"renewed": 1, "terminal": 1}}
    assert school.ask("GET", "/licenses?holder=mia&content=mck-3")["licenses"][0]["version"] == 2


def test_a_player_is_not_created_with_a_malformed_signing_key(home):
    made = subprocess.run(
        [program(), "player", "new", str(home / "phone"), "--server", "http://127.0.0.1:1", "--tenant", "acme",
         "--holder", "mia", "--key", "k1=bm90IGEga2V5"], capture_output=True, text=True, timeout=60)
    assert made.returncode == 1 and "The signing key k1 is not 32 bytes in base64." in made.stderr
    assert not (home / "phone").exists()


def test_a_clock_changed_before_a_restart_blocks_only_content_with_an_end_date_until_the_player_is_online(player):
    player.server.contents = {"rental": {"days": 30}, "bought": {"plays": 3}}
    player.json("add", "--all")
    player.json("renew", "--all")
    player.json("net", "off")
    before = player.json("clock")
    assert abs(moment(before["clock"]) - moment(before["believed"])) <= 2
    # A running device measures the elapsed time, so a clock that is ahead has no effect. After a restart, it has.
    ahead = player.json("clock", "--ahead", str(40 * DAY))
    assert moment(ahead["clock"]) > moment(ahead["believed"]) + 39 * DAY
    assert player.listed()["rental"]["status"] == "valid"
    player.json("clock", "--ahead", str(40 * DAY), "--restart")
    assert player.listed()["rental"]["status"] == "dateOver"
    player.json("clock")
    set_back = player.json("clock", "--behind", str(10 * DAY), "--restart")
    # The player trusts its last stored time, which it saves every five minutes.
    assert moment(set_back["clock"]) < moment(before["believed"]) - 9 * DAY
    assert moment(before["believed"]) - 310 <= moment(set_back["believed"]) <= moment(before["believed"]) + 120
    listed = player.listed()
    assert listed["rental"]["status"] == "clockSetBack" and listed["rental"]["recovery"] == "setClock"
    assert listed["bought"]["status"] == "valid"
    refused = player.json("play", "rental", "--fast", "--seconds", "5")
    assert [choice["option"] for choice in refused["choices"]] == ["setClock", "retry", "support", "redownload"]
    told = player.run("play", "rental", "--fast", "--seconds", "5").stdout
    assert "[Set the Clock] [Retry] [Customer Support] [Re-download]" in told
    assert "Re-download: The file isn't the problem" in told
    player.json("net", "on")
    assert player.json("play", "rental", "--fast", "--seconds", "5")["outcome"] == "played"
    assert player.run("clock", "--ahead", "1", "--behind", "1").returncode == 2


def test_a_play_while_the_clock_was_ahead_does_not_prevent_the_counting_of_later_plays(player):
    player.server.contents = {"lesson": {"plays": 3, "resumeWithinSeconds": 600}}
    player.json("add", "--all")
    player.json("net", "off")
    player.json("clock", "--ahead", str(730 * DAY), "--restart")
    player.json("play", "lesson", "--fast", "--seconds", "5")
    assert player.listed()["lesson"]["playsLeft"] == 2
    player.json("clock", "--restart")
    for left in (1, 0):
        player.passes(3600)
        player.json("play", "lesson", "--fast", "--seconds", "5")
        assert player.listed()["lesson"]["playsLeft"] == left
    player.passes(3600)
    assert player.listed()["lesson"]["status"] == "playsUsedUp"


def test_a_player_command_that_changes_no_setting_leaves_the_bytes_of_the_settings_file_unchanged(tmp_path):
    golden = (Path(__file__).parents[2] / "Fixtures/golden/player/player.json").read_text()
    (tmp_path / "clock").write_text("0\n")
    settings = tmp_path / "phone" / "player.json"
    settings.parent.mkdir(mode=0o700)
    for network in ("portal", "off", "on"):
        stored = golden.replace("CLOCK", str(tmp_path / "clock")).replace('"portal"', f'"{network}"')
        settings.write_text(stored)
        # The clock is already 60 seconds ahead, so the command writes the settings that it has read.
        command = [program(), "player", "clock", settings.parent, "--ahead", "60"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert settings.read_text() == stored
