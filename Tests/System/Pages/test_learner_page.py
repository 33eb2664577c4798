"""Tests a learner's page: it explains locked lessons, and the learner releases a broken phone."""

import re
import time

import pytest

import secrecy
from browser import DESKTOP, PHONE
from school import School, item, played, rule
from vendor import Vendor

SIZES = {"phone": PHONE, "desktop": DESKTOP}
TITLES = {"English": "Your content", "한국어": "내 콘텐츠"}
DAY = 86_400
RELEASES = {"cooldownDays": 30, "perYear": 2}
RENTAL = rule("rental", selfRelease=RELEASES)
FILM = rule("film", grantedPlays=2, onRenewal="carry", selfRelease=RELEASES)


class Learner:
    """A learner with two courses, a film, a phone and a tablet."""

    def __init__(self, installation, server):
        self.installation = installation
        lessons = [item(f"mck-{number}", "rental", title=f"Lesson {number}") for number in range(1, 4)]
        steps = [item(f"step-{number:02}", "rental", title=f"Step {number}") for number in range(1, 13)]
        self.school = School(
            Vendor(installation, server), RENTAL, FILM,
            items=[*lessons, *steps, item("film", "film", title="The long way home")],
            courses=[
                {"id": "algebra", "title": "Algebra", "items": [one["id"] for one in lessons]},
                {"id": "dance", "title": "Dance for beginners", "items": [one["id"] for one in steps]}])
        now = int(time.time()) + int(installation.clock.read_text())
        self.algebra = self.school.enrol(endsAt=now + 365 * DAY)
        self.dance = self.school.enrol(course="dance")
        self.school.enrol(content="film")
        self.phone, self.tablet = (self.school.tablet(name=name) for name in ("Old phone", "Ada's tablet"))
        self.film = self.tablet.has("film")
        self.lessons = [self.tablet.has("mck-1"), self.phone.has("mck-2")]
        self.steps = [self.tablet.has(one["id"]) for one in steps]

    def link(self) -> str:
        answer = self.school.ask("POST", "/holders/link", {"holder": "ada"})
        assert answer.status == 201, answer
        secrecy.keep(answer["path"].rsplit("/", 1)[1])
        return self.school.vendor.server.address + answer["path"]

    def days_pass(self, days: int) -> None:
        clock = self.installation.clock
        self.installation.set_clock(int(clock.read_text()) + days * DAY)

    def is_locked_out(self) -> None:
        """Locks all content: plays are used up, lessons expire, a course is paused, and a lesson is revoked."""
        self.tablet.report(*(played(self.film, sequence=number) for number in (1, 2)))
        self.school.act(self.dance, "pause")
        self.school.stop(self.lessons[1]["license"], "revoke", reason="refund")
        self.days_pass(31)


@pytest.fixture
def learner(installation, server):
    return Learner(installation, server)


def entered(learner, browser):
    browser.open(learner.link())
    browser.press("Continue")


def test_a_phone_that_a_learner_releases_frees_its_activation_for_another_device(learner, browser):
    third = learner.school.tablet(name="New phone")
    assert third.get("mck-1").codes == ["device_limit_reached"]
    link = learner.link()
    browser.open(link)
    browser.open(link)
    browser.press("Continue")
    assert browser.heading == "Your content"
    assert "Signed in as ada" in browser.text and "2 of 2" in browser.text
    assert all(
        cookie["path"] == f"/content/{learner.school.vendor.tenant}/learner" and cookie["httpOnly"]
        and cookie["sameSite"] == "Strict" for cookie in browser.cookies())

    browser.press("Release this device", card="Old phone")
    browser.press("Yes, release Old phone", card="Old phone")
    assert browser.heading == "Old phone has been released"
    assert learner.phone.renewed(learner.lessons[1])["reasons"][0]["code"] == "device_released"
    assert third.get("mck-1").status == 200, "the held place is taken early"
    browser.press("Back to your devices")
    assert "You released a device recently." in browser.text
    assert "Release this device" not in browser.text and "Old phone" not in browser.text

    reference = re.search(r"Reference for support: (\S+)", browser.text)[1]
    found = learner.school.vendor.installation.do(
        "support", reference, "--tenant", learner.school.vendor.tenant, "--json").json
    assert found["holder"] == "ada"
    assert [event["kind"] for event in found["events"]] == ["holder.session_opened", "content.returned"]
    browser.press("Close")
    assert browser.heading == "This page is closed" and browser.cookies() == []
    browser.open(link)
    assert browser.heading == "This link doesn’t work"


