"""Tests a licensed app whose network or server misbehaves."""

import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from catalogs import catalog, fresh_key, license, policy, product
from notes import Notes

HOUR = 3_600
DAY = 86_400
LICENSED = "Licensed"
HTML = "text/html", b"<html><title>Welcome to the hotel</title>Sign in"
REVOKED = "application/json", b'{"error":"License has been revoked","code":"license_revoked","valid":false}'

pytestmark = pytest.mark.parametrize("dialect", ["keylight", "tenure"])


@contextmanager
def impostor(status: int, kind: str, body: bytes, headers: dict[str, str]):
    """A server that responds in place of the license server; yields its address and the requested paths."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append(self.path)
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def key(installation):
    key = fresh_key()
    installation.moves_time()
    installation.apply(catalog("acme", product(policies=[policy()], licenses=[license(key)])))
    return key


@pytest.fixture
def app(installation, dialect):
    return Notes(installation.home, dialect).at(0)


# Sentences that the app prints if a response isn't from its license server.
UNREACHED = (
    "This network asks you to sign in first.", "The license server can't respond right now.",
    "The license server's response couldn't be verified.", "The license server doesn't accept this app's settings.",
    "There is no connection to the license server.", "The license server asked the app to wait")


@pytest.mark.parametrize("status, kind, body, headers", [
    (200, *HTML, {}),
    (302, *HTML, {"Location": "http://127.0.0.1:9/sign-in"}),
    (404, *HTML, {}),
    (422, *HTML, {}),
    (511, *HTML, {}),
    (500, *REVOKED, {}),
    (503, *REVOKED, {"Retry-After": "60"}),
    (429, *REVOKED, {"Retry-After": "Sat, 21 Nov 2026 08:00:00 GMT"}),
    (401, *REVOKED, {}),
    (402, *REVOKED, {}),
    (403, *REVOKED, {}),
    (404, "application/json", b'{"error":"x","code":"tenant_unknown"}', {}),
    (200, "application/json", b'{"valid":false}', {}),
    (200, "application/json", b'{"valid":true,"lease":{"kid":"k1","status":"expired"}}', {}),
    (422, "application/json", REVOKED[1][:-5], {}),
    (422, "application/json", REVOKED[1], {"Content-Length": "100000"}),
    (422, "application/json", b" " * 300_000 + REVOKED[1], {}),
])
def test_a_response_from_a_captive_portal_or_another_server_leaves_the_app_licensed(
        installation, key, app, status, kind, body, headers):
    with installation.serving() as server:
        assert app.run(server.address, "activate", key)[0] == 0
    with impostor(status, kind, body, headers) as (address, asked):
        app.at(7 * HOUR)
        code, said = app.run(address, "status")
        assert code == 0 and said.startswith(LICENSED), said
        assert any(sentence in said for sentence in UNREACHED), said
        assert len(asked) == 1, "one request, and no redirect followed"


def test_an_app_without_a_reachable_server_stays_licensed_until_its_lease_ends(installation, key, app):
    with installation.serving() as server:
        assert app.run(server.address, "activate", key)[0] == 0
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
    for hours in range(7, 7 * 24, 23):
        assert app.at(hours * HOUR).headline(nobody).startswith(LICENSED), hours
    assert app.at(7 * DAY + 301).headline(nobody) == "No license at the moment."
    installation.set_clock(7 * DAY + 2 * HOUR)
    with installation.serving() as server:
        assert app.at(7 * DAY + 2 * HOUR).headline(server.address).startswith(LICENSED)


@pytest.mark.parametrize("wrong", [DAY, -DAY])
def test_a_device_stays_licensed_while_its_servers_clock_is_wrong_by_a_day(installation, key, app, wrong):
    installation.set_clock(wrong)
    with installation.serving() as server:
        code, said = app.run(server.address, "activate", key)
        assert code == 0 and said.startswith(LICENSED), said
        for hours in (7, 14, 21):
            installation.set_clock(wrong + hours * HOUR)
            assert app.at(hours * HOUR).headline(server.address).startswith(LICENSED), hours
        # The server's clock is corrected.
        for hours in (28, 35, 60, 90):
            installation.set_clock(hours * HOUR)
            assert app.at(hours * HOUR).headline(server.address).startswith(LICENSED), hours


@pytest.mark.parametrize("wrong", [DAY, -DAY, 400 * DAY, -400 * DAY])
def test_a_device_can_be_activated_although_its_clock_is_wrong_by_a_day_or_400_days(installation, key, app, wrong):
    app.wrong_by(wrong)
    with installation.serving() as server:
        code, said = app.run(server.address, "activate", key)
        assert code == 0 and said.startswith(LICENSED), said
        installation.set_clock(7 * HOUR)
        assert app.at(7 * HOUR).headline(server.address).startswith(LICENSED)
