"""Runs the commands of a page whose hosts are db1 to db3, app1 and app2, each in a folder of this machine.

db1 and db2 can also be named by their roles: the primary, the standby, and the old primary during a failover.
"""

import ctypes
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from nginx import DOCUMENTATION, free_port
from preload import preloaded
from program import program
from server import Server

BLOCK = re.compile(r"^( *)```(sh|console)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
HOST = re.compile(
    r"# (db\d|app\d|any host|the primary|the standby|the old primary|each database host|each server's host), as ([a-z ]+)\n")
SYSTEMCTL = re.compile(r"systemctl (stop|start) tenure\s*")
SECONDS = 120
DATABASES, PAIR = ("db1", "db2", "db3"), ("db1", "db2")
MEMORY, NEEDED = Path("/dev/shm"), 2_000_000_000
PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Block:
    """Commands of a page, for a host or a role; `section` is the heading above them."""

    section: str
    host: str
    user: str
    is_console: bool
    text: str


def blocks(page: str) -> list[Block]:
    text = (DOCUMENTATION / page).read_text()
    found = []
    for match in BLOCK.finditer(text):
        commands = textwrap.dedent(match[3])
        first = HOST.match(commands)
        assert first, f"the block names no host: {commands}"
        section = re.findall(r"^##+ (.+)$", text[:match.start()], re.MULTILINE)[-1]
        found.append(Block(section, first[1], first[2], match[2] == "console", commands[first.end():]))
    return found


def fits(expected: list[str], printed: list[str]) -> bool:
    """Whether the lines are the expected ones, in which a line `...` matches any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(fits(expected[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and fits(expected[1:], printed[1:])


class Hosts:
    """The hosts. All their users are one user of this machine, because PostgreSQL refuses to run as root."""

    def __init__(self):
        # Databases outlive the shells that start them. If no other process reaps a killed database, as in a container, its
        # process id seems to be in use.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = Path(tempfile.mkdtemp(prefix="tenure-page-"))
        # The databases are in memory if there is enough, because their copies are synced to disk.
        has_memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > NEEDED
        self._databases = Path(tempfile.mkdtemp(prefix="tenure-page-", dir=MEMORY if has_memory else None))
        self._as, user = [], None
        if os.geteuid() == 0:
            # Debian's package creates the user.
            user = "postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else "nobody"
            self._as = ["setpriv", "--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--clear-groups"]
        shutil.copy(program(), self.folder / "tenure")
        self._hosts = preloaded("named_hosts", self.folder)
        self._port, self._ports = free_port(), {"8080": free_port(), "8081": free_port()}
        self.services: dict[str, Server] = {}
        self._service_blocks: dict[str, Block] = {}
        self._primary = PAIR[0]
        self._programs = max(map(str, Path("/usr/lib/postgresql").glob("*/bin")), default="")
        for name in (*DATABASES, "app1", "app2", "any host", "archive", "etc"):
            (self.home(name) / "etc").mkdir(parents=True)
        if user:
            subprocess.run(["chown", "-R", f"{user}:", str(self.folder), str(self._databases)], check=True)
        self.folder.chmod(0o755)

    def home(self, host: str) -> Path:
        return (self._databases if host in (*DATABASES, "archive") else self.folder) / host

    @property
    def etc(self) -> Path:
        """The folder /etc/tenure, which the servers' hosts share."""
        return self.folder / "etc"

    def url(self, number: str) -> str:
        return f"http://127.0.0.1:{self._ports[number]}"

    def _environment(self, host: str) -> dict[str, str]:
        home = str(self.home(host))
        own = {
            "PGDATA": f"{home}/data", "CONF": f"{home}/data", "PGHOST": home, "SELF": host,
            "OTHER": {"db1": "db2", "db2": "db1"}.get(host, "")}
        return {
            "PATH": f"{self.folder}:{self._programs}:{os.environ['PATH']}", "HOME": home, "LANG": "C.UTF-8", "TZ": "UTC",
            "NO_COLOR": "1", "LD_PRELOAD": str(self._hosts), "PGPORT": str(self._port),
            "TMPDIR": home} | (own if host in DATABASES else {})

    def _ours(self, host: str, text: str) -> str:
        """The commands with this machine's folders and ports."""
        for shown, ours in [
                ("/etc/tenure", self.etc), ("/etc/postgresql", self.home(host) / "etc"),
                ("/archive", self.home("archive")), ("/var/lib/tenure", self.home(host) / "data"), ("5432", self._port),
                *self._ports.items()]:
            text = re.sub(rf"(?<![\w.]){shown}\b", str(ours), text)
        # In a list of hosts, libpq doesn't read PGPORT.
        text = re.sub(r"(db\d\.example)(?=[,/])", rf"\1:{self._port}", text)
        return text.replace("pg_ctl start ", f'pg_ctl start --options "{self._own_settings(host)}" ')

    def _own_settings(self, host: str) -> str:
        """The settings that must differ between databases on one machine, because copies contain them."""
        home = self.home(host)
        settings = {
            "listen_addresses": f"127.0.0.{host[-1]}", "unix_socket_directories": home, "fsync": "off",
            "dynamic_shared_memory_type": "mmap", "ssl_cert_file": f"{home}/etc/server.crt",
            "ssl_key_file": f"{home}/etc/server.key"}
        return " ".join(f"-c {name}={value}" for name, value in settings.items())

    def run(self, host: str, commands: str) -> str:
        """Runs commands that must succeed; returns their standard output."""
        # A database inherits standard error, so a pipe there would never end.
        with open(self.folder / "errors", "w+") as errors:
            done = subprocess.run(
                [*self._as, "bash", "-euo", "pipefail", "-c", self._ours(host, commands)], cwd=self.home(host),
                env=self._environment(host), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                timeout=SECONDS, check=False)
            errors.seek(0)
            assert done.returncode == 0, f"{host}: {commands}\n{done.stdout}{errors.read()}"
        return done.stdout

    def _reap(self) -> None:
        for file in self._databases.glob("db*/data/postmaster.pid"):
            try:
                os.waitpid(int(file.read_text().split()[0]), os.WNOHANG)
            except ChildProcessError:
                pass

    def _accepts_changes(self, host: str) -> bool:
        asked = subprocess.run(
            [*self._as, "psql", "-d", "postgres", "-Atc", "SELECT pg_is_in_recovery()"], env=self._environment(host),
            capture_output=True, text=True, timeout=SECONDS, check=False)
        return asked.stdout.strip() == "f"

    def named(self, name: str) -> list[str]:
        """The hosts that the first line of a block names. A primary keeps its role until another one is promoted."""
        running = [host for host in PAIR if self._accepts_changes(host)]
        assert len(running) < 2, "both databases accept changes"
        [self._primary] = running or [self._primary]
        [other] = set(PAIR) - {self._primary}
        return {
            "the primary": [self._primary], "the standby": [other], "the old primary": [other if running else self._primary],
            "each database host": list(PAIR), "each server's host": list(self.services)}.get(name, [name])

    def perform(self, block: Block) -> None:
        """Runs a block, and compares its output with the output on the page."""
        self._reap()
        for host in self.named(block.host):
            self._perform(block, host)

    def _perform(self, block: Block, host: str) -> None:
        if block.user == "root":
            turn = SYSTEMCTL.fullmatch(block.text)
            assert turn, f"only a service can be started and stopped as root: {block.text}"
            if turn[1] == "start":
                self._perform(self._service_blocks[host], host)
            else:
                assert self.services[host].end(signal.SIGTERM, SECONDS) == 0, self.services[host].said
        elif block.user == "a service":
            self.services[host] = Server(
                [*self._as, *self._ours(host, block.text).split()], str(self.home(host)), self._environment(host))
            self._service_blocks[host] = block
            assert self.services[host].address(SECONDS), self.services[host].said
        elif not block.is_console:
            self.run(host, block.text)
        else:
            for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, *expected = step.splitlines()
                printed = self.run(host, command).splitlines()
                assert fits(expected, printed), f"{command}\nprinted {printed}"

    def end(self) -> None:
        for server in self.services.values():
            server.discard()
        for host in DATABASES:
            if (self.home(host) / "data/postmaster.pid").exists():
                self._reap()
                self.run(host, "pg_ctl stop --mode immediate || true")
        shutil.rmtree(self._databases, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)
