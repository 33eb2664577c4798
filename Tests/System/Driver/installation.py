"""A data folder for a test, and the commands and servers that use it."""

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import uuid
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import secrecy
from client import Client
from preload import preloaded, ready_keys
from program import program
from server import Server

COMMAND_SECONDS = 120
START_SECONDS = 60
STOP_SECONDS = 60
SAY_SECONDS = 60


@dataclass(frozen=True)
class Output:
    """A command's exit code and output."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict]:
        """The output, parsed as one JSON object per line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Installation:
    """A data folder and the program that runs on it."""

    def __init__(self, home: Path, data: Path | None = None, runs_as: list[str] | None = None):
        self.home = home
        self.data = data or home / "data"
        self.clock: Path | None = None
        self.fake: Path | None = None
        self.slow: Path | None = None
        self._prefix = runs_as or []

    @property
    def database(self) -> Path:
        return self.data / "tenure.sqlite"

    @property
    def master_key(self) -> Path:
        return self.data / "master.key"

    def moves_time(self) -> "Installation":
        """Lets a file move the clock of every command and server on this folder from now on."""
        self.clock = self.home / "clock"
        self.set_clock(0)
        return self

    def set_clock(self, seconds: int) -> None:
        """Sets the offset from the system's clock, in seconds."""
        temporary = self.home / "clock.new"
        temporary.write_text(f"{seconds}\n")
        temporary.rename(self.clock)

    @property
    def offset(self) -> int:
        """How far this folder's clock is ahead of the system's, in seconds."""
        return int(self.clock.read_text()) if self.clock else 0

    def fakes_time(self) -> "Installation":
        """Fakes the system's clock for every command and server on this folder; the uptime stays correct."""
        self.fake = self.home / "faked"
        preloaded("faked_clock", self.home)
        self.fake_clock(0)
        return self

    def fake_clock(self, seconds: int) -> None:
        """Sets the faked clock's offset from the system's clock, in seconds."""
        temporary = self.home / "faked.new"
        temporary.write_text(f"{seconds}\n")
        temporary.rename(self.fake)

    def slows_disk(self) -> "Installation":
        """Lets `slow_disk` delay the syncs of every command and server on this folder."""
        self.slow = self.home / "slow"
        preloaded("slow_disk", self.home)
        self.slow_disk(0)
        return self

    def slow_disk(self, milliseconds: int) -> None:
        """Delays each fsync and fdatasync by this long."""
        temporary = self.home / "slow.new"
        temporary.write_text(f"{milliseconds}\n")
        temporary.rename(self.slow)

    def words(self, *words: str) -> list[str]:
        options = ["--data", str(self.data)] + (["--clock", str(self.clock)] if self.clock else [])
        return [*self._prefix, str(program()), *words, *options]

    def run(self, *words: str, given: str | None = None) -> Output:
        """Runs a command, which may fail."""
        return self.run_words(self.words(*words), given)

    def run_words(self, words: list[str], given: str | None = None) -> Output:
        """Runs a complete command line, which may fail."""
        done = subprocess.run(
            words, cwd=self.home, env=self.environment, input=given, text=True, capture_output=True,
            stdin=subprocess.DEVNULL if given is None else None, timeout=COMMAND_SECONDS)
        output = Output(done.returncode, done.stdout, done.stderr)
        secrecy.heard(output.err)
        return output

    def do(self, *words: str, given: str | None = None) -> Output:
        """Runs a command that must succeed."""
        output = self.run(*words, given=given)
        assert output.code == 0, (words[:2], output)
        return output

    def apply(self, catalog: dict, *options: str) -> Output:
        """Applies a catalog that must be accepted."""
        return self.do("apply", "-", *options, given=json.dumps(catalog))

    def issue(self, tenant: str, product: str, policy: str, *options: str) -> dict:
        """Issues one license and returns its members, including `licenseKey`."""
        words = ["--tenant", tenant, "--product", product, "--policy", policy, *options]
        issued = self.do("license", "issue", *words, "--json").json
        secrecy.keep(issued["licenseKey"])
        return issued

    def show(self, license: str, *options: str) -> dict:
        return self.do("license", "show", license, *options, "--json").json

    def places(self, key: str) -> dict[str, int | None]:
        """The release time of each of a license's activations, by the activation's secret id, which no command shows."""
        found = "SELECT id, released_at FROM activations WHERE license_id = (SELECT id FROM licenses WHERE key_hash = ?)"
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as store:
            rows = store.execute(found, [hashlib.sha256(key.encode()).digest()]).fetchall()
        return {str(uuid.UUID(bytes=id)): released for id, released in rows}

    @property
    def environment(self) -> dict[str, str]:
        loaded = {
            "READY_KEYS": ready_keys(), "FAKED_CLOCK": (self.fake, self.home / "faked_clock.so"),
            "SLOW_DISK": (self.slow, self.home / "slow_disk.so")}
        used = {name: (file, library) for name, (file, library) in loaded.items() if file}
        faked = {name: str(file) for name, (file, _) in used.items()}
        return faked | {
            "LD_PRELOAD": ":".join(str(library) for _, library in used.values()),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(self.home), "TMPDIR": str(self.home),
            "LANG": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1"}

    def start(self, *options: str, port: int = 0) -> "Running":
        """Starts a server on a port of the loopback interface, or on a free one if `port` is 0; waits until it is ready."""
        server = Server(
            self.words("serve", "--create", "--listen", f"127.0.0.1:{port}", *options), str(self.home), self.environment)
        address = server.address(START_SECONDS)
        if address is None:
            server.discard()
            raise AssertionError(f"the server did not become ready:\n{server.said}")
        if self.master_key.exists():
            secrecy.keep(self.master_key.read_text().strip())
        return Running(server, address)

    @contextmanager
    def serving(self, *options: str):
        """Runs a server until the context ends; it must then exit with code 0."""
        running = self.start(*options)
        try:
            yield running
            if running.is_running:
                assert running.stop() == 0, running.said
        finally:
            running.discard()


class Running:
    """A server that is ready."""

    def __init__(self, server: Server, address: str):
        self._server = server
        self.address = address
        self.client = Client(address)
        self.is_running = True

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def said(self) -> str:
        return self._server.said

    def says(self, text: str) -> bool:
        """Waits until the server has printed a line with the text; returns whether it did in time."""
        return self._server.says(text, SAY_SECONDS)

    def new_client(self) -> Client:
        return Client(self.address)

    def send(self, by: signal.Signals) -> None:
        os.kill(self.pid, by)

    def stop(self) -> int | None:
        """Sends SIGTERM; returns the exit code, or None if the server doesn't end in time."""
        return self._end(signal.SIGTERM)

    def end_by(self, by: signal.Signals) -> int | None:
        """Sends a signal that ends the server; returns the exit code, or None if it doesn't end in time."""
        return self._end(by)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._end(signal.SIGKILL)

    def _end(self, by: signal.Signals) -> int | None:
        self.client.close()
        code = self._server.end(by, STOP_SECONDS)
        if code is not None:
            self.discard()
        return code

    def discard(self) -> None:
        """Kills the server if it is still running."""
        if self.is_running:
            self.is_running = False
            self.client.close()
            self._server.discard()
            secrecy.heard(self._server.said)


@contextmanager
def temporary_home():
    """Makes a temporary folder and deletes it afterwards."""
    home = Path(tempfile.mkdtemp(prefix="tenure-test-"))
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)
