"""The base class of all loads: a thread that sends requests and records the acknowledged changes."""

import collections
import http.client
import random
import threading
import time
import traceback

from client import Answer, Client
from loaded_site import Site

PAUSE_SECONDS = 0.04
BACK_OFF_SECONDS = 0.2
PATIENCE_SECONDS = 180


class Unanswered(Exception):
    """The request has no usable response, so the change may or may not have happened."""


class SiteClient(Client):
    """A connection to a site's current server. A missing response and a 503 both raise `Unanswered`."""

    def __init__(self, site: Site, counts: collections.Counter):
        super().__init__(site.address)
        self.site, self.address, self.counts, self.kind = site, site.address, counts, "other"

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None) -> Answer:
        if self.address != self.site.address:
            self.close()
            super().__init__(self.site.address)
            self.address = self.site.address
        began = time.monotonic()
        try:
            answer = super().ask(method, path, body, headers)
        except (OSError, http.client.HTTPException) as fault:
            self._expect_fault(began, repr(fault))
            self.counts[self.kind, "unanswered"] += 1
            raise Unanswered from fault
        if answer.status == 503:
            if not answer.headers.get("retry-after"):
                self.site.problem(f"{self.kind}: 503 without Retry-After: {answer}")
            self._expect_fault(began, answer.body.decode(errors="replace"))
            self.counts[self.kind, "unavailable"] += 1
            raise Unanswered
        if answer.status >= 500:
            self.site.problem(f"{self.kind}: {method} {path} got {answer.status}: {answer.body[:500]!r}")
            raise Unanswered
        self.counts[self.kind, "answered"] += 1
        return answer

    def _expect_fault(self, began: float, what: str) -> None:
        if not self.site.disturbed(began, time.monotonic()):
            self.site.problem(f"{self.kind}: unanswered though there was no fault: {what[:300]}")


class Door:
    """Replaces a running server in the driver's classes; its client belongs to one thread."""

    def __init__(self, client: SiteClient):
        self.client = client


class Load:
    """One client thread. A subclass changes records in `step`, and verifies them in `verify`."""

    name = "load"
    pause = PAUSE_SECONDS

    def __init__(self, site: Site, number: int, seed: str):
        self.site, self.number = site, number
        self.chance = random.Random(f"{seed} {site.name} {self.name} {number}")
        self.counts: collections.Counter = collections.Counter()
        self.client = SiteClient(site, self.counts)
        self.lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"{site.name} {self.name} {number}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        if self._thread.is_alive():
            self.site.problem(f"{self.name}: a client hasn't ended")

    def _run(self) -> None:
        while not self.site.is_ending.is_set():
            try:
                with self.lock:
                    self.step()
            except Unanswered:
                time.sleep(BACK_OFF_SECONDS)
            except Exception:
                self.site.problem(f"{self.name}: {traceback.format_exc()}")
                time.sleep(1)
            time.sleep(self.pause * self.chance.uniform(0.5, 1.5))

    def attempt(self, kind: str, act, client: SiteClient | None = None):
        """Sends a request once; raises `Unanswered` without a usable response."""
        (client or self.client).kind = kind
        return act()

    def insist(self, kind: str, act, client: SiteClient | None = None):
        """Repeats a request that takes effect only once, until it gets a response."""
        limit = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.attempt(kind, act, client)
            except Unanswered:
                if time.monotonic() > limit:
                    self.site.problem(f"{kind}: unanswered for {PATIENCE_SECONDS} s")
                    raise
                time.sleep(BACK_OFF_SECONDS)

    def claim(self, holds: bool, what: str) -> None:
        """Records a problem unless the claim holds."""
        if not holds:
            self.site.problem(f"{self.name}: {what}")

    def step(self) -> None:
        raise NotImplementedError

    def verify(self, most: int | None = None) -> int:
        """Verifies all records, or this many of each kind; returns the number of verified facts."""
        raise NotImplementedError

    def sampled(self, records: list, most: int | None) -> list:
        return records if most is None or len(records) <= most else self.chance.sample(records, most)
