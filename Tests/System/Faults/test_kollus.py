"""Tests that a completed download is accepted and recorded even if the store doesn't respond."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import jwt
from client import Client
from school import School
from vendor import Vendor
from waiting import eventually

KEY = "tenure-kollus-test-security-key!"


def complete(server, path: str, number: int) -> dict:
    client = Client(server.address)
    item = {"kind": 2, "media_content_key": "mck-1", "client_user_id": f"learner-{number}", "player_id": f"p{number}"}
    body = urlencode({"items": json.dumps([item])}).encode()
    try:
        answer = client.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})
    finally:
        client.close()
    assert answer.status == 200, answer
    return jwt.decode(answer.body.decode(), KEY, algorithms=["HS256"])["data"][0]


def test_completed_downloads_are_recorded_once_although_the_store_was_locked_and_the_server_killed(installation):
    with installation.serving() as server:
        school = School(Vendor(installation, server), kollus={"securityKey": KEY, "customKey": "custom"})
        tenant = school.vendor.tenant
        path = installation.do("content", "callback", "--tenant", tenant, "--json").json["path"]
        for number in range(200):
            school.enrol(f"learner-{number}")
        for number in range(200):
            item = {"kind": 1, "media_content_key": "mck-1", "client_user_id": f"learner-{number}",
                    "player_id": f"p{number}"}
            body = urlencode({"items": json.dumps([item])}).encode()
            server.client.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})
        locked = sqlite3.connect(installation.database, isolation_level=None)
        locked.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda number: complete(server, path, number), range(100)))
        assert all((one["result"], one["content_delete"]) == (1, 0) for one in told)
        server.kill()
        locked.rollback()

    with installation.serving() as server:
        locked.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda number: complete(server, path, number), range(80, 200)))
        assert all(one["result"] == 1 for one in told)
        locked.rollback()
        locked.close()
        school.vendor.server = server

        def downloaded() -> int:
            return sum(one["downloadedAt"] is not None for one in school.ask("GET", "/licenses?limit=1000")["licenses"])

        eventually(downloaded, lambda count: count == 200)
        events = server.client.get(
            f"/v1/{tenant}/events?limit=1000", {"Authorization": f"Bearer {school.token}"})["events"]
        assert sum(one["kind"] == "content.downloaded" for one in events) == 200, "each is entered once"


def test_completing_a_revoked_download_succeeds_while_the_store_is_locked_and_is_refused_afterwards(installation):
    with installation.serving() as server:
        school = School(Vendor(installation, server), kollus={"securityKey": KEY, "customKey": "custom"})
        path = installation.do("content", "callback", "--tenant", school.vendor.tenant, "--json").json["path"]
        school.enrol("learner-1")
        item = {"kind": 1, "media_content_key": "mck-1", "client_user_id": "learner-1", "player_id": "p1"}
        body = urlencode({"items": json.dumps([item])}).encode()
        server.client.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})
        [license] = school.ask("GET", "/licenses")["licenses"]
        school.stop(license["id"], "revoke")
        assert complete(server, path, 1)["result"] == 0, "the store knows that it was revoked"
        locked = sqlite3.connect(installation.database, isolation_level=None)
        locked.execute("BEGIN IMMEDIATE")
        assert complete(server, path, 1)["result"] == 1, "without the store a completion is a yes"
        locked.rollback()
        locked.close()
        eventually(lambda: complete(server, path, 1)["result"], lambda result: result == 0, seconds=5)
