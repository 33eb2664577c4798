"""Tests that idle servers hardly use the database, whatever the number of kinds of jobs."""

from database import SharedInstallation, running_database
from waiting import eventually

MARK = "UPDATE settings"
"""The beginning of a statement that an idle server executes only for the clock's mark, every six seconds."""


def test_an_idle_server_sends_at_most_two_sql_statements_a_second(home):
    with running_database("-c", "fsync=off", "-c", "max_connections=40") as database:
        installation = SharedInstallation(home, database, database.new_database(), "idle")
        installation.do("init")
        with installation.serving() as server:
            eventually(lambda: server.client.get("/ready").status, lambda status: status == 200)
            log = database.folder / "log"

            def statements() -> list[str]:
                """The logged statements except BEGIN and COMMIT, which need no round trips of their own."""
                lines = [line.partition(": ")[2] for line in log.read_text().splitlines() if " execute " in f" {line}"]
                return [line for line in lines if "BEGIN" not in line and "COMMIT" not in line]

            def marks() -> list[int]:
                return [number for number, line in enumerate(statements()) if MARK in line]

            database.sql("ALTER SYSTEM SET log_statement = 'all'")
            database.sql("SELECT pg_reload_conf()")
            first, *_, last = eventually(marks, lambda marks: len(marks) >= 5, 60)
            # Four marks are 24 seconds.
            assert last - first <= 48, statements()[first:last]
