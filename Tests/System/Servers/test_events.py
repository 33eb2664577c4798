"""Tests that a reader of events misses no event while several servers write events."""

import subprocess
import threading

import catalogs
from catalogs import policy
from client import App
from crowd import all_at_once

WRITERS = 8
EACH = 40


def test_reading_events_with_a_cursor_misses_no_event_recorded_by_either_of_two_servers(pair):
    key = pair.offer(policy(activationLimit=10_000))
    scopes = ["--scope", "events:read"]
    token = pair.installation.do("token", "create", "--tenant", pair.tenant, "--name", "reader", *scopes, "--json").json
    headers = {"Authorization": f"Bearer {token['token']}"}
    is_over = threading.Event()
    seen = [[], []]

    def read(number: int) -> None:
        client, cursor = pair.servers[number].new_client(), 0
        while True:
            last_turn = is_over.is_set()
            page = client.get(f"/v1/{pair.tenant}/events?limit=50&after={cursor}", headers)
            assert page.status == 200, page
            seen[number] += [event["sequence"] for event in page["events"]]
            cursor = seen[number][-1] if seen[number] else 0
            if last_turn and not page["events"]:
                return

    readers = [threading.Thread(target=read, args=(number,)) for number in (0, 1)]
    for reader in readers:
        reader.start()
    all_at_once(pair.servers, pair.tenant, WRITERS, lambda app, number: [
        app.activated(key, f"device {number} {turn}") for turn in range(EACH)])
    is_over.set()
    for reader in readers:
        reader.join()

    assert len(seen[0]) >= WRITERS * EACH
    assert seen == [list(range(1, len(seen[0]) + 1))] * 2


def test_an_activation_does_not_wait_for_another_tenants_uncommitted_change(pair):
    key, held = pair.offer(), catalogs.fresh()
    held_key = catalogs.fresh_key()
    pair.installation.apply(catalogs.catalog(held, catalogs.product(
        policies=[policy()], licenses=[catalogs.license(held_key, policy()["id"])])))
    line = ["psql", "-XqAt", pair.database.url(pair.installation.store)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        # Locks the tenant's event counter, as a change of another server does until its commit.
        other.stdin.write(f"BEGIN; UPDATE event_counters SET last = last WHERE tenant = '{held}';\n\\echo held\n")
        other.stdin.flush()
        assert other.stdout.readline() == "held\n"
        waiting = threading.Thread(target=App(pair.servers[0].new_client(), held, "notes").activated, args=(held_key, "a"))
        waiting.start()
        App(pair.servers[1].client, pair.tenant, "notes").activated(key, "b")
        assert waiting.is_alive()
        other.stdin.write("ROLLBACK;\n")
        other.stdin.close()
        waiting.join()
    for tenant in (held, pair.tenant):
        numbers = pair.installation.sql(f"SELECT sequence FROM events WHERE tenant = '{tenant}' ORDER BY sequence")
        assert numbers == [str(number + 1) for number in range(len(numbers))]
