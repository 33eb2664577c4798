"""Tests payment messages that the providers' libraries sign, and simulated messages that these libraries verify."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import catalogs
import pytest
import secrecy
import stripe
from paddle_billing.Notifications import Secret, Verifier
from paddle_billing.Notifications.PaddleSignature import PaddleSignature

STRIPE, PADDLE = "whsec_bWFkZS11cA", "pdl_ntfset_01made_up"
BODY = json.dumps({
    "id": "evt_1", "event_id": "evt_1", "created": 1_790_000_000, "livemode": False, "type": "ping", "event_type": "ping",
    "occurred_at": "2026-09-21T14:13:20Z", "data": {"object": {}}, "note": "\u00fc \u5b57"}, ensure_ascii=False).encode()


def signed_by_stripe(body: bytes) -> dict:
    now = str(int(time.time()))
    code = stripe.WebhookSignature._compute_signature(f"{now}.{body.decode()}", STRIPE)
    return {"Stripe-Signature": f"t={now},v1={code}"}


def signed_by_paddle(body: bytes) -> dict:
    now = str(int(time.time()))
    code = PaddleSignature.calculate_hmac(PADDLE, f"{now}:{body.decode()}".encode()).hexdigest()
    return {"Paddle-Signature": f"ts={now};h1={code}"}


def verified_by_stripe(body: bytes, headers: dict) -> bool:
    stripe.Webhook.construct_event(body, headers["Stripe-Signature"], STRIPE)
    return True


def verified_by_paddle(body: bytes, headers: dict) -> bool:
    request = SimpleNamespace(body=body, headers=headers)
    return Verifier(300).verify(request, [Secret(PADDLE)])


@pytest.fixture
def tenant(shared_installation) -> str:
    """A tenant that sells one item at both providers."""
    tenant = catalogs.fresh("shop")
    key = shared_installation.home / "paddle.key"
    key.write_text(secrecy.keep("made-up-key-of-paddle"))
    items = [{"item": "once", "product": "notes", "policy": "pro"}]
    catalog = catalogs.catalog(tenant, catalogs.product())
    catalog["tenants"][0]["intake"] = [
        {"id": "stripe", "provider": "stripe", "world": "test", "secret": secrecy.keep(STRIPE), "items": items},
        {"id": "paddle", "provider": "paddle", "world": "test", "secret": secrecy.keep(PADDLE), "items": items,
         "apiKeyFile": str(key)}]
    shared_installation.apply(catalog)
    return tenant


@pytest.mark.parametrize("source, signed", [("stripe", signed_by_stripe), ("paddle", signed_by_paddle)])
def test_a_message_signed_by_a_payment_providers_library_is_accepted(shared_server, tenant, source, signed):
    def send(body: bytes, headers: dict):
        return shared_server.client.ask("POST", f"/v1/{tenant}/intake/{source}", body, headers)

    assert send(BODY, signed(BODY)).status == 200
    assert send(BODY + b" ", signed(BODY)).status == 401


@pytest.mark.parametrize("source, verified", [("stripe", verified_by_stripe), ("paddle", verified_by_paddle)])
def test_a_simulated_payment_message_is_accepted_by_the_payment_providers_library(
        shared_installation, tenant, source, verified):
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((self.rfile.read(int(self.headers["Content-Length"])), self.headers))
            self.send_response(500)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        shared_installation.run(
            "intake", "simulate", source, "sale", "--tenant", tenant, "--item", "once", "--email", "ada@shop.example",
            "--url", f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()
    assert received and all(verified(body, headers) for body, headers in received)
