"""A shop at Paddle that a test simulates: it makes and signs Paddle's messages, and serves Paddle's API."""

import hashlib
import hmac
import itertools
import json
import re
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import secrecy
from payment_shop import DAY, PaymentAPI, PaymentShop

_numbers = itertools.count(1)


def time_text(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000000Z")


class PaddleShop(PaymentShop):
    """A source of payments whose clock is the installation's."""

    def __init__(self, installation, tenant: str, source: str = "paddle", secret: str | None = None):
        self.installation, self.tenant, self.source = installation, tenant, source
        self.secret = secret or secrecy.keep(f"pdl_ntfset_{next(_numbers):030d}")

    def member(self, **members) -> dict:
        """The source in the tenant's `intake`."""
        return {
            "id": self.source, "provider": "paddle", "world": "live", "secret": self.secret,
            "items": [{"item": "pri_pro", "product": "notes", "policy": "pro"}]} | members

    # Messages -------------------------------------------------------------------------------------------------------

    def event(self, type: str, data: dict, at: int | None = None, id: str | None = None) -> bytes:
        return json.dumps({
            "event_id": id or f"evt_{next(_numbers):026d}", "notification_id": f"ntf_{next(_numbers):026d}",
            "event_type": type, "occurred_at": time_text(self.now if at is None else at), "data": data}).encode()

    def customer(self, name: str, email: str, at=None) -> bytes:
        return self.event("customer.created", {
            "id": f"ctm_{name}", "email": email, "name": "Grace Hopper", "status": "active"}, at)

    def purchase(self, name: str, item: str = "pri_pro", at=None) -> bytes:
        """A completed single purchase, the transaction `txn_NAME`."""
        return self.event("transaction.completed", self._transaction(name, f"txn_{name}", item, "web"), at)

    def subscribed(self, name: str, end: int, item: str = "pri_pro", at=None) -> tuple[bytes, bytes]:
        """Messages about a subscription's first transaction, without the subscription's id, and about the subscription."""
        transaction = self._transaction(name, f"txn_{name}_1", item, "web", cycle=True)
        return (
            self.event("transaction.completed", transaction, at),
            self.event("subscription.created", self._subscription(name, end, item) | {
                "transaction_id": f"txn_{name}_1"}, at))

    def renewed(self, name: str, number: int, end: int, item: str = "pri_pro", at=None) -> bytes:
        """The completed transaction with this number of the subscription `sub_NAME`, for a period until `end`."""
        transaction = self._transaction(name, f"txn_{name}_{number}", item, "subscription_recurring", cycle=True)
        return self.event("transaction.completed", transaction | {
            "subscription_id": f"sub_{name}",
            "billing_period": {"starts_at": time_text(end - 30 * DAY), "ends_at": time_text(end)}}, at)

    def updated(self, name: str, end: int, item: str = "pri_pro", at=None, **members) -> bytes:
        return self.event("subscription.updated", self._subscription(name, end, item) | members, at)

    def canceled(self, name: str, end: int, item: str = "pri_pro", at=None) -> bytes:
        return self.event("subscription.canceled", self._subscription(name, end, item) | {
            "status": "canceled", "canceled_at": time_text(self.now if at is None else at),
            "current_billing_period": None}, at)

    def adjustment(self, transaction: str, action: str = "refund", at=None, **members) -> bytes:
        """An approved adjustment of a whole transaction, `adj_ACTION_TRANSACTION`."""
        kind = "updated" if action == "refund" else "created"
        return self.event(f"adjustment.{kind}", {
            "id": f"adj_{action}_{transaction}", "action": action, "status": "approved", "type": "full",
            "transaction_id": transaction, "subscription_id": None, "currency_code": "EUR",
            "totals": {"total": "900"}, "items": []} | members, at)

    def _transaction(self, name: str, id: str, item: str, origin: str, cycle: bool = False) -> dict:
        price = {"id": item, "product_id": "pro_1", "billing_cycle": {"interval": "month", "frequency": 1} if cycle else None}
        return {
            "id": id, "status": "completed", "origin": origin, "customer_id": f"ctm_{name}", "subscription_id": None,
            "billing_period": None, "currency_code": "EUR", "custom_data": None,
            "items": [{"price": price, "quantity": 1, "proration": None}],
            "details": {"totals": {"total": "900", "grand_total": "900"}, "line_items": [
                {"id": f"txnitm_{id}", "price_id": item, "quantity": 1}]}}

    def _subscription(self, name: str, end: int, item: str) -> dict:
        return {
            "id": f"sub_{name}", "status": "active", "customer_id": f"ctm_{name}", "scheduled_change": None,
            "current_billing_period": {"starts_at": time_text(end - 30 * DAY), "ends_at": time_text(end)},
            "items": [{"price": {"id": item, "product_id": "pro_1"}, "quantity": 1, "status": "active"}]}

    # Sending --------------------------------------------------------------------------------------------------------

    def signed(self, body: bytes, at: int | None = None, secret: str | None = None) -> dict:
        seconds = str(self.now if at is None else at)
        code = hmac.new((secret or self.secret).encode(), seconds.encode() + b":" + body, hashlib.sha256).hexdigest()
        return {"Paddle-Signature": f"ts={seconds};h1={code}", "Content-Type": "application/json"}


class PaddleAPI(PaymentAPI):
    """Paddle's API on loopback, with the events that it was given and their objects."""

    def __init__(self, events: list[bytes] | None = None):
        self.events, self.objects, self.credentials = [], {}, set()
        # Responses to send instead of a page of the list, first to last: a status with a body.
        self.faults: list[tuple[int, dict]] = []
        self.most, self.pages = 200, 0
        self.add(*events or [])

    def add(self, *events: bytes) -> None:
        """Adds events; the object of each becomes the current state."""
        added = [json.loads(event) for event in events]
        self.events = sorted(self.events + added, key=lambda event: event["event_id"])
        self.objects |= {event["data"]["id"]: event["data"] for event in added}

    def answer(self, path: str) -> tuple[int, bytes]:
        status, answer = self.found(path)
        return status, json.dumps(answer).encode()

    def found(self, path: str) -> tuple[int, dict]:
        url = urlsplit(path)
        if url.path == "/events":
            self.pages += 1
            if self.faults:
                return self.faults.pop(0)
            return 200, self.page({name: values[0] for name, values in parse_qs(url.query).items()})
        found = re.fullmatch(r"/(customers|transactions|subscriptions)/(\w+)", url.path)
        if found and found[2] in self.objects:
            return 200, {"data": self.objects[found[2]]}
        return 404, {"error": {"type": "request_error", "code": "entity_not_found"}}

    def page(self, query: dict[str, str]) -> dict:
        """A page of the list of events, newest first."""
        assert query["order_by"] == "id[DESC]"
        after, most = query.get("after"), min(int(query["per_page"]), self.most)
        types = query["event_type"].split(",")
        earlier = [event for event in reversed(self.events)
                   if event["event_type"] in types and (after is None or event["event_id"] < after)]
        return {"data": earlier[:most], "meta": {"pagination": {"per_page": most, "has_more": len(earlier) > most}}}
