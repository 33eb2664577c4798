"""Licenses: issued, activated, validated, released, renewed, suspended and revoked; leases and trials."""

import hashlib
import uuid
from dataclasses import dataclass, field
from datetime import datetime

import secrecy
from client import App
from loads import Load
from tenure_app import TenureApp, pinned
from vendor import Vendor

DAY = 86_400
LIMIT = 5
ALIVE = 40
DEVICES = 400


@dataclass
class Life:
    """A license with its possible states, and its activations as the server acknowledged them."""

    id: str
    key: str
    end: int
    states: set[str] = field(default_factory=lambda: {"issued"})
    held: set[str] = field(default_factory=set)
    released: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    maybe_activated: int = 0

    @property
    def may_be_full(self) -> bool:
        """Whether all activations may be in use, or all device changes of these 30 days."""
        taken = len(self.held) + len(self.doubtful) + self.maybe_activated
        return taken >= LIMIT or taken + len(self.released) >= 2 * LIMIT


def seconds(date: str) -> int:
    return int(datetime.fromisoformat(date).timestamp())


class Licenses(Load):
    """A shop that issues licenses, and devices that use them over the Keylight dialect."""

    name = "licenses"

    def __init__(self, site, number, seed, vendor: Vendor, token: str):
        super().__init__(site, number, seed)
        self.tenant, self.app = vendor.tenant, App(self.client, vendor.tenant, "notes")
        self.headers = {"Authorization": f"Bearer {token}"}
        self.lives: list[Life] = []

    def post(self, path: str, body: dict) -> dict:
        """Sends a request of the shop, with the same idempotency key until it gets a response."""
        headers = self.headers | {"Idempotency-Key": uuid.UUID(int=self.chance.getrandbits(128)).hex}
        kind = "license " + (path.rsplit("/", 1)[1] if "/" in path else "issue")
        answer = self.insist(kind, lambda: self.client.post(f"/v1/{self.tenant}/{path}", body, headers))
        assert answer.status in (200, 201), (path, answer)
        return answer.json

    def step(self) -> None:
        alive = [life for life in self.lives[-ALIVE:] if "revoked" not in life.states]
        if len(alive) < 5 or self.chance.random() < 0.06:
            made, = self.post("licenses", {"product": "notes", "policy": "pro", "holder": f"holder {self.number}"})[
                "licenses"]
            self.lives.append(Life(made["id"], secrecy.keep(made["licenseKey"]), seconds(made["expiresAt"])))
            return
        life = self.chance.choice(alive)
        acts = [self._activate] * 4 + [self._validate] * 6 + [self._release] * 2 + [self._renew, self._stop]
        self.chance.choice(acts)(life)

    def _activate(self, life: Life) -> None:
        life.maybe_activated += 1
        if life.states == {"issued"}:
            life.states = {"issued", "active"}
        answer = self.attempt("activation", lambda: self.app.activate(life.key, "Laptop"))
        life.maybe_activated -= 1
        if answer.status == 200:
            life.held.add(answer["instance_id"])
            life.states = {"active"}
        elif answer["code"] == "activation_limit_reached":
            self.claim(life.may_be_full, f"{life} is full: {answer}")
        else:
            self.claim(answer["code"] == "license_suspended" and "suspended" in life.states, f"{life}: {answer}")

    def _validate(self, life: Life) -> None:
        if life.held:
            self._see(life, self.chance.choice(sorted(life.held)), "validation")

    def _see(self, life: Life, instance: str, kind: str) -> None:
        """Validates an activation that must be active."""
        answer = self.attempt(kind, lambda: self.app.validate(life.key, instance))
        if answer.status == 200:
            self.claim(life.states <= {"active"}, f"{life} is valid")
            self.claim(answer["lease"]["instanceId"] == instance, f"another lease: {answer}")
        else:
            expected = {f"license_{state}" for state in life.states}
            self.claim(answer["code"] in expected, f"LOST: {instance} of {life} is not valid: {answer}")

    def _release(self, life: Life) -> None:
        if not life.held or life.states != {"active"}:
            return
        instance = self.chance.choice(sorted(life.held))
        life.held.remove(instance)
        life.doubtful.add(instance)
        answer = self.attempt("deactivation", lambda: self.app.deactivate(instance))
        self.claim(answer.status == 200, f"deactivate {instance}: {answer}")
        life.doubtful.remove(instance)
        life.released.add(instance)

    def _renew(self, life: Life) -> None:
        if life.states & {"suspended"}:
            return
        made = self.post(f"licenses/{life.id}/renew", {"days": 30})
        life.end += 30 * DAY
        self.claim(seconds(made["expiresAt"]) == life.end, f"renewed to {made['expiresAt']}, not {life.end}")

    def _stop(self, life: Life) -> None:
        """Suspends and reinstates a license, or revokes it."""
        if self.chance.random() < 0.3:
            self.post(f"licenses/{life.id}/revoke", {})
            life.states = {"revoked"}
        elif life.states == {"suspended"}:
            self.post(f"licenses/{life.id}/reinstate", {})
            life.states = {"active"}
        elif life.states == {"active"}:
            self.post(f"licenses/{life.id}/suspend", {})
            life.states = {"suspended"}

    def verify(self, most: int | None = None) -> int:
        facts = 0
        for life in self.sampled(self.lives, most):
            path = f"/v1/{self.tenant}/licenses/{life.id}"
            shown = self.insist("verification", lambda: self.client.get(path, self.headers))
            if shown.status != 200:
                self.claim(False, f"LOST: {life}: {shown}")
                continue
            self.claim(shown["state"] in life.states, f"LOST: {life} is {shown['state']}")
            self.claim(seconds(shown["expiresAt"]) == life.end, f"LOST: {life} ends {shown['expiresAt']}")
            listed = self.insist(
                "verification", lambda: self.client.get(path + "/activations?released=true", self.headers))
            ended = sum(1 for one in listed["activations"] if one["releasedAt"])
            count, known = len(listed["activations"]), len(life.held) + len(life.released) + len(life.doubtful)
            self.claim(
                known <= count <= known + life.maybe_activated, f"LOST: {life} has {count} activations, not {known}")
            self.claim(
                0 <= ended - len(life.released) <= len(life.doubtful), f"LOST: {life} has {ended} released activations")
            for instance in sorted(life.held):
                self.insist("verification", lambda: self._see(life, instance, "verification"))
            for instance in sorted(life.released):
                answer = self.insist("verification", lambda: self.app.validate(life.key, instance))
                self.claim(
                    answer["code"] in {"activation_released"} | {f"license_{state}" for state in life.states},
                    f"LOST: {instance} of {life} is not released: {answer}")
            facts += 2 + count
        return facts


