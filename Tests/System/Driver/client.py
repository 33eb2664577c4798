"""Sends HTTP requests to a server as an app does."""

import http.client
import json
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

ANSWER_SECONDS = 60
# A server closes connections that are idle for 30 seconds, so an idle connection is replaced well before.
FRESH_SECONDS = 10


@dataclass(frozen=True)
class Answer:
    """A complete HTTP response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    def __getitem__(self, member: str):
        return self.json[member]

    @property
    def codes(self) -> list[str]:
        """The codes of all reasons, in order."""
        return [reason["code"] for reason in self.json["reasons"]]


class Client:
    """One connection, which opens on the first request and is replaced after ten idle seconds."""

    def __init__(self, address: str):
        self.host, self.port = urlsplit(address).hostname, urlsplit(address).port
        self._connection = http.client.HTTPConnection(self.host, self.port, timeout=ANSWER_SECONDS)
        self._used = time.monotonic()

    def connect(self) -> None:
        self._connection.connect()
        self._used = time.monotonic()

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None) -> Answer:
        """Sends one request; raises OSError or HTTPException if no complete response arrives."""
        if time.monotonic() - self._used > FRESH_SECONDS:
            self._connection.close()
        try:
            self._connection.request(method, path, body, headers or {})
            response = self._connection.getresponse()
            return Answer(
                response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        except BaseException:
            self._connection.close()
            raise
        finally:
            self._used = time.monotonic()

    def get(self, path: str, headers: dict | None = None) -> Answer:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, members: dict, headers: dict | None = None) -> Answer:
        """Sends a JSON object."""
        return self.ask(
            "POST", path, json.dumps(members).encode(), {"Content-Type": "application/json"} | (headers or {}))


class App:
    """An app of one product that uses the Keylight dialect."""

    def __init__(self, client: Client, tenant: str, product: str, headers: dict | None = None):
        self._client, self._path, self._headers = client, f"/{tenant}/{product}", headers or {}

    def activate(self, key: str, name: str = "Laptop", headers: dict | None = None, **members) -> Answer:
        return self._post("activate", {"license_key": key, "instance_name": name} | members, headers)

    def validate(self, key: str, instance: str, headers: dict | None = None) -> Answer:
        return self._post("validate", {"license_key": key, "instance_id": instance}, headers)

    def deactivate(self, instance: str, **members) -> Answer:
        return self._post("deactivate", {"instance_id": instance} | members, None)

    def keyless(self, instance: str, state: str) -> Answer:
        return self._post("keyless", {"instance_id": instance, "state": state}, None)

    def config(self) -> Answer:
        return self._client.get(self._path + "/config", self._headers)

    def activated(self, key: str, name: str = "Laptop", **members) -> str:
        """Activates a license, expects success, and returns the instance id."""
        answer = self.activate(key, name, **members)
        assert answer.status == 200, answer
        return answer["instance_id"]

    def _post(self, action: str, members: dict, headers: dict | None) -> Answer:
        return self._client.post(f"{self._path}/{action}", members, self._headers | (headers or {}))
