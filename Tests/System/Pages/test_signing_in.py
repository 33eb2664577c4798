"""Tests signing in to an app with a real browser: valid and refused input, and the redirects."""

import http.server
import threading
from html import escape
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
import secrecy
from browser import DESKTOP, PHONE
from household import PASSWORD, Household
from signing_in import AppSigningIn
from waiting import eventually

SIZES = {"phone": PHONE, "desktop": DESKTOP}


class Place(http.server.BaseHTTPRequestHandler):
    """Another site on this host, such as a shop; it records the requested paths."""

    asked: list[str] = []

    def do_GET(self):
        type(self).asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        place = escape(parse_qs(urlsplit(self.path).query).get("to", [""])[0])
        what = f"<iframe src='{place}'></iframe>" if self.path.startswith("/frame") else f"<a href='{place}'>Back</a>"
        self.wfile.write(
            f"<!doctype html><html lang=en><title>elsewhere</title><link rel=icon href=data:,><h1>Elsewhere</h1>{what}"
            .encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    Place.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Place)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    # The host name differs from the server's, so the browser treats this as another site.
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def household(installation, server):
    return Household(installation, server)


def address(household, **changes) -> str:
    app = AppSigningIn(household.server.new_client(), household.mart.tenant)
    return f"{household.server.address}/oauth/{household.mart.tenant}/authorize?" + urlencode(app.question(**changes))


def form(browser, household):
    browser.open(address(household, login_hint="ada"))


def wrong(browser, household):
    browser.open(address(household, login_hint="<eve>"))
    browser.fill("Password", "not this one")
    browser.press("Sign in")


def link_opened(browser, household):
    browser.open(address(household))
    browser.press("Use a one-time link instead")


def stranger(browser, household):
    browser.open(address(household, redirect_uri="https://evil.example/"))


VIEWS = [form, wrong, link_opened, stranger]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_the_sign_in_page_is_accessible(view, household, measuring_browser):
    browser = measuring_browser
    browser.forget()
    browser.look_like(PHONE)
    view(browser, household)
    for size in SIZES:
        for dark in (False, True):
            browser.look_like(SIZES[size], dark)
            browser.photograph(f"sign-in-{view.__name__}-{size}-{'dark' if dark else 'light'}")
            assert browser.barriers() == []
            assert browser.measure("document.documentElement.scrollWidth") == SIZES[size][0]
    browser.look_like(PHONE)
    small = browser.measure(
        "[...document.querySelectorAll('button, input:not([type=hidden]), summary, a.button')]"
        ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)")
    assert small == []
    assert browser.complaints() == []


def kinds(household) -> list[str]:
    listed = household.mart.do("account", "credentials", "ada", "--json").json["credentials"]
    return [one["kind"] for one in reversed(listed)]


def test_signing_in_creates_an_authorization_code_and_the_browser_does_not_block_the_redirect(browser, household):
    browser.open(address(household, login_hint="ada"))
    assert browser.value("Account or e-mail") == "ada"
    browser.fill("Password", "not this one")
    browser.press("Sign in")
    assert "The account or password is wrong" in browser.text
    assert browser.value("Account or e-mail") == "ada" and kinds(household) == ["token"]
    browser.fill("Password", PASSWORD)
    # No program opens the app's scheme, so the page stays. If the page's own policy blocked the redirect, the browser
    # would log an error, and the fixture would fail.
    browser.click("Sign in")
    eventually(lambda: kinds(household), lambda seen: seen == ["token", "sign-in code"], 60)
    (cookie,) = browser.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"


def test_a_browser_does_not_show_the_sign_in_page_in_a_frame_of_another_site(browser, household, elsewhere):
    browser.open(f"{elsewhere}/frame?to={quote(address(household), safe='')}")
    browser.driver.switch_to.frame(0)
    assert "Sign in" not in browser.text
    browser.driver.switch_to.default_content()
    # The browser must log the refusal.
    assert any("frame-ancestors" in line for line in browser.complaints())


def test_a_link_from_the_vendors_shop_signs_the_user_in_once(browser, household, elsewhere, server):
    mart = household.mart
    mart.members = mart.members | {"signInURL": elsewhere + "/in"}
    mart.apply()
    browser.open(household.page)
    browser.press("Sign in")
    assert browser.heading == "Elsewhere"
    sent = parse_qs(urlsplit(Place.asked[-1]).query)
    assert sent["return"][0].startswith(f"https://{mart.domain}/oauth/{mart.tenant}/back?state=")
    words = ("token", "create", "--tenant", mart.tenant, "--scope", "accounts:write", "--json")
    token = secrecy.keep(household.installation.do(*words).json["token"])
    made = server.client.post(
        f"/v1/{mart.tenant}/accounts/ada/links", {"state": sent["state"][0]}, {"Authorization": f"Bearer {token}"})
    url = server.address + made["url"].removeprefix(f"https://{mart.domain}")
    secrecy.keep(url.split("/link/")[1].split("?")[0])
    # The shop, which is another site, sends the browser to the URL that completes the sign-in.
    browser.open(f"{elsewhere}/click?to={quote(url, safe='')}")
    browser.press("Back")
    assert browser.heading == "You are signed in"
    browser.press("Show your devices")
    assert "Signed in as" in browser.text
    browser.forget()
    browser.open(f"{elsewhere}/click?to={quote(url, safe='')}")
    browser.press("Back")
    assert browser.heading == "Please start again"
