"""The operator's commands, and clients that hang up."""

import json
import socket
from urllib.parse import urlsplit

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from loads import Load, Unanswered
from vendor import Vendor

ENDLESS = 10_000


class Commands(Load):
    """An operator who applies catalogs, and creates and revokes tokens. A failed command may have taken effect."""

    name = "commands"
    pause = 0.5

    def __init__(self, site, number, seed, vendor: Vendor):
        super().__init__(site, number, seed)
        self.tenant = vendor.tenant
        self.tokens: dict[str, str] = {}
        self.revoked: dict[str, str] = {}
        self.doubtful: set[str] = set()
        self.applied: set[str] = set()
        self.turns = 0

    def step(self) -> None:
        self.turns += 1
        act = self.chance.random()
        if act < 0.5:
            self._apply()
        elif act < 0.75 or not self.tokens:
            output = self._command(
                "token create", "token", "create", "--tenant", self.tenant, "--scope", "licenses:read",
                "--name", f"token {self.turns}", "--json")
            self.tokens[output["id"]] = secrecy.keep(output["token"])
        else:
            id = self.chance.choice(list(self.tokens))
            token = self.tokens.pop(id)
            self.doubtful.add(id)
            self._command("token revoke", "token", "revoke", id)
            self.doubtful.remove(id)
            self.revoked[id] = token

    def _command(self, kind: str, *words: str, given: str | None = None) -> dict | None:
        output = self.site.installation.run(*words, given=given)
        self.counts[kind, "answered" if output.code == 0 else "unavailable"] += 1
        if output.code != 0:
            if output.code != 1:
                self.site.problem(f"{kind} ended with {output.code}: {output.err[-1000:]}")
            raise Unanswered
        return json.loads(output.out) if words[-1] == "--json" and kind != "apply" else None

    def _apply(self) -> None:
        holders = [f"applied {self.number} {self.turns} {place}" for place in range(20)]
        listed = catalog(self.tenant, product(
            policies=[policy("many", activationLimit=ENDLESS)],
            licenses=[license(fresh_key(), "many", holder=holder) for holder in holders]))
        self._command("apply", "apply", "-", "--json", given=json.dumps(listed))
        self.applied |= set(holders)

    def verify(self, most: int | None = None) -> int:
        tokens = [(token, 200) for token in self.sampled(list(self.tokens.values()), most)]
        tokens += [(token, 401) for token in self.sampled(list(self.revoked.values()), most)]
        for token, expected in tokens:
            path, headers = f"/v1/{self.tenant}/licenses?limit=1", {"Authorization": f"Bearer {token}"}
            answer = self.insist("verification", lambda: self.client.get(path, headers))
            self.claim(answer.status == expected, f"LOST: a token gets {answer.status}, not {expected}")
        return len(tokens) + (self._verify_all() if most is None else 0)

    def _verify_all(self) -> int:
        """Checks that all applied licenses are in the tenant's list; returns their number."""
        found, after = set(), []
        while page := self.site.installation.do(
                "license", "list", "--tenant", self.tenant, "--json", "--limit", "1000", *after).json["licenses"]:
            found |= {one["holder"] for one in page}
            after = ["--after", page[-1]["id"]]
        self.claim(self.applied <= found, f"LOST: applied licenses {sorted(self.applied - found)[:5]}")
        return len(self.applied)


class HangUps(Load):
    """Clients that leave before, in or after a request. Only complete requests may take effect."""

    name = "hang-ups"
    pause = 0.3

    def __init__(self, site, number, seed, vendor: Vendor, key: str, token: str):
        super().__init__(site, number, seed)
        self.tenant, self.key, self.whole = vendor.tenant, key, 0
        self.headers = {"Authorization": f"Bearer {token}"}
        self.id = site.installation.show(key)["id"]

    def step(self) -> None:
        body = json.dumps({"license_key": self.key, "instance_name": "Leaving"}).encode()
        place = urlsplit(self.site.address)
        request = (
            f"POST /{self.tenant}/notes/activate HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
        sent = len(request) if self.chance.random() < 0.4 else self.chance.randrange(len(request))
        try:
            with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
                self.whole += sent == len(request)
                connection.sendall(request[:sent])
                if self.chance.random() < 0.5:
                    # Close the connection with a TCP reset.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            self.counts["hang-up", "unanswered"] += 1
        except OSError as fault:
            raise Unanswered from fault

    def verify(self, most: int | None = None) -> int:
        if most is not None:
            return 0
        path = f"/v1/{self.tenant}/licenses/{self.id}/activations"
        answer = self.insist("verification", lambda: self.client.get(path, self.headers))
        count = len(answer["activations"])
        self.claim(count <= self.whole, f"{self.whole} requests made {count} activations")
        return count
