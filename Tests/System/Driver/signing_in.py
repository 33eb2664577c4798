"""An app with a web view that signs a user in as Apple's system does: a form, a code, tokens."""

import base64
import hashlib
import os
from html.parser import HTMLParser
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import secrecy
from client import Answer, Client

SYSTEM = "app-distribution-oauth://"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
PASSWORD = "correct horse battery staple"


class Form(HTMLParser):
    """The fields of a page's form, by their names."""

    def __init__(self, page: bytes):
        super().__init__()
        self.fields: dict[str, str] = {}
        self.action = None
        self.feed(page.decode())

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "form":
            self.action = found["action"]
        if tag == "input":
            self.fields[found["name"]] = found.get("value", "")


class WebView:
    """A browser without scripts that stores cookies and follows no redirects."""

    def __init__(self, client: Client):
        self.client, self.cookies = client, {}

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, None, headers)

    def head(self, path: str, **headers: str) -> Answer:
        return self._ask("HEAD", path, None, headers)

    def post(self, path: str, fields: dict, **headers: str) -> Answer:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"} | headers
        return self._ask("POST", path, urlencode(fields).encode(), headers)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict) -> Answer:
        if self.cookies:
            headers = headers | {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        answer = self.client.ask(method, path, body, headers)
        if field := answer.headers.get("set-cookie"):
            name, value = field.split(";")[0].split("=", 1)
            self.cookies[name] = secrecy.keep(value) if value else value
        return answer


class AppSigningIn:
    """One app on one device."""

    def __init__(self, client: Client, tenant: str, redirect: str = SYSTEM):
        self.client, self.tenant, self.redirect = client, tenant, redirect
        # A client id must not appear in any log.
        self.id = secrecy.keep("client-" + os.urandom(12).hex())
        self.verifier = secrecy.keep(base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("="))
        self.web = WebView(client)

    @property
    def challenge(self) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")

    def question(self, **changes: str | None) -> dict:
        asked = {
            "response_type": "code", "client_id": self.id, "redirect_uri": self.redirect, "state": "xyz 1&2",
            "code_challenge": self.challenge, "code_challenge_method": "S256"} | changes
        return {name: value for name, value in asked.items() if value is not None}

    def path(self, what: str) -> str:
        return f"/oauth/{self.tenant}/{what}"

    def open(self, **changes: str | None) -> Answer:
        """Opens the sign-in page."""
        return self.web.get(self.path("authorize") + "?" + urlencode(self.question(**changes), quote_via=quote))

    def send(self, page: Answer, **fields: str) -> Answer:
        """Sends the page's form with these fields filled in."""
        form = Form(page.body)
        return self.web.post(form.action, form.fields | fields)

    def code(self, account: str = "ada", password: str = PASSWORD) -> str:
        """Signs in and returns the authorization code."""
        return self.code_in(self.send(self.open(), account=account, password=password))

    def code_in(self, answer: Answer) -> str:
        items = self.items_in(answer)
        assert items["state"] == "xyz 1&2"
        return secrecy.keep(items["code"])

    def items_in(self, answer: Answer) -> dict:
        """The query items of a redirect back to the app."""
        assert answer.status == 303, answer
        place = answer.headers["location"]
        begin = "app-distribution-oauth:?" if self.redirect == SYSTEM else self.redirect
        assert place.startswith(begin), place
        return dict(parse_qsl(urlsplit(place).query, strict_parsing=True))

    def ask(self, **fields: str) -> Answer:
        """Sends a token request."""
        answer = self.client.ask(
            "POST", self.path("token"), urlencode(fields).encode(),
            {"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.headers["cache-control"] == "no-store" and answer.headers["pragma"] == "no-cache", answer
        if answer.status == 200:
            for name in ("access_token", "refresh_token"):
                secrecy.keep(answer[name])
        else:
            assert set(answer.json) == {"error", "error_description"}, answer
        return answer

    def redeem(self, code: str, **changes: str) -> Answer:
        return self.ask(**{
            "grant_type": "authorization_code", "code": code, "code_verifier": self.verifier, "client_id": self.id}
            | changes)

    def refresh(self, token: str, **changes: str) -> Answer:
        return self.ask(**{"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id} | changes)

    def exchange(self, handoff: str, **changes: str) -> Answer:
        return self.ask(**{
            "grant_type": EXCHANGE, "issued_token_type": ACCESS_TOKEN, "subject_token": handoff,
            "subject_token_type": ACCESS_TOKEN, "client_id": self.id} | changes)

    def signed_in(self, account: str = "ada") -> dict:
        """Signs in and returns the token response."""
        answer = self.redeem(self.code(account))
        assert answer.status == 200, answer
        return answer.json
