"""Kills a server under write load fifty times; every acknowledged change must survive."""

import http.client
import json
import random
import signal
import subprocess
import threading
from dataclasses import dataclass, field

import secrecy
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation, Running

KILLS = 50
WRITERS = 4
REVOKED_EACH_ROUND = 6
APPLIED_EACH_ROUND = 400


@dataclass
class Acknowledged:
    """The changes acknowledged in one round, and the number of changes after which the server is killed."""

    target: int
    taken: set[str] = field(default_factory=set)
    released: set[str] = field(default_factory=set)
    revoked: set[str] = field(default_factory=set)
    applied: set[str] = field(default_factory=set)
    count: int = 0
    lock: threading.Condition = field(default_factory=threading.Condition)

    def note(self, kind: set[str], what: str) -> None:
        with self.lock:
            kind.add(what)
            self.count += 1
            self.lock.notify_all()

    def wait_for_target(self) -> None:
        with self.lock:
            assert self.lock.wait_for(lambda: self.count >= self.target, timeout=60), self.count


class Round:
    """One round: several threads and commands write, then the server and all commands are killed at once."""

    def __init__(self, installation: Installation, server: Running, number: int, chance: random.Random):
        self.installation, self.server, self.number = installation, server, number
        self.busy, self.revocable = [fresh_key() for _ in range(WRITERS)], [
            fresh_key() for _ in range(REVOKED_EACH_ROUND)]
        self.promised = Acknowledged(target=chance.choice([1, 5, 20, 60, 120, 200]) + chance.randrange(20))
        self.children: list[subprocess.Popen] = []
        self.faults: list[str] = []
        self.is_over = threading.Event()
        many = policy("many", activationLimit=10_000)
        installation.apply(catalog("acme", product(policies=[many], licenses=[
            license(key, "many") for key in self.busy + self.revocable])))

    def run(self) -> Acknowledged:
        threads = [threading.Thread(target=self._noting_faults, args=(work, *arguments)) for work, *arguments in [
            *((self._use_seats, key) for key in self.busy), (self._revoke,), (self._apply,)]]
        for thread in threads:
            thread.start()
        self.promised.wait_for_target()
        self.is_over.set()
        self.server.send(signal.SIGKILL)
        for child in list(self.children):
            child.kill()
        for thread in threads:
            thread.join()
        self.server.kill()
        assert self.faults == []
        return self.promised

    def _noting_faults(self, work, *arguments) -> None:
        try:
            work(*arguments)
        except Exception as fault:
            self.faults.append(f"{work.__name__}: {fault!r}")

    def _use_seats(self, key: str) -> None:
        client = self.server.new_client()
        app, number = App(client, "acme", "notes"), 0
        try:
            while True:
                number += 1
                instance = app.activated(key, f"Device {number}")
                self.promised.note(self.promised.taken, instance)
                if number % 3 == 0:
                    assert app.deactivate(instance).status == 200
                    self.promised.note(self.promised.released, instance)
        except (OSError, http.client.HTTPException):
            assert self.is_over.is_set(), "the server went away by itself"

    def _start(self, *words: str, **streams) -> subprocess.Popen:
        child = subprocess.Popen(
            self.installation.words(*words), cwd=self.installation.home, env=self.installation.environment,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **streams)
        self.children.append(child)
        if self.is_over.is_set():
            child.kill()
        return child

    def _revoke(self) -> None:
        for key in self.revocable:
            child = self._start("license", "revoke", key, stdin=subprocess.DEVNULL)
            _, said = child.communicate()
            secrecy.heard(said)
            if child.returncode == 0:
                self.promised.note(self.promised.revoked, key)
            if self.is_over.is_set():
                return
            assert child.returncode == 0, said

    def _apply(self) -> None:
        """Each line that `apply` prints acknowledges a license; holders identify the licenses in the file's order."""
        part = 0
        while not self.is_over.is_set():
            part += 1
            holders = [f"round {self.number} part {part} license {index}" for index in range(APPLIED_EACH_ROUND)]
            listed = catalog("acme", product(policies=[policy("many", activationLimit=10_000)], licenses=[
                license(fresh_key(), "many", holder=holder) for holder in holders]))
            child = self._start("apply", "-", "--json", stdin=subprocess.PIPE)
            try:
                child.stdin.write(json.dumps(listed))
                child.stdin.close()
            except BrokenPipeError:
                assert self.is_over.is_set()
            whole_lines = (line for line in child.stdout if line.endswith("\n"))
            made = (line for line in whole_lines if json.loads(line)["kind"] == "license")
            for holder, _ in zip(holders, made):
                self.promised.note(self.promised.applied, holder)
            said = child.stderr.read()
            secrecy.heard(said)
            child.wait()
            child.stdout.close()
            child.stderr.close()
            assert child.returncode == 0 or self.is_over.is_set(), said


