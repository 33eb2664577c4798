"""Runs a PostgreSQL server for the benchmark, on a Unix socket and with full durability."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

# No setting trades durability for speed: fsync, full_page_writes and synchronous_commit stay on, their default.
SETTINGS = {"listen_addresses": "", "shared_buffers": "1GB", "max_wal_size": "4GB", "checkpoint_timeout": "15min"}
TICKS = os.sysconf("SC_CLK_TCK")


def programs():
    """The folder of PostgreSQL's programs; the newest version if several are installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    if not found and shutil.which("initdb"):
        found = [os.path.dirname(os.path.realpath(shutil.which("initdb")))]
    if not found:
        raise SystemExit("bench: there is no PostgreSQL here; install it: sudo apt-get install postgresql")
    return Path(found[-1])


class Cluster:
    """A cluster that later runs reuse. PostgreSQL refuses to run as root, so it then runs as `postgres`."""

    def __init__(self, work):
        self.bin = programs()
        version = subprocess.run([self.bin / "postgres", "--version"], stdout=subprocess.PIPE, text=True, check=True)
        self.version = int(version.stdout.split()[2].split(".")[0])
        self.folder = work / f"postgres-{self.version}"
        self.log = work / f"postgres-{self.version}.log"
        self.user = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            self.user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self.process = self.socket = None

    def start(self):
        """Starts the cluster, creating it if necessary; returns once it accepts connections."""
        self.socket = tempfile.mkdtemp(prefix="tenure-bench-")
        if self.user:
            os.chown(self.socket, self.user["user"], self.user["group"])
        with open(self.log, "wb") as log:
            if not (self.folder / "PG_VERSION").exists():
                self._create(log)
            words = [str(self.bin / "postgres"), "-D", str(self.folder), "-k", self.socket]
            for name, value in SETTINGS.items():
                words += ["-c", f"{name}={value}"]
            self.process = subprocess.Popen(
                words, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.user)
        while not self._is_ready():
            if self.process.poll() is not None:
                raise SystemExit(f"bench: PostgreSQL did not start; see {self.log}")
            time.sleep(0.05)

    def _create(self, log):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        if self.user:
            os.chown(self.folder, self.user["user"], self.user["group"])
        words = [self.bin / "initdb", "-D", self.folder, "-U", "tenure", "-A", "trust", "-E", "UTF8", "--locale", "C"]
        if subprocess.run(words, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.user).returncode:
            raise SystemExit(
                f"bench: initdb failed; see {self.log}. PostgreSQL's user must be able to reach {self.folder}")

    def _is_ready(self):
        try:
            lines = (self.folder / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        # A killed server leaves this file behind, so the process id is compared.
        return len(lines) >= 8 and int(lines[0]) == self.process.pid and "ready" in lines[7]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
        if self.socket:
            shutil.rmtree(self.socket, ignore_errors=True)
        self.process = self.socket = None

    def url(self, database):
        return f"postgres://tenure@/{database}?host={self.socket}"

    def ask(self, database, *statements):
        """Runs statements one by one; returns the rows of the last one as lists of strings."""
        words = [str(self.bin / "psql"), "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", self.url(database)]
        for statement in statements:
            words += ["-c", statement]
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise SystemExit(f"bench: PostgreSQL refused: {done.stderr.strip()}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def databases(self):
        return {name for name, in self.ask("postgres", "SELECT datname FROM pg_database WHERE NOT datistemplate")}

    def drop(self, database):
        self.ask("postgres", f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def copy(self, source, target):
        """Replaces the target database with a writable copy of the source."""
        self.drop(target)
        # Otherwise, every page of the copy would be written to the WAL first.
        strategy = " STRATEGY file_copy" if self.version >= 15 else ""
        self.ask("postgres", f"CREATE DATABASE {target} TEMPLATE {source}{strategy}", "CHECKPOINT")
        return target

    def cpu(self):
        """The CPU nanoseconds of all processes of the cluster, including those that have ended."""
        postmaster = self.process.pid
        used = 0
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                stat = (process / "stat").read_text().rsplit(")", 1)[1].split()
                if int(process.name) == postmaster:
                    # Fields 16 and 17: the CPU time of children that have ended.
                    used += (int(stat[13]) + int(stat[14])) * 1_000_000_000 // TICKS
                elif int(stat[1]) != postmaster:
                    continue
                used += int((process / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                continue  # A process that has just ended.
        return used
