"""Tests that a reader of events misses none while several servers write them."""

import threading

from catalogs import policy
from crowd import all_at_once

WRITERS = 8
EACH = 40


def test_a_cursor_over_two_servers_skips_no_event(pair):
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

    written = [int(row) for row in pair.installation.sql("SELECT sequence FROM events ORDER BY sequence")]
    assert len(written) >= WRITERS * EACH
    assert seen == [written, written]
