"""Runs a PostgreSQL primary with a standby, and the poolers and balancers that operators put in front of them."""

import itertools
import os
import socket
import subprocess
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from database import Database
from nginx import free_port
from waiting import eventually

# Rewinding a killed primary needs its latest write-ahead log.
OPTIONS = ("-c", "fsync=off", "-c", "wal_keep_size=1GB", "-c", "max_connections=100")


class Cluster:
    """A primary and its standby, which swap roles at a failover. If it's synchronous, every commit waits for the standby."""

    def __init__(self, is_synchronous: bool = True):
        self._numbers = itertools.count(1)
        self.primary = Database(*OPTIONS)
        try:
            self.standby = Database(*OPTIONS, environment={"STANDBY_OF": str(self.primary.folder)})
        except BaseException:
            self.primary.end()
            raise
        self.members, self.is_synchronous = [self.primary, self.standby], is_synchronous
        self._begin_to_replicate()

    def _begin_to_replicate(self) -> None:
        """Waits until the standby follows the primary, and makes the primary wait for it."""
        eventually(
            lambda: self.primary.sql("SELECT state FROM pg_stat_replication WHERE application_name = 'walreceiver'"),
            lambda rows: rows == ["streaming"])
        if not self.is_synchronous:
            return
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        eventually(
            lambda: self.primary.sql("SELECT sync_state FROM pg_stat_replication"), lambda rows: rows == ["sync"])

    def cut_off_standby(self) -> None:
        """Lets commits return without the standby, which gets none of them."""
        self.primary.sql("ALTER SYSTEM RESET synchronous_standby_names")
        self.primary.sql("SELECT pg_reload_conf()")
        self.standby.sql("ALTER SYSTEM SET primary_conninfo = ''")
        self.standby.sql("SELECT pg_reload_conf()")
        eventually(lambda: self.primary.sql("SELECT count(*) FROM pg_stat_replication"), lambda rows: rows == ["0"])

    def fail_over(self) -> None:
        """Kills the primary and promotes the standby, which then commits without a standby."""
        self.primary.crash()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self) -> None:
        """Makes the killed server the standby of the promoted one."""
        # Until its next checkpoint, the promoted server tells pg_rewind its old timeline, and nothing would be rewound.
        self.primary.sql("CHECKPOINT")
        self.standby.follow(self.primary)
        self._begin_to_replicate()

    def end(self) -> None:
        for member in reversed(self.members):
            member.end()

    def sql(self, statement: str, database: str = "postgres") -> list[str]:
        return self.primary.sql(statement, database)

    def url(self, database: str, name: str = "tests", role: str = "tenure") -> str:
        hosts = ",".join(str(member.folder) for member in self.members)
        return f"postgres://{role}@/{database}?host={hosts}&application_name={name}"

    def new_database(self) -> str:
        name = f"store{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return name


@contextmanager
def running_cluster(is_synchronous: bool = True):
    """Runs a primary and a standby until the context ends."""
    cluster = Cluster(is_synchronous)
    try:
        yield cluster
    finally:
        cluster.end()


class BehindProxy:
    """A database that servers reach through a proxy on a port of loopback, and tests directly."""

    def __init__(self, database, port: int):
        self._database, self._port = database, port

    def sql(self, statement: str, database: str = "postgres") -> list[str]:
        return self._database.sql(statement, database)

    def new_database(self) -> str:
        return self._database.new_database()

    def url(self, database: str, name: str = "tests", role: str = "tenure") -> str:
        return f"postgres://{role}@127.0.0.1:{self._port}/{database}?application_name={name}"


class Proxy:
    """A proxy process that a test may kill and start again."""

    def __init__(self, words: list[str], port: int):
        self._words, self._port = words, port
        self._process = None

    def _is_listening(self) -> bool:
        assert self._process.poll() is None, f"{self._words[0]} ended:\n{self._process.stdout.read()}"
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        eventually(self._is_listening, bool)

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def running_proxy(words: list[str], port: int):
    """Runs a proxy until the context ends."""
    proxy = Proxy(words, port)
    try:
        proxy.start()
        yield proxy
    finally:
        proxy.kill()


@contextmanager
def pgbouncer(home: Path, database: Database, mode: str, settings: str = ""):
    """Runs PgBouncer in front of a database; yields the pooler and the database behind it."""
    port = free_port()
    configuration = home / "pgbouncer.ini"
    # PgBouncer refuses to run as root, and only the database's user may enter the folder with its socket.
    user = f"user = {database.folder.owner()}\n" if os.geteuid() == 0 else ""
    configuration.write_text(
        f"[databases]\n* = host={database.folder} user=tenure\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n{user}{settings}")
    with running_proxy(["pgbouncer", "-q", str(configuration)], port) as pooler:
        yield pooler, BehindProxy(database, port)


def is_primary(database) -> bool:
    """Whether a database can be reached and isn't a standby, as Patroni's `/primary` reports."""
    done = subprocess.run(
        ["psql", "-XqAt", "-c", "SELECT NOT pg_is_in_recovery()", database.url("postgres")], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == "t"


@contextmanager
def role_endpoint(database: Database):
    """Reports over HTTP whether a server is the primary, as Patroni does; yields the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            self.send_response(200 if self.path == "/primary" and is_primary(database) else 503)
            self.end_headers()

        def log_message(self, *_) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def haproxy(home: Path, cluster: Cluster, configuration: str):
    """Runs haproxy with a configuration whose servers are `db1.example:5432` and `db2.example:5432`, both checked on port 8008.

    Yields the cluster behind it.
    """
    port = free_port()
    with role_endpoint(cluster.members[0]) as first, role_endpoint(cluster.members[1]) as second:
        for member, name, checked in zip(cluster.members, ("db1", "db2"), (first, second)):
            shown = f"{name}.example:5432 check port 8008"
            assert shown in configuration
            configuration = configuration.replace(
                shown, f"unix@{member.folder}/.s.PGSQL.5432 check addr 127.0.0.1 port {checked}")
        assert "bind 127.0.0.1:5432" in configuration
        file = home / "haproxy.cfg"
        file.write_text(configuration.replace("bind 127.0.0.1:5432", f"bind 127.0.0.1:{port}"))
        with running_proxy(["haproxy", "-db", "-f", str(file)], port):
            database = BehindProxy(cluster, port)
            # Until the first check, haproxy sends every second connection to the standby.
            eventually(lambda: [is_primary(database) for _ in range(4)], all)
            yield database


@contextmanager
def checked_servers(home: Path, servers: list, configuration: str):
    """Runs haproxy with a configuration that checks the servers `192.0.2.11:8080` and `192.0.2.12:8080`; yields its address."""
    port = free_port()
    for number, server in enumerate(servers):
        shown = f"192.0.2.{11 + number}:8080"
        assert shown in configuration
        configuration = configuration.replace(shown, f"{server.client.host}:{server.client.port}")
    assert "bind 127.0.0.1:8443" in configuration
    file = home / "haproxy.cfg"
    file.write_text(configuration.replace("bind 127.0.0.1:8443", f"bind 127.0.0.1:{port}"))
    with running_proxy(["haproxy", "-db", "-f", str(file)], port):
        yield f"http://127.0.0.1:{port}"
