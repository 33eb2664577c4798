"""Runs servers that have only one feature, whose jobs exist for these tests."""

import signal
import subprocess
from pathlib import Path

from program import job_server
from server import Server

SECONDS = 60
# The jobs' lease and retry delays in seconds, as in `JobServer.swift`.
PATIENCE, WAITS = 600, [1000, 2000]


class Jobs:
    """The jobs of one installation, on either storage engine."""

    def __init__(self, installation, store: str):
        self.installation, self.store = installation, store
        self.outside = installation.home / "outside"
        self.servers = []

    def order(self, pieces: int, tenant: str) -> str:
        """Adds a job to the queue and returns its id."""
        done = subprocess.run(
            self._words("order", str(pieces), tenant), capture_output=True, text=True, timeout=SECONDS, check=True,
            stdin=subprocess.DEVNULL)
        return done.stdout.strip()

    def start(self, stop_at: str | None = None) -> "JobServer":
        server = JobServer(self._words(*(["stop-at", stop_at] if stop_at else [])), self.installation)
        self.servers.append(server)
        assert server.says("ready"), server.said
        return server

    def listed(self) -> list[dict]:
        return self.installation.do("job", "list", "--json").json["jobs"]

    def finding(self) -> dict:
        """The finding of `doctor` about jobs."""
        return next(line for line in self.installation.run("doctor", "--json").lines if line["subject"] == "jobs")

    def delivered(self) -> list[tuple[str, int, int]]:
        """The delivered pieces in the order of arrival, each with its job, number and attempt."""
        if not self.outside.exists():
            return []
        return [(job, int(piece), int(attempt))
                for job, piece, attempt in (line.split() for line in self.outside.read_text().splitlines())]

    def close_outside(self) -> None:
        self.outside.with_name("outside.closed").touch()

    def open_outside(self) -> None:
        self.outside.with_name("outside.closed").unlink()

    def discard(self) -> None:
        for server in self.servers:
            server.discard()

    def _words(self, *words: str) -> list[str]:
        return [str(job_server()), self.store, str(self.installation.clock), str(self.outside), *words]


class JobServer(Server):
    def __init__(self, words: list[str], installation):
        super().__init__(words, str(installation.home), installation.environment, stdin=subprocess.PIPE)

    def says(self, text: str, seconds: float = SECONDS) -> bool:
        return super().says(text, seconds)

    def kill(self) -> None:
        assert self.end(signal.SIGKILL, SECONDS) == -signal.SIGKILL
