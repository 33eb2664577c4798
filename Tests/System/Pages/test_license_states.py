"""Tests a license's page in every state, language and color scheme, and that the keyboard alone suffices."""

import json
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

import catalogs
import secrecy
from browser import DESKTOP, PHONE
from client import App
from installation import Running

SIZES = {"phone": PHONE, "desktop": DESKTOP}
GO_ON = {
    "en": "Continue", "de": "Weiter", "ko": "계속", "ja": "続ける", "fr": "Continuer", "es": "Continuar", "zh-Hans": "继续"}
EVERYWHERE = ["en", "de", "ko", "ja"]
# The other languages are tested only where there is most text, which keeps the test short.
OTHERS, LONGEST = ["fr", "es", "zh-Hans"], ["active", "expired", "suspended"]
DAY = 86_400
LOGO = Path(__file__).resolve().parents[3] / "Examples/brand/logo.png"
# A policy, the number of activated devices, the vendor's command, and the number of days until the page is opened.
STATES = {
    "unused": ("pro", 0, None, 0), "active": ("yearly", 2, None, 3), "perpetual": ("pro", 10, None, 0),
    "grace": ("monthly", 1, None, 32), "expired": ("monthly", 1, None, 40), "suspended": ("yearly", 1, "suspend", 0),
    "revoked": ("yearly", 1, "revoke", 0), "unstarted": ("gift", 0, None, 0)}
BADGES = {
    "unused": "Not activated yet", "active": "Active", "perpetual": "Active", "grace": "In grace period",
    "expired": "Expired", "suspended": "Suspended", "revoked": "Revoked", "unstarted": "Not activated yet"}
REASONS = {
    "grace": "keeps working until", "expired": "and its grace period ended on", "suspended": "has suspended your license.",
    "revoked": "has revoked your license."}


class Shop:
    """A vendor with a brand, and one license in each state."""

    def __init__(self, installation, server: Running):
        self.installation, self.server, self.tenant = installation, server, catalogs.fresh()
        release = {"selfRelease": {"cooldownDays": 30, "perYear": 4}}
        policies = [
            {"id": "pro", "name": "Pro", "activationLimit": 10, **release},
            {"id": "yearly", "name": "Yearly", "duration": "P1Y", "activationLimit": 3, **release},
            {"id": "monthly", "name": "Monthly", "duration": "P1M", "graceDays": 5, "activationLimit": 1, **release},
            {"id": "gift", "name": "Gift card", "duration": "P1Y", "termStarts": "activation", "activationLimit": 2}]
        self.keys = {state: catalogs.fresh_key() for state in STATES}
        folder = installation.home / f"look-{self.tenant}"
        folder.mkdir()
        (folder / "logo.png").write_bytes(LOGO.read_bytes())
        catalog = {"tenants": [{
            "id": self.tenant, "name": "Northlight", "supportEmail": "help@northlight.example",
            "supportURL": "https://northlight.example/help",
            "brand": {"name": "Northlight", "logo": "logo.png", "accent": "#0b6e4f",
                      "homepage": "https://northlight.example/"},
            "products": [{
                "id": "notes", "name": "Northlight Notes", "renewURL": "https://northlight.example/renew",
                "policies": policies, "licenses": [
                    {"key": self.keys[state], "policy": policy} for state, (policy, *_) in STATES.items()]}]}]}
        (folder / "catalog.json").write_text(json.dumps(catalog))
        installation.do("apply", str(folder / "catalog.json"))
        app = App(server.client, self.tenant, "notes", None)
        names = ["MacBook Pro", "MacBook Pro", "iMac in the studio", "Old laptop", "Mac mini", "Ada’s MacBook Air",
                 "Test machine", "Mac Studio", "Server room", "Travel laptop"]
        for state, (_, devices, act, _) in STATES.items():
            for name in names[:devices]:
                app.activated(self.keys[state], name)
            if act:
                installation.do("license", act, self.keys[state], "--tenant", self.tenant)

    def open(self, browser, state: str, language: str = "en") -> None:
        made = self.installation.do(
            "license", "link", self.keys[state], "--tenant", self.tenant, "--base-url", self.server.address, "--json").json
        secrecy.keep(made["url"].rsplit("/", 1)[1])
        browser.open(f"{made['url']}?lang={language}")
        browser.press(GO_ON[language])


@pytest.fixture(scope="module")
def shop(installation, server):
    return Shop(installation, server)


@pytest.fixture
def later(installation):
    """A function that sets the clock ahead by some days; after the test, the clock is reset."""
    start = int(installation.clock.read_text())
    yield lambda days: installation.set_clock(start + days * DAY)
    installation.set_clock(start)


@pytest.mark.parametrize("state", STATES)
def test_the_license_page_explains_every_state(shop, later, measuring_browser, state):
    browser = measuring_browser
    browser.forget()
    later(STATES[state][3])
    for language in EVERYWHERE + (OTHERS if state in LONGEST else []):
        shop.open(browser, state, language)
        if language == "en":
            assert BADGES[state] in browser.text and REASONS.get(state, "") in browser.text
            assert ("What helps" in browser.text) == (state in REASONS)
            assert "Northlight Notes" in browser.heading and "northlight.example/help" in browser.text
        look(browser, f"license-{state}-{language}")
    assert browser.complaints() == []


def test_a_device_can_be_released_with_the_keyboard_only(shop, measuring_browser):
    browser = measuring_browser
    browser.forget()
    shop.open(browser, "active")
    browser.driver.find_element("css selector", "body").send_keys(Keys.TAB)
    keys_to(browser, "SUMMARY").send_keys(Keys.ENTER)
    keys_to(browser, "BUTTON", "Yes, release").send_keys(Keys.ENTER)
    assert browser.heading.endswith("has been released")


def keys_to(browser, tag: str, text: str = ""):
    """Presses Tab until an element with this tag and text has the focus; returns it."""
    for _ in range(40):
        focused = browser.driver.switch_to.active_element
        if focused.tag_name.upper() == tag and text in focused.text:
            return focused
        focused.send_keys(Keys.TAB)
    raise AssertionError(f"no {tag} with {text!r} can be reached")


def look(browser, name: str) -> None:
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.photograph(f"{name}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            assert browser.measure("document.documentElement.scrollWidth") == SIZES[size][0]
    browser.look_like(PHONE)
    small = browser.measure(
        "[...document.querySelectorAll('button, input:not([type=hidden]), summary, select, a.button')]"
        ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)")
    assert small == []
