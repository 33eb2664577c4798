"""Tests that a server deletes stored responses after their lifetime."""

import sqlite3
from contextlib import closing

from catalogs import catalog, product
from installation import Installation
from waiting import eventually

DAY = 86_400


def responses(installation) -> list[int]:
    """The times of the stored idempotent responses, oldest first; the row of a deleted response stays."""
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        return [at for at, in store.execute("SELECT at FROM answers WHERE sealed IS NOT NULL ORDER BY at")]


def test_the_stored_response_of_an_idempotent_request_is_deleted_after_a_day_and_not_before(home):
    installation = Installation(home).moves_time()
    installation.apply(catalog("acme", product()))
    token = installation.do("token", "create", "--tenant", "acme", "--scope", "licenses:write", "--json").json["token"]
    with installation.serving() as server:
        for hours, order in ((0, "order-1"), (12, "order-2")):
            installation.set_clock(hours * 3_600)
            issued = server.client.post(
                "/v1/acme/licenses", {"product": "notes", "policy": "pro"},
                {"Authorization": f"Bearer {token}", "Idempotency-Key": order})
            assert issued.status == 201, issued
    early, late = responses(installation)
    installation.set_clock(DAY + 60)
    # A server deletes expired responses when it starts, and then every hour.
    with installation.serving():
        assert eventually(lambda: responses(installation), lambda left: early not in left) == [late]
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        assert store.execute("SELECT count(*) FROM answers").fetchall() == [(2,)]
