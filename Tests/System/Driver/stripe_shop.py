"""A shop at Stripe that a test simulates: it makes and signs Stripe's messages, and serves Stripe's API."""

import hashlib
import hmac
import itertools
import json
import time
from urllib.parse import parse_qs, urlsplit

import secrecy
from payment_shop import DAY, PaymentAPI, PaymentShop

_numbers = itertools.count(1)


class StripeShop(PaymentShop):
    """A source of payments whose clock is the installation's."""

    def __init__(self, installation, tenant: str, source: str = "stripe", secret: str | None = None, live: bool = True):
        self.installation, self.tenant, self.source, self.live = installation, tenant, source, live
        self.secret = secret or secrecy.keep(f"whsec_{next(_numbers):030d}")

    def member(self, **members) -> dict:
        """The source in the tenant's `intake`."""
        return {
            "id": self.source, "provider": "stripe", "world": "live" if self.live else "test", "secret": self.secret,
            "items": [{"item": "price_pro", "product": "notes", "policy": "pro"}]} | members

    # Messages -------------------------------------------------------------------------------------------------------

    def event(self, type: str, object: dict, at: int | None = None, id: str | None = None) -> bytes:
        return json.dumps({
            "id": id or f"evt_{next(_numbers)}", "object": "event", "api_version": "2026-06-24.dahlia",
            "created": self.now if at is None else at, "livemode": self.live, "type": type,
            "data": {"object": object}}).encode()

    def session(self, name: str, email: str, item: str = "price_pro", quantity: int = 1, at=None, **members) -> bytes:
        """A paid checkout of a single purchase, whose payment is `pi_NAME`."""
        items = {"object": "list", "has_more": False, "data": [
            {"id": f"li_{name}", "object": "item", "price": {"id": item, "product": "prod_1"}, "quantity": quantity}]}
        return self.event("checkout.session.completed", {
            "id": f"cs_{name}", "object": "checkout.session", "mode": "payment", "payment_status": "paid",
            "payment_intent": f"pi_{name}", "amount_total": 4900, "currency": "eur", "customer": None, "invoice": None,
            "subscription": None, "client_reference_id": None, "metadata": {}, "payment_link": None,
            "customer_details": {"email": email, "name": "Ada Lovelace"}, "line_items": items} | members, at)

    def invoice(
        self, name: str, number: int, end: int, email: str = "ada@shop.example", item: str = "price_pro", at=None,
        reason: str | None = None) -> bytes:
        """The paid invoice with this number of the subscription `sub_NAME`, for a period until `end`."""
        line = {
            "id": f"il_{name}_{number}", "object": "line_item", "quantity": 1, "amount": 900, "currency": "eur",
            "period": {"start": end - 30 * DAY, "end": end},
            "pricing": {"price_details": {"price": item, "product": "prod_1"}, "type": "price_details"},
            "parent": {"type": "subscription_item_details", "subscription_item_details": {
                "proration": False, "subscription": f"sub_{name}", "subscription_item": f"si_{name}"}}}
        return self.event("invoice.paid", {
            "id": f"in_{name}_{number}", "object": "invoice", "amount_paid": 900, "total": 900, "currency": "eur",
            "customer": f"cus_{name}", "customer_email": email, "customer_name": "Ada Lovelace",
            "billing_reason": reason or ("subscription_create" if number == 1 else "subscription_cycle"),
            "lines": {"object": "list", "has_more": False, "data": [line]},
            "parent": {"type": "subscription_details", "subscription_details": {"subscription": f"sub_{name}"}}}, at)

    def single_invoice(self, name: str, item: str = "price_pro", at=None) -> bytes:
        """The paid invoice of a single purchase, which a session can name with `invoice="in_NAME"`."""
        line = {
            "id": f"il_{name}", "object": "line_item", "quantity": 1, "amount": 900, "currency": "eur",
            "period": {"start": self.now, "end": self.now}, "parent": None,
            "pricing": {"price_details": {"price": item, "product": "prod_1"}, "type": "price_details"}}
        return self.event("invoice.paid", {
            "id": f"in_{name}", "object": "invoice", "amount_paid": 900, "total": 900, "currency": "eur",
            "customer": f"cus_{name}", "customer_email": "ada@shop.example", "customer_name": "Ada Lovelace",
            "billing_reason": "manual", "lines": {"object": "list", "has_more": False, "data": [line]},
            "parent": None}, at)

    def payment(self, name: str, number: int, at=None) -> bytes:
        """A message that names the payment of an invoice, `pi_NAME_NUMBER`."""
        return self.event("invoice_payment.paid", {
            "id": f"inpay_{name}_{number}", "object": "invoice_payment", "invoice": f"in_{name}_{number}",
            "amount_paid": 900, "currency": "eur", "status": "paid",
            "payment": {"type": "payment_intent", "payment_intent": f"pi_{name}_{number}"}}, at)

    def refund(self, payment: str, amount: int = 4900, of: int = 4900, at=None) -> bytes:
        return self.event("charge.refunded", {
            "id": f"ch_{payment}", "object": "charge", "amount": of, "amount_refunded": amount, "currency": "eur",
            "payment_intent": f"pi_{payment}", "refunded": amount == of}, at)

    def dispute(self, payment: str, status: str = "needs_response", at=None) -> bytes:
        kind = "closed" if status in ("won", "lost", "warning_closed") else "created"
        return self.event(f"charge.dispute.{kind}", {
            "id": f"dp_{payment}", "object": "dispute", "amount": 4900, "currency": "eur", "charge": f"ch_{payment}",
            "payment_intent": f"pi_{payment}", "status": status}, at)

    def plan(self, name: str, item: str, end: int, at=None, quantity: int = 1, **members) -> bytes:
        """A message with the current state of the subscription `sub_NAME`, which has this item."""
        return self.event("customer.subscription.updated", {
            "id": f"sub_{name}", "object": "subscription", "status": "active", "cancel_at_period_end": False,
            "latest_invoice": None, "customer": f"cus_{name}",
            "items": {"object": "list", "has_more": False, "data": [{
                "id": f"si_{name}", "object": "subscription_item", "quantity": quantity, "current_period_end": end,
                "price": {"id": item, "product": "prod_1"}}]}} | members, at)

    def ended(self, name: str, at=None) -> bytes:
        end = self.now if at is None else at
        return self.event("customer.subscription.deleted", {
            "id": f"sub_{name}", "object": "subscription", "status": "canceled", "ended_at": end, "canceled_at": end,
            "cancel_at_period_end": False,
            "items": {"object": "list", "has_more": False, "data": []}}, at)

    # Sending --------------------------------------------------------------------------------------------------------

    def signed(self, body: bytes, at: int | None = None, secret: str | None = None) -> dict:
        seconds = str(self.now if at is None else at)
        code = hmac.new((secret or self.secret).encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
        return {"Stripe-Signature": f"t={seconds},v1={code}", "Content-Type": "application/json"}


class StripeAPI(PaymentAPI):
    """Stripe's API on loopback, with the items of checkout sessions and the list of events."""

    def __init__(self, sessions: dict[str, list[tuple[str, int]]] | None = None, answers_about: str | None = None):
        self.sessions, self.answers_about, self.credentials = sessions or {}, answers_about, set()
        # Events as messages, in the order in which they happened; the current subscriptions by their ids.
        self.events: list[bytes] = []
        self.subscriptions: dict[str, dict] = {}
        # Responses to send instead of a page of the list, first to last: a status with a body.
        self.faults: list[tuple[int, bytes]] = []
        self.most, self.delay = 100, 0.0
        self.pages: list[dict[str, list[str]]] = []

    def items(self, session: str) -> dict:
        url = f"/v1/checkout/sessions/{self.answers_about or session}/line_items"
        lines = [
            {"id": f"li_{number}", "object": "item", "price": {"id": price, "product": "prod_1"}, "quantity": quantity}
            for number, (price, quantity) in enumerate(self.sessions[session])]
        return {"object": "list", "url": url, "has_more": False, "data": lines}

    def page(self, query: dict[str, list[str]]) -> dict:
        """A page of the list of events, newest first."""
        since, most = int(query["created[gte]"][0]), min(int(query["limit"][0]), self.most)
        events = [event for event in map(json.loads, self.events) if event["created"] >= since and
                  event["type"] in query["types[]"]]
        # Events of the same second are listed newest first, too.
        events = sorted(reversed(events), key=lambda event: -event["created"])
        if after := query.get("starting_after"):
            events = events[[event["id"] for event in events].index(after[0]) + 1:]
        return {"object": "list", "url": "/v1/events", "has_more": len(events) > most, "data": events[:most]}

    def answer(self, path: str) -> tuple[int, bytes]:
        url = urlsplit(path)
        if url.path == "/v1/events":
            self.pages.append(parse_qs(url.query))
            time.sleep(self.delay)
            if self.faults:
                return self.faults.pop(0)
            return 200, json.dumps(self.page(self.pages[-1])).encode()
        parts = url.path.split("/")
        if parts[2] == "checkout" and parts[4] in self.sessions:
            return 200, json.dumps(self.items(parts[4])).encode()
        if parts[2] == "subscriptions" and parts[3] in self.subscriptions:
            return 200, json.dumps(self.subscriptions[parts[3]]).encode()
        return 404, b'{"error": {"type": "invalid_request_error"}}'