def test_the_learner_page_shows_why_and_how_long_content_is_locked_and_the_remedy(learner, browser):
    entered(learner, browser)
    assert "Locked" not in browser.text and browser.text.count("Step ") == 12, "the tablet is folded up"
    assert browser.text.index("Old phone") < browser.text.index("Algebra"), "devices come first"
    learner.is_locked_out()
    entered(learner, browser)
    told = re.sub(r"\s+", " ", browser.text)
    assert "Lesson 1 Needs renewal Why It expired on" in told
    assert "Lesson 2 Locked Why The vendor revoked its license. How long Permanently for this enrolment." in told
    assert "Lesson 3 Not downloaded" in told
    assert re.search("Step 1 .*Step 12 Locked Why It expired on", told) and "Your enrolment is paused." in told
    assert re.search("The long way home Locked Why It expired on .* All 2 plays have been used. How long", told)
    assert "What to do Write to support and include the reference at the end of this page." in told


def test_the_learner_page_is_in_the_language_and_time_zone_that_the_learner_chooses(learner, browser):
    link = learner.link()
    browser.open(link)
    browser.read_in("ko", "Asia/Seoul")
    assert browser.heading == "일회용 링크"
    browser.press("계속")
    assert browser.heading == "내 콘텐츠" and "로그인: ada" in browser.text
    browser.press("이 기기 해제", card="Old phone")
    browser.press("네, 해제합니다", card="Old phone")
    assert browser.heading == "Old phone: 해제되었습니다"
    browser.press("내 기기로 돌아가기")
    assert "최근에 기기를 해제했습니다." in browser.text
    assert "UTC+9" in browser.text, "every date is in the zone"
    browser.read_in("en")
    assert browser.heading == "Your content" and "UTC+9" not in browser.text


@pytest.fixture(scope="module")
def seen(installation, server):
    return Learner(installation, server)


@pytest.mark.parametrize("language", TITLES)
def test_the_learner_page_is_accessible(seen, measuring_browser, language):
    """Checks the pages before and after the content is locked. English runs first, because both share the clock."""
    browser = measuring_browser
    browser.forget()
    browser.look_like(PHONE)
    code = {"English": "en", "한국어": "ko"}[language]
    browser.open(seen.link() + f"?lang={code}")
    look(browser, f"learner-link-{code}")
    browser.press({"en": "Continue", "ko": "계속"}[code])
    assert browser.heading == TITLES[language]
    look(browser, f"learner-open-{code}")
    browser.press({"en": "Release this device", "ko": "이 기기 해제"}[code])
    look(browser, f"learner-release-{code}")
    if code == "en":
        return
    seen.is_locked_out()
    for code, go_on in (("ko", "계속"), ("en", "Continue")):
        browser.open(seen.link() + f"?lang={code}")
        browser.press(go_on)
        look(browser, f"learner-locked-{code}")
    browser.press("Release this device")
    browser.press("Yes, release")
    look(browser, "learner-released-en")
    browser.press("Back to your devices")
    browser.press("Close")
    look(browser, "learner-closed-en")
    assert browser.complaints() == []


def look(browser, name: str) -> None:
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.photograph(f"{name}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            assert browser.measure("document.documentElement.scrollWidth") == SIZES[size][0]
    small = browser.measure(
        "[...document.querySelectorAll('button, input:not([type=hidden]), summary, a.button')]"
        ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)")
    assert small == []
    browser.look_like(PHONE)
