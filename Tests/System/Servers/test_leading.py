"""Tests that a task for a single server runs on one server, and on another one after that server was killed."""

from datetime import datetime, timedelta, timezone

from catalogs import policy
from crowd import wait_until

TAKEOVER = 10


def leaders(pair) -> list[str]:
    return pair.installation.sql(
        """SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND objid = 16 AND granted AND database =
            (SELECT oid FROM pg_database WHERE datname = current_database())""")


def expiries(pair) -> int:
    return int(pair.installation.sql("SELECT count(*) FROM events WHERE kind = 'license.expired'")[0])


def test_when_the_leading_server_is_killed_the_other_one_leads_and_records_an_expired_license(pair):
    wait_until(lambda: len(leaders(pair)) == 1, 30)
    leader = int(leaders(pair)[0].removeprefix("server"))
    ends = datetime.now(timezone.utc) + timedelta(seconds=2)
    pair.offer(policy(), expiresAt=ends.strftime("%Y-%m-%dT%H:%M:%SZ"))
    # The leader looked for expired licenses at its start and looks again after a minute, so it doesn't find this one.
    wait_until(lambda: datetime.now(timezone.utc) > ends, 30)
    assert expiries(pair) == 0

    pair.servers[leader].kill()
    wait_until(lambda: leaders(pair) == [f"server{1 - leader}"] and expiries(pair) == 1, TAKEOVER)
