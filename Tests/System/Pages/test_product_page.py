"""Tests an app's page: people install the marketplace app from its page, and other apps' pages link to it."""

import base64
import json
import urllib.parse

import pytest
from selenium.webdriver.common.by import By

from browser import DESKTOP, PHONE
from shop import Shop

SIZES = {"phone": PHONE, "desktop": DESKTOP}


@pytest.fixture(scope="module")
def shop(installation, server):
    shop = Shop(installation, server, supportEmail="help@mart.example")
    shop.brought(sizes=(180_500_000 // 1000, 234_742))
    shop.brought(item=shop.own, version=900000301)
    return shop


def page(shop, item=None) -> str:
    return f"{shop.server.address}/apps/{shop.tenant}/{item or shop.item}"


def links(browser) -> list[str]:
    return [link.get_attribute("href") for link in browser.driver.find_elements(By.CSS_SELECTOR, "main a")]


def facts(browser) -> dict[str, str]:
    names = [each.text for each in browser.driver.find_elements(By.CSS_SELECTOR, ".facts dt")]
    return dict(zip(names, [each.text for each in browser.driver.find_elements(By.CSS_SELECTOR, ".facts dd")]))


def claims(token: str) -> dict:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def test_the_marketplace_apps_page_has_a_link_that_installs_the_app(shop, browser):
    browser.open(page(shop, shop.own))
    assert browser.heading == "Mart"
    assert facts(browser) == {
        "Version": "1.1", "Download": "1 to 2.5 kB, depending on the device", "Requires": "iOS 17.4, or newer"}
    [link] = links(browser)
    scheme, _, query = link.partition("?")
    assert scheme == "marketplace-kit://install"
    told = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
    origin = f"https://{shop.tenant}.example"
    assert list(told) == ["alternativeDistributionPackage", "installVerificationToken", "appShareURL"]
    assert told["alternativeDistributionPackage"] == f"{origin}/adp/{shop.tenant}/{shop.own}/900000301"
    assert told["appShareURL"] == f"{origin}/apps/{shop.tenant}/{shop.own}"
    first = claims(told["installVerificationToken"])
    assert (first["iss"], first["iid"], first["vid"], first["dtype"]) == (
        str(shop.own), str(shop.own), "900000301", "download")

    browser.open(page(shop, shop.own))
    again = claims(dict(urllib.parse.parse_qsl(links(browser)[0].partition("?")[2]))["installVerificationToken"])
    assert again["nonce"] != first["nonce"]


def test_the_marketplace_apps_page_is_not_cached_and_reloads_before_its_token_expires(shop):
    answer = shop.server.client.ask("GET", f"/apps/{shop.tenant}/{shop.own}")
    assert answer.headers["cache-control"] == "no-store"
    assert 0 < int(answer.headers["refresh"]) < 600
    assert "script" not in answer.headers["content-security-policy"]
    assert b"<script" not in answer.body
    other = shop.server.client.ask("GET", f"/apps/{shop.tenant}/{shop.item}")
    assert "refresh" not in other.headers and b"marketplace-kit:" not in other.body


def test_the_page_of_another_app_links_to_the_page_of_the_marketplace_app(shop, browser):
    browser.open(page(shop))
    assert browser.heading == "Game"
    assert facts(browser)["Download"] == "181 to 235 kB, depending on the device"
    assert "Find Game there and install it." in browser.text
    assert links(browser) == [page(shop, shop.own)]
    browser.press("the Mart app")
    assert browser.heading == "Mart"


def test_the_page_of_an_unknown_app_gets_404_and_that_of_an_unavailable_one_an_explanation(shop, installation, server, browser):
    for place in (f"/apps/{shop.tenant}/1", f"/apps/{shop.tenant}/none", "/apps/nobody/1"):
        assert server.client.ask("GET", place).status == 404, place
    empty = Shop(installation, server)
    browser.open(page(empty, empty.own))
    assert "You can’t install it right now" in browser.text and links(browser) == []
    empty.apply(withdrawn=True)
    assert server.client.ask("GET", f"/apps/{empty.tenant}/{empty.item}").status == 404
    browser.open(page(empty))
    assert "This app is no longer offered" in browser.text


def test_an_apps_page_has_no_link_that_installs_a_package_from_another_host(installation, server, browser):
    shop = Shop(installation, server)
    shop.brought(item=shop.own)
    shop.members["appleItemID"] = str(shop.item)
    shop.brought()
    shop.apply(packageURL="https://cdn.example/game")
    browser.open(page(shop))
    assert links(browser) == []
    assert "You can’t install it from this page at the moment." in browser.text


@pytest.mark.parametrize("name", ["marketplace-app", "app", "absent"])
def test_the_product_page_is_accessible(shop, installation, server, measuring_browser, name):
    browser = measuring_browser
    browser.forget()
    if name == "absent":
        shop = Shop(installation, server)
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.open(page(shop, shop.own if name == "marketplace-app" else None))
            browser.photograph(f"product-{name}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            width = browser.measure("document.documentElement.scrollWidth")
            assert width <= SIZES[size][0]
    assert browser.complaints() == []
