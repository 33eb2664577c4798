"""A store that an older version left, with what that version let happen: it opens, and nobody who has a place is sent away."""

import json
import shutil
import time
from pathlib import Path

import pytest
from client import App
from installation import Installation

FIXTURE = Path(__file__).resolve().parents[2] / "Fixtures/upgrade"
DAY = 86_400


@pytest.fixture
def facts():
    return json.loads((FIXTURE / "facts.json").read_text())


@pytest.fixture
def upgraded(home, facts):
    """The store, on the day it was made."""
    installation = Installation(home)
    installation.data.mkdir(mode=0o700)
    for name in ("tenure.sqlite", "master.key"):
        shutil.copy(FIXTURE / name, installation.data / name)
        (installation.data / name).chmod(0o600)
    installation.moves_time()
    installation.set_clock(facts["madeAt"] + 60 - int(time.time()))
    return installation


@pytest.fixture
def server(upgraded):
    with upgraded.serving() as server:
        yield server


def test_devices_of_every_kind_refresh_and_return(server, facts):
    app, keys, held = App(server.client, "acme", "notes"), facts["keys"], facts["instances"]
    # The key was replaced and applied again: two licenses, both live, each by its own key.
    assert app.validate(keys["new"], held["dead, before"]).status == 200
    assert app.validate(keys["dead"], held["dead, after"]).status == 200
    for name in ("case, small", "case, large"):
        assert app.validate(keys["case"], held[name]).status == 200
    assert app.activated(keys["case"], machine_hash="AB" * 32) in (held["case, small"], held["case, large"])
    assert app.activated(keys["plain"], machine_hash="ef" * 32) == held["plain"]
    assert app.deactivate(held["plain"]).status == 200
    app.activated(keys["plain"], machine_hash="ef" * 32)


def test_places_given_back_before_count_for_nobody(server, facts):
    app, key = App(server.client, "acme", "notes"), facts["keys"]["many"]
    for number in range(2 + 3):
        one = app.activated(key, machine_hash=f"{number + 100:064x}")
        assert app.deactivate(one).status == 200
    assert app.activate(key, machine_hash="77" * 32).codes == ["activation_limit_reached"]
    app.activated(key, machine_hash=f"{104:064x}")


def test_stored_ids_cursors_and_repeats_work(server, upgraded, facts):
    bearer = {"Authorization": f"Bearer {facts['token']}"}
    client, order = server.client, facts["order"]
    again = client.post("/v1/acme/licenses", order["asked"], bearer | {"Idempotency-Key": order["key"]})
    assert (again.status, again.json) == (201, order["answer"])
    later = client.get(f"/v1/acme/events?after={facts['cursor']}&limit=1000", bearer)
    assert [one["kind"] for one in later["events"]] == ["license.issued", "license.suspended", "license.reinstated"]
    assert later["next"] == facts["last"]
    released = client.post(f"/v1/acme/activations/{facts['instances']['plain']}/release", {}, bearer)
    assert (released.status, released["changed"]) == (200, True)
    upgraded.do("activation", "restore", facts["instances"]["plain"])
    assert "two accounts" not in upgraded.run("doctor").out
    assert "ada" in upgraded.run("doctor").out and "e-mail" in upgraded.run("doctor").out
