"""Tests the accessibility of the resolution page's views, and saves screenshots: phone and desktop, light and dark."""

import pytest
from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE
from household import Household, PASSWORD

SIZES = {"phone": PHONE, "desktop": DESKTOP}


@pytest.fixture(scope="module")
def household(installation, server):
    """A user with a device in each of the common situations."""
    household = Household(installation, server, deviceLimit=3)
    _, revoked = household.device()
    household.device()
    household.days_pass(40)
    _, suspended = household.device()
    household.device()
    household.device()
    household.mart.do("license", "suspend", suspended)
    household.mart.do("license", "revoke", revoked)
    return household


@pytest.fixture(scope="module")
def link(household):
    return household.link()


def everyone(browser, household, link):
    browser.open(household.page)


def unknown_app(browser, household, link):
    browser.open(household.start)


def wrong_password(browser, household, link):
    browser.open(household.page.replace("=ada", "=eve"))
    browser.fill("Password", "not this one")
    browser.press("Sign in")


def link_page(browser, household, link):
    browser.open(link)


def devices(browser, household, link):
    browser.open(household.page)
    if "Signed in" not in browser.text:
        browser.fill("Password", PASSWORD)
        browser.press("Sign in")


def release_opened(browser, household, link):
    devices(browser, household, link)
    browser.press("Release this device")


def wish_noted(browser, household, link):
    devices(browser, household, link)
    browser.press("Renew now")


VIEWS = [everyone, unknown_app, link_page, wrong_password, devices, release_opened, wish_noted]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_each_view_of_the_resolution_page_is_accessible_in_every_size_and_color_scheme(
        view, household, link, measuring_browser):
    browser = measuring_browser
    browser.forget()
    browser.look_like(PHONE)
    view(browser, household, link)
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.photograph(f"{view.__name__}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            width, height = SIZES[size]
            assert browser.measure("document.documentElement.scrollWidth") == width
    browser.look_like(PHONE)
    small = browser.measure(
        "[...document.querySelectorAll('button, input:not([type=hidden]), summary, a.button')]"
        ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)")
    assert small == []
    assert browser.complaints() == []


def test_keyboard_focus_is_visible_on_all_controls_of_the_resolution_page(household, link, measuring_browser):
    browser = measuring_browser
    browser.forget()
    browser.open(household.page)
    seen = []
    for _ in range(10):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.append(browser.measure(
            "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]"))
    assert [tag for tag, _ in seen] == [
        "A", "A", "INPUT", "INPUT", "BUTTON", "A", "SELECT", "SELECT", "BUTTON", "BODY"]
    assert all(style == "solid" for tag, style in seen if tag != "BODY")


def test_the_skip_link_of_the_resolution_page_leads_to_the_content(household, link, measuring_browser):
    measuring_browser.open(household.page)
    assert measuring_browser.measure("document.querySelector('.skip').hash") == "#main"
    assert measuring_browser.measure("document.querySelector('main').id") == "main"
