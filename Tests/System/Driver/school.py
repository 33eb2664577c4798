"""A vendor of offline content and its learners' devices; PyJWT verifies the server's statements."""

import itertools
import secrets
import uuid

import jwt
import secrecy
from client import Answer, Client
from vendor import Vendor

_numbers = itertools.count(1)
SCOPES = ("content:read", "content:write", "content:token", "events:read")


def rule(id: str = "std", **members) -> dict:
    """A content policy: three plays, two hours of playback, 30 days, two devices."""
    return {"id": id, "expiresAfterDays": 30, "grantedPlays": 3, "grantedPlaySeconds": 7200, "deviceLimit": 2} | members


def item(id: str, policy: str = "std", **members) -> dict:
    return {"id": id, "title": f"Lesson {id}", "policy": policy} | members


def request_id() -> str:
    return f"request-{next(_numbers)}"


def offer(vendor: Vendor, *rules: dict, items: list | None = None, courses: list | None = None, **content) -> None:
    """Applies a catalog: by default four lessons and a course of the first three."""
    rules = rules or (rule(),)
    items = items or [item(f"mck-{number}", rules[0]["id"]) for number in range(1, 5)]
    courses = courses or [{"id": "algebra", "title": "Algebra", "items": [one["id"] for one in items[:3]]}]
    listed = {"policies": list(rules), "items": items, "courses": courses} | content
    vendor.installation.apply({"tenants": [{"id": vendor.tenant, "content": listed}]})


class School:
    """The vendor's side of the content API, with an operator's token."""

    def __init__(self, vendor: Vendor, *rules: dict, **content):
        self.vendor = vendor
        offer(vendor, *rules, **content)
        scopes = [word for scope in SCOPES for word in ("--scope", scope)]
        made = vendor.installation.do(
            "token", "create", "--tenant", vendor.tenant, *scopes, "--name", "school", "--json")
        self.token = secrecy.keep(made.json["token"])
        self.base = f"/content/{vendor.tenant}/v1"

    def ask(self, method: str, path: str, body: dict | None = None, token: str | None = None,
            client: Client | None = None, headers: dict | None = None) -> Answer:
        headers = {"Authorization": f"Bearer {token or self.token}"} | (headers or {})
        client = client or self.vendor.server.client
        if method == "GET":
            return client.get(self.base + path, headers)
        return client.post(self.base + path, body or {}, headers)

    def enrol(self, holder: str = "ada", **members) -> dict:
        """Enrols a learner in the course, unless `members` name another scope."""
        scope = {} if {"content", "course"} & members.keys() else {"course": "algebra"}
        answer = self.ask("POST", "/enrolments", {"holder": holder} | scope | members)
        assert answer.status == 201, answer
        return answer["enrolment"]

    def act(self, enrolment: dict, verb: str, **members) -> dict:
        """Performs an action on an enrolment that must succeed."""
        answer = self.ask("POST", f"/enrolments/{enrolment['id']}/{verb}", members)
        assert answer.status == 200, answer
        return answer.json

    def enrolment(self, enrolment: dict) -> dict:
        return self.ask("GET", f"/enrolments/{enrolment['id']}")["enrolment"]

    def license(self, id: str) -> dict:
        return self.ask("GET", f"/licenses/{id}")["license"]

    def stop(self, license: str, verb: str, **members) -> Answer:
        return self.ask("POST", f"/licenses/{license}/{verb}", members)

    def read(self, compact: str, kind: str) -> dict:
        """Verifies a signed statement with the served keys, and returns its payload."""
        keys = {key["kid"]: key for key in self.ask("GET", "/keys")["keys"]}
        header = jwt.get_unverified_header(compact)
        assert header["typ"] == kind
        payload = jwt.decode(compact, jwt.PyJWK(keys[header["kid"]]).key, algorithms=["EdDSA"])
        assert payload["v"] == 1 and payload["tenant"] == self.vendor.tenant
        return payload

    def grant(self, answer: dict) -> dict:
        return self.read(answer["grant"], "tenure-grant+jwt")

    def refusal(self, answer: dict) -> dict:
        return self.read(answer["refusal"], "tenure-content-refusal+jwt")

    def tablet(self, holder: str = "ada", **members) -> "Tablet":
        return Tablet(self, holder, **members)


class Tablet:
    """A learner's device."""

    def __init__(self, school: School, holder: str, device: str | None = None, **members):
        self.school, self.holder = school, holder
        self.device = device or secrets.token_hex(32)
        answer = school.ask("POST", "/holders/token", {"holder": holder, "device": self.device} | members)
        assert answer.status == 201, answer
        self.token = secrecy.keep(answer["token"])

    def ask(self, method: str, path: str, body: dict | None = None, client: Client | None = None) -> Answer:
        return self.school.ask(method, path, body, self.token, client)

    def get(self, content: str, request: str | None = None, client: Client | None = None) -> Answer:
        """Requests a license for a content item."""
        body = {"requestId": request or request_id(), "content": content}
        return self.ask("POST", "/licenses", body, client)

    def has(self, content: str) -> dict:
        """Requests a license that the server must issue."""
        answer = self.get(content)
        assert answer.status == 200, answer
        return answer.json

    def renew(self, *items: dict, when: str = "always", usage: list | None = None, request: str | None = None,
              client: Client | None = None) -> Answer:
        named = [{"license": one["license"], "version": one["version"]} | (
            {"grant": one["grant"]} if one.get("shows") else {}) for one in items]
        body = {"requestId": request or request_id(), "when": when, "items": named}
        return self.ask("POST", "/renewals", body | ({"usage": usage} if usage is not None else {}), client)

    def renewed(self, item: dict, **members) -> dict:
        """Renews one license, and returns the response's item for it."""
        answer = self.renew(item, **members)
        assert answer.status == 200, answer
        return answer["items"][0]

    def report(self, *sessions) -> Answer:
        return self.ask("POST", "/usage", {"requestId": request_id(), "usage": list(sessions)})


def played(item: dict, seconds: int = 60, *, sequence: int = 1, counted: bool = True, **members) -> dict:
    """A play session as a device reports it."""
    return {
        "license": item["license"], "version": item["version"], "session": str(uuid.uuid4()), "sequence": sequence,
        "startedAt": 1_795_000_000, "playSeconds": seconds, "counted": counted, "ended": True} | members


def codes(item: dict) -> list[str]:
    return [reason["code"] for reason in item["reasons"]]
