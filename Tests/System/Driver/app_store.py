"""Sends a marketplace the signed notifications of App Store Connect, in both formats."""

import datetime
import json
import uuid

from fake_app_store import signature
from waiting import eventually


def from_now(seconds: float) -> float:
    """The time this many seconds from now, counted in seconds from the fixed date of `moment`."""
    return (datetime.datetime.now(datetime.UTC) - datetime.datetime(2026, 7, 17, tzinfo=datetime.UTC)).total_seconds() + seconds


def moment(seconds: float) -> str:
    """The time this many seconds after a fixed date, in the format of notifications."""
    return (datetime.datetime(2026, 7, 17, tzinfo=datetime.UTC) + datetime.timedelta(seconds=seconds)).strftime(
        "%Y-%m-%dT%H:%M:%S.%fZ")


class Notifier:
    """Sends notifications to one marketplace; their times are seconds after a fixed date."""

    def __init__(self, shop, secret: str = "a secret of the webhook"):
        self.shop, self.secret = shop, secret

    def post(self, body: bytes, tenant: str | None = None, **fields):
        headers = {"x-apple-signature": signature(self.secret, body), "Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in fields.items()}
        return self.shop.server.client.ask(
            "POST", f"/marketplace/{tenant or self.shop.tenant}/notifications", body,
            {name: value for name, value in headers.items() if value})

    def first(self, kind: str, at: float, id: str | None = None, marketplace=None, **attributes) -> bytes:
        """A notification in the first format."""
        return json.dumps({"data": {
            "type": kind, "version": 1, "id": id or str(uuid.uuid4()), "timestamp": moment(at + 3),
            "attributes": {
                "marketplaceAppId": str(marketplace or self.shop.own), "appId": str(self.shop.item),
                "eventTimestamp": moment(at)} | attributes}}).encode()

    def second(self, kind: str, at: float, instance: str | None = None, id: str | None = None, **attributes) -> bytes:
        """A notification in the second format."""
        links = {"marketplaceApp": {"data": {"type": "apps", "id": str(self.shop.own)}}}
        if instance:
            links["instance"] = {"data": {"type": "alternativeDistributionPackages", "id": instance}}
        return json.dumps({"data": {
            "type": kind, "id": id or str(uuid.uuid4()), "version": 1,
            "attributes": {"appId": str(self.shop.item), "timestamp": moment(at)} | attributes,
            "relationships": links}}).encode()

    def tell(self, body: bytes) -> dict:
        """Sends a notification, waits until it has been processed, and returns its entry of the list."""
        answer = self.post(body)
        assert answer.status == 200, answer
        return self.settled(json.loads(body)["data"]["id"])

    def settled(self, id: str) -> dict:
        return eventually(lambda: self.seen(id), lambda seen: seen and seen["outcome"] != "waiting")

    def seen(self, id: str) -> dict | None:
        return next((one for one in self.list() if one["id"] == id), None)

    def list(self) -> list[dict]:
        return self.shop.installation.do(
            "marketplace", "notifications", "list", "--tenant", self.shop.tenant, "--json").json["notifications"]
