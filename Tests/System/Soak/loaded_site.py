"""A server of one engine under load, with the times at which it was disturbed."""

import signal
import threading
import time
from pathlib import Path

from client import Client
from database import Database, SharedInstallation
from installation import Installation
from preload import preloaded

READY_SECONDS = 120
# After a fault, connections to the database and running requests may still fail for this long.
AFTERMATH_SECONDS = 10


class Site:
    """An installation with its server, whose process is replaced when a fault ends it."""

    def __init__(self, name: str, installation: Installation, database: Database | None = None):
        self.name, self.installation, self.database = name, installation, database
        self.installation.fakes_time().slows_disk()
        self.running = None
        self.disturbances: list[list[float]] = []
        self.is_ending = threading.Event()
        self.problems: list[str] = []
        self.starts = 0

    def start(self) -> None:
        self.running = self.installation.start()
        self.starts += 1

    @property
    def address(self) -> str:
        return self.running.address

    def disturbed(self, began: float, ended: float) -> bool:
        """Whether a fault can have affected a request at this time."""
        return any(
            began <= end + AFTERMATH_SECONDS and ended >= start for start, end in reversed(self.disturbances[-20:]))

    def begin_fault(self) -> None:
        self.disturbances.append([time.monotonic(), float("inf")])

    def end_fault(self) -> None:
        """Waits until the server is ready again."""
        limit = time.monotonic() + READY_SECONDS
        client, seen = Client(self.address), None
        try:
            while time.monotonic() < limit:
                try:
                    seen = client.get("/ready")
                    if seen.status == 200:
                        return
                except OSError as fault:
                    seen = fault
                time.sleep(0.1)
            self.problem(f"the server isn't ready {READY_SECONDS} s after a fault: {seen}")
        finally:
            client.close()
            self.disturbances[-1][1] = time.monotonic()

    def kill(self) -> None:
        self.running.kill()
        self.start()

    def restart(self) -> None:
        code = self.running.end_by(signal.SIGTERM)
        if code != 0:
            self.problem(f"a server that got SIGTERM ended with {code}: {self.running.said[-2000:]}")
        self.running.discard()
        self.start()

    def problem(self, text: str) -> None:
        """Records a broken claim, and prints it at once: a long run may be ended early."""
        self.problems.append(f"{self.name}: {text}")
        print(f"\n{time.strftime('%H:%M:%S')} {self.name}: {text[:1000]}", flush=True)

    @property
    def memory(self) -> int | None:
        """The server's anonymous memory in KiB, or None while there is no process."""
        try:
            for line in Path(f"/proc/{self.running.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
        except OSError:
            pass
        return None

    def end(self) -> None:
        if self.running:
            self.running.discard()


def sqlite_site(home: Path, data: Path) -> Site:
    home.mkdir()
    return Site("SQLite", Installation(home, data))


def postgres_site(home: Path, database: Database, store: str) -> Site:
    home.mkdir()
    site = Site("PostgreSQL", SharedInstallation(home, database, store, "soak"), database)
    site.installation.do("init")
    return site


def slow_database(folder: Path) -> tuple[Database, Path]:
    """A PostgreSQL server, and the file that contains the delay of its disk in milliseconds."""
    slow = folder / "slow-database"
    slow.write_text("0\n")
    slow.chmod(0o644)
    folder.chmod(0o711)
    library = preloaded("slow_disk", folder)
    return Database("-c", "max_connections=100", environment={"LD_PRELOAD": str(library), "SLOW_DISK": str(slow)}), slow
