"""Tests that a job runs at least once, and that a server that lost the job's lease saves no result."""

import itertools
import os
import signal
import sqlite3

import pytest

import catalogs
from database import SharedInstallation
from installation import Installation
from jobs import PATIENCE, WAITS, Jobs
from waiting import eventually

# Every step of a job with two pieces: acquire, deliver, save. `before` and `after` count the store's transactions.
STEPS = ["before 1", "after 1", "delivered 0 1", "before 2", "after 2",
         "before 3", "after 3", "delivered 1 2", "before 4", "after 4"]


@pytest.fixture(params=["sqlite", "postgres"])
def jobs(request, home, database):
    """An installation with one tenant and no job server yet."""
    if request.param == "sqlite":
        installation = Installation(home).moves_time()
        store = str(installation.database)
    else:
        installation = SharedInstallation(home, database, database.new_database(), "jobs").moves_time()
        store = installation.url
        installation.do("init")
    installation.tenant = catalogs.fresh()
    installation.apply(catalogs.catalog(installation.tenant, catalogs.product()))
    jobs = Jobs(installation, store)
    jobs.rows = lambda statement: rows(installation, statement)
    try:
        yield jobs
    finally:
        jobs.discard()


def rows(installation, statement: str) -> list[str]:
    """The rows of a statement, with fields separated by |."""
    if isinstance(installation, SharedInstallation):
        return installation.sql(statement)
    with sqlite3.connect(installation.database) as database:
        return ["|".join(str(field) for field in row) for row in database.execute(statement)]


def notes(jobs) -> dict[str, str]:
    """The attempt in which each piece was saved, by the name of its record."""
    value = "convert_from(value, 'UTF8')" if isinstance(jobs.installation, SharedInstallation) else "CAST(value AS TEXT)"
    found = jobs.rows(f"SELECT name, {value} FROM settings WHERE name LIKE 'relayed.%' ORDER BY name")
    return dict(line.split("|") for line in found)


def events(jobs) -> list[str]:
    return jobs.rows("SELECT kind FROM events WHERE kind LIKE 'job.%' ORDER BY sequence")


def until_done(jobs) -> None:
    eventually(jobs.listed, lambda listed: listed == [], seconds=60)


