"""Runs the commands of a page whose hosts are db1 to db3, app1 and app2, each in a folder of this machine."""

import ctypes
import os
import pwd
import re
import shutil
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
HOST = re.compile(r"# (db\d|app\d|any host), as ([a-z ]+)\n")
SECONDS = 120
DATABASES = ("db1", "db2", "db3")
MEMORY, NEEDED = Path("/dev/shm"), 2_000_000_000
PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Block:
    """Commands of a page, for one host; `section` is the heading above them."""

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
    """Whether the lines are the expected ones, in which a line `...` stands for any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(fits(expected[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and fits(expected[1:], printed[1:])


class Hosts:
    """The hosts. All their users are one user of this machine, because PostgreSQL refuses to run as root."""

    def __init__(self):
        # Databases outlive the shells that start them. In a container, nobody else may reap one that was killed, and its
        # number then looks used.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = Path(tempfile.mkdtemp(prefix="tenure-page-"))
        # In memory if there is enough of it, because copies of databases are synced to disk.
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
        return {
            "PATH": f"{self.folder}:{self._programs}:{os.environ['PATH']}", "HOME": home, "LANG": "C.UTF-8", "TZ": "UTC",
            "NO_COLOR": "1", "LD_PRELOAD": str(self._hosts), "PGPORT": str(self._port),
            "TMPDIR": home} | ({"PGDATA": f"{home}/data", "PGHOST": home} if host.startswith("db") else {})

    def _ours(self, host: str, text: str) -> str:
        """The commands with this machine's folders and ports."""
        text = text.replace("listen_addresses = '*'\n", "")
        for shown, ours in [
                ("/etc/tenure", self.etc), ("/etc/postgresql", self.home(host) / "etc"),
                ("/archive", self.home("archive")), *self._ports.items()]:
            text = re.sub(rf"(?<![\w.]){shown}\b", str(ours), text)
        # In a list of hosts, libpq doesn't read PGPORT.
        text = re.sub(r"(db\d\.example)(?=[,/])", rf"\1:{self._port}", text)
        return re.sub(r"cluster_name = 'db(\d)'", lambda match: match[0] + self._own_settings(match[1]), text)

    def _own_settings(self, number: str) -> str:
        """What differs between databases that share a machine, and would be copied from one to the other."""
        home = self.home(f"db{number}")
        return (
            f"\nlisten_addresses = '127.0.0.{number}'\nunix_socket_directories = '{home}'\nfsync = off\n"
            "dynamic_shared_memory_type = mmap\n"
            f"ssl_cert_file = '{home}/etc/server.crt'\nssl_key_file = '{home}/etc/server.key'")

    def run(self, host: str, commands: str) -> str:
        """Runs commands that must succeed; returns what they print on standard output."""
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

    def perform(self, block: Block) -> None:
        """Runs a block, and compares what it prints with what the page shows."""
        self._reap()
        if block.user == "a service":
            self.services[block.host] = Server(
                [*self._as, *self._ours(block.host, block.text).split()], str(self.home(block.host)),
                self._environment(block.host))
            assert self.services[block.host].address(SECONDS), self.services[block.host].said
        elif not block.is_console:
            self.run(block.host, block.text)
        else:
            for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, *expected = step.splitlines()
                printed = self.run(block.host, command).splitlines()
                assert fits(expected, printed), f"{command}\nprinted {printed}"

    def end(self) -> None:
        for server in self.services.values():
            server.discard()
        for host in DATABASES:
            if (self.home(host) / "data/postmaster.pid").exists():
                self.run(host, "pg_ctl stop --mode immediate || true")
        shutil.rmtree(self._databases, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)
