"""The faults of a soak. Each one disturbs a site for a moment and then undoes the disturbance."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from loaded_site import Site

DAY = 86_400
ROOMY = "4g"
# A file system that is this much larger than its contents is full after a few changes.
LAST_BYTES = 64 * 1024
SLOW_MILLISECONDS = (20, 100, 400)


class Faults:
    """The faults that are possible on a site, in an order that the seed decides: each kind once, then all again."""

    def __init__(self, site: Site, seed: str, shortest: float, disk: Path | None = None, slow: Path | None = None):
        self.site, self.disk, self.slow = site, disk, slow
        self.chance = random.Random(f"{seed} {site.name} faults")
        self.shortest = shortest
        self.kinds: dict[str, Callable[[], None]] = {
            "kill": site.kill, "kill twice": self._kill_twice, "SIGTERM": site.restart,
            "clock ahead": self._clock_ahead, "clock back": self._clock_back, "small clock step": self._small_step,
            "slow disk": self._slow_disk}
        if disk:
            self.kinds["full disk"] = self._full_disk
        if site.database:
            self.kinds |= {
                "database crash": self._crash, "database stop": self._stop,
                "database session killed": self._kill_session, "kill without database": self._kill_without_database}
        self._bag: list[str] = []

    def cause(self) -> str:
        """Causes the next fault, and waits until the server is ready again; returns the fault's kind."""
        if not self._bag:
            self._bag = list(self.kinds)
            self.chance.shuffle(self._bag)
        kind = self._bag.pop()
        self.site.begin_fault()
        try:
            self.kinds[kind]()
        finally:
            self.site.end_fault()
        return kind

    def _hold(self) -> None:
        time.sleep(self.shortest * self.chance.uniform(1, 4))

    def _kill_twice(self) -> None:
        """Kills the server, and kills the next one right after its start."""
        self.site.kill()
        self.site.kill()

    def _clock_ahead(self) -> None:
        self._step(self.chance.choice([1, 40, 400]) * DAY)

    def _clock_back(self) -> None:
        self._step(self.chance.choice([-1, -40, -400]) * DAY)

    def _small_step(self) -> None:
        """Steps the clock by at most 250 s; the server still trusts a clock that is up to 300 s off."""
        self._step(self.chance.choice([-250, -100, 100, 250]))

    def _step(self, seconds: int) -> None:
        self.site.installation.fake_clock(seconds)
        self._hold()
        self.site.installation.fake_clock(0)

    def _slow_disk(self) -> None:
        self._delay(self.chance.choice(SLOW_MILLISECONDS))
        self._hold()
        self._delay(0)

    def _delay(self, milliseconds: int) -> None:
        self.site.installation.slow_disk(milliseconds)
        if self.slow:
            self.slow.write_text(f"{milliseconds}\n")

    def _full_disk(self) -> None:
        """Shrinks the file system to its contents, and restores its size."""
        used = os.statvfs(self.disk)
        resize(self.disk, str((used.f_blocks - used.f_bfree) * used.f_frsize + LAST_BYTES))
        self._hold()
        if self.chance.random() < 0.3:
            self.site.running.kill()
            resize(self.disk, ROOMY)
            self.site.start()
        resize(self.disk, ROOMY)

    def _crash(self) -> None:
        """Kills all processes of PostgreSQL, which recovers from its WAL when it starts again."""
        self.site.database.crash()
        self._hold()
        self.site.database.start()

    def _stop(self) -> None:
        self.site.database.stop()
        self._hold()
        self.site.database.start()

    def _kill_session(self) -> None:
        """Kills the process of one session, after which PostgreSQL ends all sessions and recovers."""
        found = self.site.database.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'soak'")
        if found:
            os.kill(int(self.chance.choice(found)), signal.SIGKILL)
        self._hold()

    def _kill_without_database(self) -> None:
        """Kills PostgreSQL and the server, so that the next server starts from its snapshot."""
        self.site.database.crash()
        self.site.kill()
        self._hold()
        self.site.database.start()


def resize(disk: Path, size: str) -> None:
    for _ in range(100):
        # The server may have written since the used size was read.
        done = subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], capture_output=True, text=True)
        if done.returncode == 0:
            return
        size = str(int(size) + LAST_BYTES) if size.isdigit() else size
    raise RuntimeError(f"can't resize {disk}: {done.stderr}")


def small_disk(folder: Path) -> Path | None:
    """Mounts a file system that can be made full; None where mounting isn't allowed."""
    folder.mkdir()
    done = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={ROOMY},mode=700", "tenure-soak", str(folder)],
        capture_output=True).returncode == 0
    return folder if done else None
