"""Offline content: enrolments, licenses on devices, renewals and reported plays."""

import copy
from dataclasses import dataclass, field

from loads import Door, Load
from school import School, Tablet, played, request_id

LESSONS = ("mck-1", "mck-2", "mck-3")
LEARNERS = 30
# The server counts the plays of each learner and license for a month, so many new ones would look like a leak.
NEW_LEARNER = 0.01


@dataclass
class Held:
    """A content license on a device, with the plays of its current version that the server acknowledged."""

    tablet: Tablet
    license: str
    version: int
    plays: int = 0
    seconds: int = 0
    sequence: int = 0
    is_revoked: bool = False

    @property
    def named(self) -> dict:
        return {"license": self.license, "version": self.version}


@dataclass
class Learner:
    """A holder with an enrolment and a device."""

    name: str
    enrolment: dict
    tablet: Tablet
    state: str = "open"
    held: dict[str, Held] = field(default_factory=dict)


class Contents(Load):
    """Learners and their school. Every request has an id, so it can be repeated until it gets a response."""

    name = "contents"

    def __init__(self, site, number, seed, school: School):
        super().__init__(site, number, seed)
        self.school = copy.copy(school)
        self.school.vendor = copy.copy(school.vendor)
        self.school.vendor.server = Door(self.client)
        self.learners: list[Learner] = []

    def step(self) -> None:
        if not self.learners or self.chance.random() < NEW_LEARNER:
            self._enrol()
            return
        learner = self.chance.choice(self.learners[-LEARNERS:])
        if learner.state == "paused" or self.chance.random() < 0.03:
            verb, state = ("resume", "open") if learner.state == "paused" else ("pause", "paused")
            path, key = f"/enrolments/{learner.enrolment['id']}/{verb}", {"Idempotency-Key": request_id()}
            answer = self.insist(f"enrolment {verb}", lambda: self.school.ask("POST", path, {}, headers=key))
            self.claim(answer.status == 200, f"enrolment {verb}: {answer}")
            learner.state = state
            return
        lesson = self.chance.choice(LESSONS)
        held = learner.held.get(lesson)
        if held is None:
            self._license(learner, lesson)
        elif held.is_revoked:
            self._renew(held)
        else:
            self.chance.choice([self._report] * 6 + [self._renew] * 3 + [self._revoke])(held)

    def _enrol(self) -> None:
        name = f"learner-{self.number}-{len(self.learners)}"
        answer = self.insist("enrolment", lambda: self.school.ask(
            "POST", "/enrolments", {"holder": name, "course": "algebra"}, headers={"Idempotency-Key": f"enrol-{name}"}))
        self.claim(answer.status == 201, f"enrolment: {answer}")
        tablet = self.insist("holder token", lambda: self.school.tablet(name))
        self.learners.append(Learner(name, answer["enrolment"], tablet))

    def _license(self, learner: Learner, lesson: str) -> None:
        request = request_id()
        answer = self.insist("content license", lambda: learner.tablet.get(lesson, request))
        self.claim(answer.status == 200, f"content license: {answer}")
        learner.held[lesson] = Held(learner.tablet, answer["license"], answer["version"])

    def _report(self, held: Held) -> None:
        held.sequence += 1
        seconds = self.chance.randrange(1, 200)
        play, request = played(held.named, seconds, sequence=held.sequence), request_id()
        answer = self.insist("play report", lambda: held.tablet.ask(
            "POST", "/usage", {"requestId": request, "usage": [play]}))
        self.claim(answer.status == 200 and not answer["refused"], f"play report: {answer}")
        held.plays += 1
        held.seconds += seconds
        used = answer["settled"][0]["used"]
        self.claim(used == {"plays": held.plays, "playSeconds": held.seconds}, f"LOST: plays of {held}: {used}")

    def _renew(self, held: Held) -> None:
        request = request_id()
        answer = self.insist("content renewal", lambda: held.tablet.renew(held.named, request=request))
        self.claim(answer.status == 200, f"content renewal: {answer}")
        item = answer["items"][0]
        if held.is_revoked:
            self.claim(item["outcome"] == "terminal", f"LOST: the revocation of {held}: {item}")
            return
        self.claim(
            item["outcome"] == "renewed" and item["version"] == held.version + 1, f"LOST: {held} was renewed to {item}")
        held.version, held.plays, held.seconds = item["version"], 0, 0

    def _revoke(self, held: Held) -> None:
        if self.chance.random() > 0.3:
            return
        answer = self.insist("content revocation", lambda: self.school.stop(held.license, "revoke", reason="fraud"))
        self.claim(answer.status == 200, f"content revocation: {answer}")
        held.is_revoked = True

    def verify(self, most: int | None = None) -> int:
        facts = 0
        for learner in self.sampled(self.learners, most):
            shown = self.insist("verification", lambda: self.school.enrolment(learner.enrolment))
            self.claim(
                shown["state"] == learner.state, f"LOST: {learner.name} is {shown['state']}, not {learner.state}")
            for held in learner.held.values():
                kept = self.insist("verification", lambda: self.school.license(held.license))
                used = {"plays": held.plays, "playSeconds": held.seconds}
                self.claim(
                    kept["version"] == held.version and kept["used"] == used and
                    (kept["state"] == "revoked") == held.is_revoked, f"LOST: {held} is {kept}")
                facts += 1
            facts += 1
        return facts
