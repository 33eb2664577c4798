"""Runs PostgreSQL for the tests, and installations whose store is one of its databases."""

import itertools
import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from installation import Installation
from program import PACKAGE


class Database:
    """A PostgreSQL server in a temporary folder, on a Unix socket. It stops when its standard input closes."""

    _numbers = itertools.count(1)

    def __init__(self, *options: str, environment: dict[str, str] | None = None):
        self.folder = Path(tempfile.mkdtemp(prefix="tenure-pg-")) / "server"
        self.folder.parent.chmod(0o711)
        self._process = subprocess.Popen(
            [str(PACKAGE / "Scripts/postgres-for-tests"), str(self.folder), *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=os.environ | (environment or {}))
        self._expect("ready")

    def _expect(self, answer: str) -> None:
        line = self._process.stdout.readline().strip()
        assert line == answer, f"no PostgreSQL for the tests; install it: sudo apt-get install postgresql ({line!r})"

    def _command(self, word: str, answer: str) -> None:
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        self._expect(answer)

    def stop(self) -> None:
        self._command("stop", "stopped")

    def crash(self) -> None:
        """Ends all processes of the server with SIGKILL."""
        self._command("kill", "stopped")

    def start(self) -> None:
        self._command("start", "ready")

    def promote(self) -> None:
        """Makes a standby a primary."""
        self._command("promote", "promoted")

    def upgrade(self) -> None:
        """Moves the databases to a new cluster, as for a new major version."""
        self._command("upgrade", "ready")

    def follow(self, primary: "Database") -> None:
        """Runs pg_rewind on this stopped server, and starts it as the primary's standby."""
        self._command(f"follow {primary.folder}", "ready")

    def end(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self.folder.parent.rmdir()

    def sql(self, statement: str, database: str = "postgres") -> list[str]:
        """Runs a statement; returns the rows as psql prints them, with fields separated by |."""
        done = subprocess.run(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url(database)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def url(self, database: str, name: str = "tests", role: str = "tenure") -> str:
        return f"postgres://{role}@/{database}?host={self.folder}&application_name={name}"

    def new_database(self) -> str:
        name = f"store{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return name


@contextmanager
def running_database(*options: str):
    """Runs PostgreSQL until the context ends."""
    database = Database(*options)
    try:
        yield database
    finally:
        database.end()


class SharedInstallation(Installation):
    """An installation that shares a database with others; `name` is the application name of its sessions."""

    def __init__(self, home: Path, database: Database, store: str, name: str):
        super().__init__(home)
        self.database_server, self.store, self.name = database, store, name
        self.role = "tenure"

    @property
    def master_key(self) -> Path:
        return self.home / "master.key"

    @property
    def url(self) -> str:
        return self.database_server.url(self.store, self.name, self.role)

    def words(self, *words: str) -> list[str]:
        words = super().words(*words)
        place = words.index("--data")
        return words[:place] + ["--store", self.url, "--master-key-file", str(self.master_key)] + words[place + 2:]

    def sql(self, statement: str) -> list[str]:
        return self.database_server.sql(statement, self.store)