@pytest.mark.parametrize("step", STEPS)
def test_a_server_killed_during_a_job_causes_at_most_one_repeated_step(jobs, step):
    job = jobs.order(2, jobs.installation.tenant)
    server = jobs.start(stop_at=step)
    assert server.says(step), server.said
    server.kill()
    left = jobs.listed()
    was_taken = step not in ("before 1", "after 2", "before 3", "after 4")
    assert [listed["state"] for listed in left] == ([] if step == "after 4" else ["running" if was_taken else "waiting"])

    # A second server doesn't run the job while the first one holds the job's lease, and takes the job over afterwards.
    other = jobs.start()
    if was_taken:
        jobs.installation.set_clock(PATIENCE // 2)
        jobs.order(1, jobs.installation.tenant)
        assert eventually(jobs.listed, lambda listed: len(listed) == 1) == left
        jobs.installation.set_clock(PATIENCE + 1)
    until_done(jobs)
    other.kill()

    assert sorted(name for name in notes(jobs) if job in name) == [f"relayed.{job}.0", f"relayed.{job}.1"]
    delivered = [delivery for delivery in jobs.delivered() if delivery[0] == job]
    assert {piece for _, piece, _ in delivered} == {0, 1}
    # A piece is delivered twice only if the server was killed between delivering and saving it.
    again = step in ("delivered 0 1", "before 2", "delivered 1 2", "before 4")
    assert len(delivered) == (3 if again else 2)
    # Each attempt has its own number.
    attempts = [attempt for _, _, attempt in delivered]
    assert attempts == sorted(set(attempts))


@pytest.mark.parametrize("step", ["delivered 0 1", "before 2"])
@pytest.mark.parametrize("is_done", [False, True], ids=["under way", "done"])
def test_a_suspended_server_saves_no_result_of_a_job_that_another_server_has_taken_over(jobs, step, is_done):
    job = jobs.order(1, jobs.installation.tenant)
    slow = jobs.start(stop_at=step)
    assert slow.says(step), slow.said
    os.kill(slow.pid, signal.SIGSTOP)
    jobs.installation.set_clock(PATIENCE + 1)
    quick = jobs.start(stop_at="delivered 0 2")
    assert quick.says("delivered 0 2"), quick.said
    if is_done:
        quick.tell("go on")
        until_done(jobs)
    saved = {f"relayed.{job}.0": "2"} if is_done else {}
    assert notes(jobs) == saved
    os.kill(slow.pid, signal.SIGCONT)
    slow.tell("go on")
    assert slow.says("log job_overtaken"), slow.said
    assert notes(jobs) == saved
    if not is_done:
        quick.tell("go on")
        until_done(jobs)
    assert notes(jobs) == {f"relayed.{job}.0": "2"} and jobs.listed() == []
    assert jobs.delivered() == [(job, 0, 1), (job, 0, 2)]
    for server in slow, quick:
        server.kill()


def test_two_servers_run_each_step_of_a_job_once(jobs):
    ordered = [jobs.order(2, jobs.installation.tenant) for _ in range(10)]
    servers = [jobs.start(), jobs.start()]
    until_done(jobs)
    assert sorted((job, piece) for job, piece, _ in jobs.delivered()) == sorted(itertools.product(ordered, (0, 1)))
    assert sorted(notes(jobs)) == sorted(f"relayed.{job}.{piece}" for job in ordered for piece in (0, 1))
    for server in servers:
        server.kill()


def test_a_job_that_keeps_failing_is_retried_at_planned_intervals_and_then_reported_as_failed(jobs):
    jobs.close_outside()
    job = jobs.order(1, jobs.installation.tenant)
    assert jobs.finding()["level"] == "ok"
    server = jobs.start()
    moment = 0
    for failures, wait in enumerate(WAITS, start=1):
        left = eventually(jobs.listed, lambda listed: listed[0]["failures"] == failures)
        assert (left[0]["job"], left[0]["state"]) == (job, "waiting")
        moment += wait + 5
        jobs.installation.set_clock(moment)
    left = eventually(jobs.listed, lambda listed: listed[0]["state"] == "failed")
    assert "nobody takes anything in outside" in left[0]["failure"] and left[0]["tenant"] == jobs.installation.tenant
    assert events(jobs) == ["job.failed"]
    finding = jobs.finding()
    assert finding["level"] == "warning" and "1 failed permanently (test.relay)" in finding["message"]
    assert jobs.installation.do("job", "list", "--state", "failed").out.count("job_") == 1

    jobs.open_outside()
    retried = jobs.installation.do("job", "retry", job, "--json").json
    assert retried["changed"] is True
    until_done(jobs)
    assert jobs.delivered() == [(job, 0, 4)] and events(jobs) == ["job.failed", "job.retried"]
    assert jobs.finding()["level"] == "ok"
    assert jobs.installation.run("job", "retry", job).code == 1
    server.kill()


def test_a_job_fails_permanently_after_three_servers_were_killed_while_running_it(jobs):
    job = jobs.order(1, jobs.installation.tenant)
    moment = 0
    for attempt in (1, 2, 3):
        server = jobs.start(stop_at=f"delivered 0 {attempt}")
        assert server.says(f"delivered 0 {attempt}"), server.said
        server.kill()
        moment += PATIENCE + 1
        jobs.installation.set_clock(moment)
    last = jobs.start()
    left = eventually(jobs.listed, lambda listed: listed[0]["state"] == "failed")
    assert left[0]["attempt"] == 3 and events(jobs) == ["job.failed"]
    assert [attempt for _, _, attempt in jobs.delivered()] == [1, 2, 3]
    last.kill()
