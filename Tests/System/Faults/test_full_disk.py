"""Tests a server whose disk is full."""

import errno
import json
import os
import re
import subprocess
from urllib.parse import urlencode

import jwt
import pytest
from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation
from school import School
from vendor import Vendor
from waiting import eventually

KEY = "tenure-kollus-test-security-key!"
SIZE = "4m"
MOST = 20_000


@pytest.fixture
def small_disk(home):
    """A folder on its own small file system."""
    folder = home / "disk"
    folder.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "tenure-test", str(folder)],
        capture_output=True).returncode == 0
    if not mounted:
        pytest.skip("a small disk can be mounted only by root, where the system lets it")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder):
    """Fills the file system to the last byte."""
    filler = folder / "filler"
    with open(filler, "ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError as fault:
                assert fault.errno == errno.ENOSPC
    return filler


def test_on_a_full_disk_changes_are_refused_and_no_acknowledged_one_is_lost(home, small_disk):
    key = fresh_key()
    installation = Installation(home, small_disk / "data")
    many = policy(activationLimit=10_000)
    installation.apply(catalog("acme", product(policies=[many], licenses=[license(key)])))
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        acknowledged = {app.activated(key, f"Device {number}") for number in range(20)}
        filler = fill(small_disk)
        for number in range(MOST):
            answer = app.activate(key, f"Full {number}")
            if answer.status != 200:
                break
            acknowledged.add(answer["instance_id"])

        def is_full(answer) -> bool:
            """Whether the response asks the client to retry later, which Tenure's own clients then do."""
            return answer.status == 503 and int(answer.headers["retry-after"]) > 0 and answer["code"] == "try_again"

        assert is_full(answer), answer
        assert "lease" not in answer.json and "No space" not in answer["error"]
        for instance in list(acknowledged)[:20]:
            assert app.validate(key, instance).status == 200
            assert is_full(app.deactivate(instance))
        assert is_full(app.activate(key, "Still full"))
        for path in ("/metrics", "/health", "/acme/notes/config", "/acme/.well-known/keylight-keys"):
            assert server.client.get(path).status == 200
        assert server.says("store_full"), server.said
        ready = server.client.get("/ready")
        assert (ready.status, ready.json["code"]) == (503, "store_full")
        assert "tenure_store_full 1" in server.client.get("/metrics").body.decode()
        doctor = installation.run("doctor")
        assert doctor.code == 1 and "FAILURE  disk" in doctor.out

        filler.unlink()
        acknowledged.add(app.activated(key, "Room again"))
        assert acknowledged == set(installation.places(key))
        assert len(acknowledged) == len(installation.show(key)["activations"])

    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert all(app.validate(key, instance).status == 200 for instance in acknowledged)
    installation.do("doctor")


def test_the_readiness_check_fails_on_a_full_disk_and_succeeds_again_once_space_is_free(
        home, small_disk):
    installation = Installation(home, small_disk / "data")
    installation.apply(catalog("acme"))
    with installation.serving() as server:
        assert server.client.get("/ready").status == 200
        filler = fill(small_disk)
        # At first, the server's probe may still fit into the space that the WAL already has.
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 503, seconds=120)
        filler.unlink()
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200)


def test_a_completed_download_is_acknowledged_while_the_disk_is_full_and_recorded_when_space_is_free(home, small_disk):
    installation = Installation(home, small_disk / "data")
    installation.apply(catalog("acme"))
    with installation.serving() as server:
        school = School(Vendor(installation, server), kollus={"securityKey": KEY, "customKey": "custom"})
        path = installation.do("content", "callback", "--tenant", school.vendor.tenant, "--json").json["path"]

        def told(kind: int, number: int) -> dict:
            item = {"kind": kind, "media_content_key": "mck-1", "client_user_id": f"learner-{number}",
                    "player_id": f"p{number}"}
            answer = server.client.ask("POST", path, urlencode({"items": json.dumps([item])}).encode(), {
                "Content-Type": "application/x-www-form-urlencoded"})
            assert answer.status == 200, answer
            return jwt.decode(answer.body.decode(), KEY, algorithms=["HS256"])["data"][0]

        learners = range(12)
        for number in learners:
            school.enrol(f"learner-{number}")
            assert told(1, number)["result"] == 1
        filler = fill(small_disk)
        assert [told(2, number)["result"] for number in learners] == [1] * len(learners)
        metrics = server.client.get("/metrics").body.decode()
        assert int(re.search(r"\ntenure_kollus_completions_waiting (\d+)", metrics)[1]) > 0
        lost = re.search(r"\ntenure_kollus_completions_lost_total (\d+)", metrics)
        assert int(lost[1]) > 0, "it is told what a kill would cost"
        filler.unlink()

        def completed() -> int:
            licenses = school.ask("GET", "/licenses?limit=1000")["licenses"]
            return sum(one["downloadedAt"] is not None for one in licenses)

        eventually(completed, lambda count: count == len(learners))


def test_a_command_on_a_full_disk_fails_with_an_error_about_the_disk(home, small_disk):
    key = fresh_key()
    installation = Installation(home, small_disk / "data")
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    filler = fill(small_disk)

    output = installation.run("license", "revoke", key)
    assert output.code == 1 and "disk" in output.err.lower() and "Fatal" not in output.err
    assert installation.run("backup", str(small_disk / "copy.sqlite")).code == 1
    assert not (small_disk / "copy.sqlite").exists()
    filler.unlink()
    installation.do("license", "revoke", key)
    assert installation.show(key)["state"] == "revoked"
    assert [path.name for path in small_disk.iterdir()] == ["data"]


def test_a_license_issue_command_that_failed_on_a_full_disk_can_be_repeated_unchanged(home, small_disk):
    installation, out = Installation(home), small_disk / "keys.csv"
    installation.apply(catalog("acme", product()))
    words = ("license", "issue", "--tenant", "acme", "--product", "notes", "--policy", "pro", "--count", "2", "--out")
    filler = fill(small_disk)
    for marked in ((), ("--bom",)):
        output = installation.run(*words, str(out), *marked)
        assert output.code == 1 and "disk" in output.err.lower() and not out.exists(), output
    filler.unlink()
    installation.do(*words, str(out))
    assert len(out.read_text().splitlines()) == 3
