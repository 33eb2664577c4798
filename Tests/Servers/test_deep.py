"""What `doctor --deep` finds in a database, which servers go on with meanwhile."""

import json

import pytest
from client import App


@pytest.mark.parametrize("statement, told", [
    ("UPDATE licenses SET holder = ''", "licenses, lic_"),
    ("UPDATE activations SET released_by = 'holder'", "activations, "),
    ("UPDATE activations SET identity = 'what?'", "activations, the first: cannot be read"),
    ("UPDATE signing_keys SET public_key = decode(repeat('00', 32), 'hex')", "signing_keys, k1 of "),
    ("UPDATE events SET at = 9999999999", "events, "),
    ("DELETE FROM events", None)])
def test_damage_in_a_database_is_named(pair, statement, told):
    key = pair.offer()
    for number, server in enumerate(pair.servers):
        App(server.client, pair.tenant, "notes").activated(key, f"Laptop {number}")
    assert "contradict nothing" in pair.installation.do("doctor", "--deep").out
    assert pair.installation.sql(statement) == []
    found = [json.loads(line) for line in pair.installation.run("doctor", "--deep", "--json").out.splitlines()]
    damage = [one["message"] for one in found if one["subject"] == "damage"]
    if told is None:
        # The database takes numbers back for nothing that was not committed: that the last events are gone shows in
        # what they would have told, and nothing was stopped here.
        assert damage == []
    else:
        assert any(message.startswith(told) for message in damage), found