class Leases(Load):
    """Devices that use the Tenure dialect, verify every statement, and come back after a while.

    The server counts the activations of each device for an hour, so new devices without end would look like a leak.
    """

    name = "leases"

    def __init__(self, site, number, seed, vendor: Vendor, keys: list[str]):
        super().__init__(site, number, seed)
        self.tenant, self.keys, self.trusted = vendor.tenant, keys, pinned(vendor)
        self.devices = 0
        self.held: dict[str, tuple[TenureApp, str]] = {}
        self.released: dict[str, tuple[TenureApp, str]] = {}
        self.trials: list[tuple[TenureApp, int]] = []

    def _device(self) -> TenureApp:
        self.devices += 1
        number = self.devices % DEVICES
        digest = hashlib.sha256(f"{self.site.name} {self.number} {number}".encode()).hexdigest()
        return TenureApp(self.client, self.tenant, digest, self.trusted)

    def step(self) -> None:
        act = self.chance.random()
        if act < 0.1:
            device = self._device()
            answer, trial, _ = self.insist("trial", lambda: device.ask("trial", "trial"))
            self.claim(answer.status == 200, f"trial: {answer}")
            self.trials.append((device, trial["start"]))
        elif act < 0.35 or not self.held:
            # The same device gets the same activation, so the request may be repeated.
            device, key = self._device(), self.chance.choice(self.keys)
            answer, lease, _ = self.insist("lease", lambda: device.ask("activate", "lease", key, name="Laptop"))
            self.claim(answer.status == 200, f"lease: {answer}")
            self.released.pop(lease["activation"], None)
            self.held[lease["activation"]] = (device, key)
        elif act < 0.85:
            activation = self.chance.choice(list(self.held))
            self._renewed(activation, "lease renewal")
        else:
            activation = self.chance.choice(list(self.held))
            device, key = self.held.pop(activation)
            # A repeated release is refused if the first one was stored; either response confirms the release.
            answer, _, _ = self.insist(
                "lease release", lambda: device.ask("release", "release", key, activation=activation))
            self.claim(
                answer.status == 200 or answer.codes == ["activation_released"], f"release {activation}: {answer}")
            self.released[activation] = (device, key)

    def _renewed(self, activation: str, kind: str) -> None:
        device, key = self.held[activation]
        answer, lease, _ = self.insist(kind, lambda: device.ask("renew", "lease", key, activation=activation))
        self.claim(
            answer.status == 200 and lease["activation"] == activation, f"LOST: the lease of {activation}: {answer}")

    def verify(self, most: int | None = None) -> int:
        held, released = self.sampled(list(self.held), most), self.sampled(list(self.released), most)
        for activation in held:
            self._renewed(activation, "verification")
        for activation in released:
            device, key = self.released[activation]
            answer, _, _ = self.insist("verification", lambda: device.ask("renew", "lease", key, activation=activation))
            self.claim(
                answer.status != 200 and answer.codes == ["activation_released"],
                f"LOST: the release of {activation}: {answer}")
        trials = self.sampled(self.trials, most)
        for device, start in trials:
            _, trial, _ = self.insist("verification", lambda: device.ask("trial", "trial"))
            self.claim(trial.get("start") == start, f"LOST: a trial that began at {start}: {trial}")
        return len(held) + len(released) + len(trials)