def all_licenses(installation: Installation) -> list[dict]:
    found, after = [], []
    while page := installation.do("license", "list", "--json", "--limit", "1000", *after).json["licenses"]:
        found += page
        after = ["--after", page[-1]["id"]]
    return found


def check(installation: Installation, a_round: Round, promised: Acknowledged) -> None:
    """Checks that every acknowledged change is in the store after the crash."""
    seats = {}
    for key in a_round.busy:
        listed = installation.do("activation", "list", key, "--all", "--json").json["activations"]
        stored = installation.places(key)
        assert sum(1 for seat in listed if seat["releasedAt"]) == sum(1 for released in stored.values() if released)
        assert len({seat["id"] for seat in listed}) == len(stored)
        seats |= stored
    assert promised.taken <= set(seats)
    assert promised.released <= {id for id, released in seats.items() if released}
    # Each writer may have one stored change for which it received no response.
    assert len(seats) - len(promised.taken) <= WRITERS
    assert sum(1 for released in seats.values() if released) - len(promised.released) <= WRITERS
    for key in promised.revoked:
        shown = installation.show(key)
        assert shown["state"] == "revoked"
        assert [event["kind"] for event in shown["events"]] == ["license.issued", "license.revoked"]


def test_acknowledged_changes_survive_fifty_kills_of_the_server(installation):
    chance = random.Random(20_261_121)
    applied, kinds = set(), {"taken": 0, "released": 0, "revoked": 0, "applied": 0}
    for number in range(KILLS):
        server = installation.start()
        try:
            a_round = Round(installation, server, number, chance)
            promised = a_round.run()
        finally:
            server.discard()
        check(installation, a_round, promised)
        applied |= promised.applied
        for kind in kinds:
            kinds[kind] += len(getattr(promised, kind))

    listed = all_licenses(installation)
    assert applied <= {one["holder"] for one in listed}
    assert all(count > 0 for count in kinds.values()), kinds
    assert installation.do("doctor").code == 0
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert {app.activate(key).status for key in promised.revoked} <= {404}
        seat = sorted(promised.taken - promised.released)[:1]
        for key in a_round.busy:
            for instance in set(seat) & set(installation.places(key)):
                assert app.validate(key, instance).status == 200


def test_killing_key_rotations_leaves_a_consistent_store_and_leases_signed_with_the_primary_signing_key(installation):
    """After a killed key rotation, either the old or the new key is primary."""
    key = fresh_key()
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key)
        for _ in range(10):
            child = subprocess.Popen(
                installation.words("key", "rotate", "--tenant", "acme"), cwd=installation.home,
                env=installation.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            child.stdout.read(1)
            child.kill()
            child.wait()
            child.stdout.close()
            keyset = server.client.get("/acme/.well-known/keylight-keys").json
            lease = app.validate(key, instance)["lease"]
            assert lease["kid"] == keyset["primary_kid"]
            assert lease["kid"] in {one["kid"] for one in keyset["keys"]}
    installation.do("doctor")
