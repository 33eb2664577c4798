"""A content server for tests that uses a third-party cryptography library and none of Tenure's code."""

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
DAY = 86_400


def encoded(data: bytes) -> str:
    """Encodes data as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def name(prefix: str, number: int) -> str:
    """A prefix and 13 digits of Crockford's base 32."""
    return prefix + "".join(DIGITS[number >> 5 * place & 31] for place in reversed(range(13)))


class ContentServer:
    """Stores the licenses of one holder on one device in memory; `verdicts` maps a content item to its refusal."""

    def __init__(self, clock, tenant: str = "acme"):
        self.clock, self.tenant = clock, tenant
        self.key = Ed25519PrivateKey.generate()
        self.contents: dict[str, dict] = {}
        self.verdicts: dict[str, tuple[str, str]] = {}
        self.licenses: dict[str, dict] = {}
        self.sessions: dict[tuple[str, str], dict] = {}
        self.requests: list[str] = []
        self.device = ""
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(None)

            def do_POST(self):
                self.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def reply(self, body):
                with server.lock:
                    status, answer = server.answer(self.command, self.path, body)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def now(self) -> int:
        return int(time.time()) + int(self.clock.read_text())

    @property
    def public_key(self) -> str:
        return base64.b64encode(self.key.public_key().public_bytes_raw()).decode()

    def jws(self, type: str, payload: dict) -> str:
        """A compact JWS (RFC 7515, RFC 8037)."""
        parts = [{"alg": "EdDSA", "typ": type, "kid": "k1"}, {"v": 1, "tenant": self.tenant} | payload]
        said = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        return f"{said}.{encoded(self.key.sign(said.encode()))}"

    def answer(self, method: str, path: str, body: dict | None) -> tuple[int, dict]:
        url = urlsplit(path)
        place = url.path.removeprefix(f"/content/{self.tenant}/v1/")
        self.requests.append(place)
        match method, place.split("/"):
            case "GET", ["time"]:
                nonce = parse_qs(url.query)["nonce"][0]
                return 200, {"time": self.jws("tenure-time+jwt", {"nonce": nonce, "issuedAt": self.now})}
            case "GET", ["contents"]:
                listed = [
                    {"content": content, "title": content.title(), "course": None, "enrolment": name("enr_", 1),
                     "license": None, "reasons": []} for content in self.contents]
                return 200, {"contents": listed, "cursor": None}
            case "POST", ["licenses"]:
                return self.issue(body)
            case "POST", ["renewals"]:
                settled = self.settle(body.get("usage", []))
                items = [self.renew(item, body) for item in body["items"]]
                return 200, {"items": items, "settled": settled, "refused": [], "serverTime": self.now}
            case "POST", ["usage"]:
                return 200, {"settled": self.settle(body["usage"]), "refused": []}
        return 404, {"code": "not_found", "reasons": [{"code": "not_found", "message": "There is no such place."}]}

    def issue(self, body: dict) -> tuple[int, dict]:
        content = body["content"]
        if content not in self.contents:
            reason = {"code": "enrolment_unknown", "message": "No enrolment covers this content.", "cure": "Enrol."}
            return 403, {"code": "enrolment_unknown", "reasons": [reason]}
        license = name("clc_", 100 + len(self.licenses))
        self.licenses[license] = {"content": content, "version": 0}
        return 200, self.given(license, body["requestId"])

    def settle(self, usage: list[dict]) -> list[dict]:
        highest: dict[str, int] = {}
        for session in usage:
            key = (session["license"], session["session"])
            known = self.sessions.get(key, session)
            assert session["playSeconds"] >= known["playSeconds"], "what was used only grows"
            self.sessions[key] = session
            highest[session["license"]] = max(highest.get(session["license"], 0), session["sequence"])
        return [{"license": license, "sequence": sequence} for license, sequence in highest.items()]

    def renew(self, item: dict, body: dict) -> dict:
        license = self.licenses.get(item["license"])
        if license is None:
            reason = {"code": "content_license_unknown", "message": "There is no such license."}
            return {"license": item["license"], "outcome": "invalid", "reasons": [reason], "used": None}
        if verdict := self.verdicts.get(license["content"]):
            return self.refused(item["license"], license, body["requestId"], *verdict)
        return self.given(item["license"], body["requestId"])

    def refused(self, id: str, license: dict, request: str, outcome: str, code: str) -> dict:
        reason = {"code": code, "message": f"No: {code}.", "cure": None, "changesAt": None}
        answer = {
            "license": id, "content": license["content"], "version": license["version"], "outcome": outcome,
            "reasons": [reason], "used": None}
        if outcome == "terminal":
            payload = {
                "license": id, "content": license["content"], "device": self.device, "requestId": request,
                "version": license["version"], "issuedAt": self.now, "act": "lock", "reasons": [reason]}
            answer["refusal"] = self.jws("tenure-content-refusal+jwt", payload)
        return answer

    def given(self, id: str, request: str) -> dict:
        license = self.licenses[id]
        license["version"] += 1
        settled = max([session["sequence"] for (owner, _), session in self.sessions.items() if owner == id], default=0)
        terms = {
            "notBefore": None, "expiresAt": None, "windowAfterFirstPlay": None, "plays": None, "playSeconds": None,
            "playTimeBasis": "media", "countAfterSeconds": 0, "resumeWithinSeconds": 0, "checkInBy": None,
            "onlineRequired": False, "askBeforeRenew": False, "renewFrom": None, "renewUntil": None, "graceSeconds": 0,
            "whenOver": "finish", "ledger": "reset"} | self.contents[license["content"]]
        if days := terms.pop("days", None):
            terms |= {"expiresAt": self.now + days * DAY, "renewFrom": self.now + (days - 1) * DAY}
        grant = {
            "license": id, "enrolment": name("enr_", 1), "content": license["content"], "device": self.device,
            "requestId": request, "version": license["version"], "issuedAt": self.now} | terms | {"settled": settled}
        return {
            "license": id, "content": license["content"], "version": license["version"], "outcome": "renewed",
            "grant": self.jws("tenure-grant+jwt", grant), "reasons": [], "used": {"plays": 0, "playSeconds": 0}}
