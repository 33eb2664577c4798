"""Tests the resolution page without a session: it reveals no account, and it contains nothing unsafe."""

import base64
import hashlib
import re
from urllib.parse import quote

from client import Client

HOSTILE = "\"><script>document.title='taken'</script><img src=x onerror=alert(1)>'&"


def get(household, url: str):
    return Client(household.server.address).get(url.removeprefix(household.server.address))


def test_the_resolution_page_is_the_same_for_known_and_unknown_accounts(household):
    household.device()
    known, unknown = get(household, household.page), get(household, household.page.replace("=ada", "=eve"))
    assert known.status == unknown.status == 200
    assert known.body.replace(b'value="ada"', b'value="eve"') == unknown.body
    changing = {"x-request-id", "date"}
    assert {name: value for name, value in known.headers.items() if name not in changing} == {
        name: value for name, value in unknown.headers.items() if name not in changing}


def test_the_security_policy_of_the_resolution_page_permits_no_scripts_and_one_style_sheet(household):
    answer = get(household, household.page)
    sheet = re.search(rb"<style>(.*?)</style>", answer.body, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(sheet).digest()).decode()
    assert answer.headers["content-security-policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self' data:; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_resolution_page_without_a_session_shows_the_remedy_and_a_notice_about_the_simulation(household, browser):
    browser.open(household.page)
    assert browser.heading == "Camping doesn’t open?"
    for words in ("Open the Megabyte Mart app", "Simulation", "Virtual clock", "help@market.example"):
        assert words in browser.text
    assert browser.value("Account or e-mail") == "ada"


def test_the_resolution_page_escapes_malicious_text_from_its_query_and_from_the_catalog(household, browser):
    household.list_app(name=HOSTILE)
    browser.open(household.page.replace("=ada", "=" + quote(HOSTILE)))
    assert browser.heading == f"{HOSTILE} doesn’t open?"
    assert browser.value("Account or e-mail") == HOSTILE
    assert browser.driver.title.startswith(HOSTILE)


def test_the_resolution_page_without_a_session_says_that_an_app_was_withdrawn(household, browser):
    household.list_app(withdrawn=True)
    browser.open(household.page)
    assert "This app is no longer offered" in browser.text
