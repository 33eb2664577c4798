"""Tests that /ready reports whether a server can write, and that an outage is logged once a second with its cause."""

import json
from pathlib import Path

import pytest
from client import App, Client
from database import SharedInstallation, running_database
from nginx import documented
from replication import checked_servers
from waiting import eventually


@pytest.fixture
def shop(home):
    """A server whose role isn't a superuser, on a separate database server."""
    with running_database("-c", "fsync=off", "-c", "max_connections=20") as database:
        store = database.new_database()
        database.sql(f"CREATE ROLE shop LOGIN; ALTER DATABASE {store} OWNER TO shop")
        installation = SharedInstallation(home, database, store, "ready")
        installation.role = "shop"
        installation.do("init")
        with installation.serving() as server:
            eventually(lambda: server.client.get("/ready").status, lambda status: status == 200)
            yield database, store, server


def becomes_unready(server, codes: set, scope: str) -> None:
    """Waits until /ready reports one of these codes; just after sessions end, it may report another failure."""

    def is_told(answer) -> bool:
        return answer.status == 503 and answer["code"] in codes and answer["scope"] == scope

    eventually(lambda: server.client.get("/ready"), is_told, 60)


def becomes_ready(server) -> None:
    eventually(lambda: server.client.get("/ready").status, lambda status: status == 200, 20)


def end_sessions(database) -> None:
    database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'")


def test_the_readiness_check_reports_a_connection_limit_of_the_servers_database_role_as_the_servers_own_fault(shop):
    database, _, server = shop
    database.sql("ALTER ROLE shop CONNECTION LIMIT 0")
    end_sessions(database)
    becomes_unready(server, {"store_unavailable"}, "server")
    database.sql("ALTER ROLE shop CONNECTION LIMIT -1")
    becomes_ready(server)


def test_the_readiness_check_reports_a_read_only_database_as_the_stores_fault(shop):
    database, store, server = shop
    database.sql(f"ALTER DATABASE {store} SET default_transaction_read_only = on")
    end_sessions(database)
    becomes_unready(server, {"store_read_only"}, "store")
    answer = App(server.new_client(), "acme", "notes").activate("NOTES-XXXX", "Mac")
    assert answer.status == 503 and answer.headers["retry-after"], answer
    database.sql(f"ALTER DATABASE {store} RESET default_transaction_read_only")
    becomes_ready(server)


def test_the_readiness_check_reports_a_missing_synchronous_standby_as_the_stores_fault(shop, home):
    database, store, server = shop
    installation = SharedInstallation(home, database, store, "doctor")
    installation.role = "shop"
    database.sql("ALTER SYSTEM SET synchronous_standby_names = 'away'")
    database.sql("SELECT pg_reload_conf()")
    becomes_unready(server, {"store_busy", "store_unconfirmed"}, "store")
    assert server.client.get("/health").status == 200
    cause = "Commits wait for a synchronous standby, and none is connected."
    eventually(lambda: server.client.get("/ready")["error"], lambda error: cause in error, 60)
    assert server.says(cause)
    doctor = installation.run("doctor")
    assert doctor.code == 1 and cause in doctor.out and "If the standby is away" in doctor.out, doctor
    assert "tenure_store_unwritable 1" in server.client.get("/metrics").body.decode()
    database.sql("ALTER SYSTEM RESET synchronous_standby_names")
    database.sql("SELECT pg_reload_conf()")
    becomes_ready(server)
    assert "standby" not in installation.do("doctor").out
    assert "tenure_store_unwritable 0" in server.client.get("/metrics").body.decode()


class WithPassfile(SharedInstallation):
    """An installation whose URL names a passfile."""

    @property
    def passfile(self):
        return self.home / "shop.pgpass"

    @property
    def url(self) -> str:
        return f"{super().url}&passfile={self.passfile}"


def test_the_log_and_doctor_name_a_passfile_that_is_not_used_because_others_may_read_it(home):
    with running_database("-c", "fsync=off") as database:
        store = database.new_database()
        database.sql(f"CREATE ROLE shop LOGIN PASSWORD 'secret'; ALTER DATABASE {store} OWNER TO shop")
        rules = Path(database.sql("SHOW hba_file")[0])
        rules.write_text("local all shop scram-sha-256\nlocal all all trust\n")
        database.sql("SELECT pg_reload_conf()")
        installation = WithPassfile(home, database, store, "passfile")
        installation.role = "shop"
        installation.passfile.write_text("*:*:*:shop:secret\n")
        installation.passfile.chmod(0o600)
        installation.do("init")
        with installation.serving() as server:
            becomes_ready(server)
            installation.passfile.chmod(0o644)
            end_sessions(database)
            becomes_unready(server, {"store_unavailable"}, "server")
            answer = App(server.new_client(), "acme", "notes").activate("NOTES-XXXX", "Mac")
            assert answer.status == 503 and answer.headers["retry-after"], answer
            assert server.says(f"requires a password, but {installation.passfile} isn't used")
            installation.passfile.chmod(0o600)
            becomes_ready(server)
            assert "password file" not in server.said
        installation.passfile.chmod(0o644)
        doctor = installation.run("doctor")
        assert doctor.code == 1 and f"Run chmod 600 {installation.passfile}." in doctor.out, doctor
        assert "chown -R" not in doctor.out and "password file" not in doctor.err, doctor


def test_an_outage_of_postgresql_is_logged_with_libpqs_reason_but_not_for_each_request(shop):
    database, _, server = shop
    database.stop()
    app = App(server.new_client(), "acme", "notes")

    def failures() -> list[str]:
        assert app.activate("NOTES-XXXX", "Mac").status == 503
        lines = [json.loads(line) for line in server.said.splitlines() if line.startswith("{")]
        return [line["error"] for line in lines if line["event"] == "request_failed"]

    # The first failures can be those of a database that is still shutting down.
    eventually(failures, lambda failures: any("No such file or directory" in failure for failure in failures))
    before = len(failures())
    for _ in range(200):
        assert app.activate("NOTES-XXXX", "Mac").status == 503
    assert len(failures()) - before < 100, failures()
    database.start()
    becomes_ready(server)


def test_a_load_balancer_removes_a_server_only_for_the_servers_own_fault(shop, home):
    database, store, limited = shop
    other = SharedInstallation(home, database, store, "other")

    def checks() -> int:
        return limited.said.count('"route":"/ready"')

    with other.serving() as server, checked_servers(
            home, [limited, server], documented("postgresql.md", "cfg")) as address:

        def answers() -> list:
            return [Client(address).get("/ready") for _ in range(6)]

        eventually(answers, lambda answers: all(answer.status == 200 for answer in answers), 60)
        database.sql("ALTER ROLE shop CONNECTION LIMIT 0")
        end_sessions(database)
        becomes_unready(limited, {"store_unavailable"}, "server")
        eventually(answers, lambda answers: all(answer.status == 200 for answer in answers), 60)
        database.sql("ALTER ROLE shop CONNECTION LIMIT -1")
        becomes_ready(limited)

        database.sql(f"ALTER DATABASE {store} SET default_transaction_read_only = on")
        database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name <> 'tests'"
                     f" AND datname = '{store}'")
        for one in (limited, server):
            becomes_unready(one, {"store_read_only"}, "store")
        before = checks()
        eventually(checks, lambda checks: checks >= before + 4, 60)
        # haproxy's own 503, without a server, isn't JSON.
        assert {answer["code"] for answer in answers()} == {"store_read_only"}
