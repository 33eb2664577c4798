"""Tests a license's page on a phone and a desktop: the holder releases a broken device."""

import pytest

import catalogs
import secrecy
from browser import DESKTOP, PHONE
from vendor import Vendor

SIZES = {"phone": PHONE, "desktop": DESKTOP}
POLICY = catalogs.policy() | {"activationLimit": 2, "selfRelease": {"cooldownDays": 30, "perYear": 2}}


class Holder:
    """A holder whose two devices use all activations of a license."""

    def __init__(self, installation, server):
        self.vendor = Vendor(installation, server)
        self.key = self.vendor.offer_license(POLICY)
        self.app = self.vendor.app()
        self.old = self.app.activated(self.key, "Old laptop")
        self.app.activated(self.key, "Desk in the study")

    def link(self) -> str:
        made = self.vendor.license("link", self.key, "--base-url", self.vendor.server.address, "--json").json
        secrecy.keep(made["url"].rsplit("/", 1)[1])
        return made["url"]


@pytest.fixture
def holder(installation, server):
    return Holder(installation, server)


def test_a_device_that_a_holder_releases_frees_its_activation_for_another_device(holder, browser):
    link = holder.link()
    assert holder.app.activate(holder.key, "New laptop").codes == ["activation_limit_reached"]
    browser.open(link)
    browser.open(link)
    browser.press("Continue")
    assert "2 of 2 devices in use." in browser.text
    assert sorted(browser.headlines) == ["Desk in the study", "Old laptop"]
    assert all(cookie["path"].startswith("/portal/") and cookie["httpOnly"] for cookie in browser.cookies())

    browser.press("Release this device", card="Old laptop")
    assert "notes stops working on this one the next time it connects." in browser.text
    browser.press("Yes, release Old laptop", card="Old laptop")
    assert browser.heading == "Old laptop has been released"
    assert holder.app.activate(holder.key, "New laptop").status == 200
    assert holder.app.validate(holder.key, holder.old).codes == ["activation_released_by_holder"]

    browser.press("Back to your license")
    assert "You released a device recently." in browser.text
    assert "Release this device" not in browser.text
    browser.press("Close")
    assert browser.heading == "This page is closed"
    assert browser.cookies() == []
    browser.open(link)
    assert browser.heading == "This link doesn’t work"


def test_the_license_page_is_accessible(holder, measuring_browser):
    browser = measuring_browser
    browser.forget()
    browser.look_like(PHONE)
    browser.open(holder.link())
    look(browser, "license-link")
    browser.press("Continue")
    browser.press("Release this device")
    look(browser, "license-devices")
    browser.press("Yes, release")
    look(browser, "license-place-free")
    browser.press("Back to your license")
    look(browser, "license-cooldown")
    assert browser.complaints() == []


def look(browser, name: str) -> None:
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.photograph(f"{name}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            assert browser.measure("document.documentElement.scrollWidth") == SIZES[size][0]
    browser.look_like(PHONE)
