"""Runs a mixed load with faults on both engines, and checks that nothing acknowledged is lost and memory stays flat.

Environment:
  TENURE_PROGRAM  the program under test
  SOAK_SECONDS    how long the load runs (default 3600); the second half has no faults
  SOAK_SEED       decides the load and the order of faults (default: a new one, which is printed)
  SOAK_ENGINES    sqlite, postgres, or both separated by a comma (default: both at the same time)
  SOAK_SVG        a file for a chart
  SOAK_FOLDER     a folder for data and logs; must not exist (default: a temporary one). Kept if a claim fails.
"""

import collections
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

import chart
import report
from faults import Faults, small_disk
from loaded_site import Site, postgres_site, slow_database, sqlite_site
from loads import Load
from measures import Measures
from population import loads_of

SAMPLED_OF_EACH = 10
FAULTS_PART = 0.5


class Soak:
    """One soak: its sites with their faults and loads, and its results."""

    def __init__(self, folder: Path, seconds: float, seed: str, engines: list[str]):
        self.folder, self.seconds, self.seed, self.engines = folder, seconds, seed, engines
        self.sites: list[Site] = []
        self.faults: dict[str, Faults] = {}
        self.loads: dict[str, list] = {}
        self.database = self.disk = None
        self.caused: collections.Counter = collections.Counter()
        self.facts = self.sampled = 0
        self.notes: list[str] = []

    def prepare(self) -> None:
        shortest = min(1.0, self.seconds / 120)
        if "sqlite" in self.engines:
            self.disk = small_disk(self.folder / "disk")
            if self.disk is None:
                self.notes.append("no full disk: this user can't mount a file system")
            site = sqlite_site(self.folder / "sqlite", (self.disk or self.folder) / "data")
            self.sites.append(site)
            self.faults[site.name] = Faults(site, self.seed, shortest, disk=self.disk)
        if "postgres" in self.engines:
            self.database, slow = slow_database(self.folder)
            site = postgres_site(self.folder / "postgres", self.database, self.database.new_database())
            self.sites.append(site)
            self.faults[site.name] = Faults(site, self.seed, shortest, slow=slow)
        for site in self.sites:
            site.start()
            self.loads[site.name] = loads_of(site, self.seed)

    def answered(self, site: str) -> int:
        counts = [pair for load in self.loads[site] for pair in list(load.counts.items())]
        return sum(count for (_, how), count in counts if how == "answered")

    def run(self) -> None:
        answered = {site.name: (lambda name=site.name: self.answered(name)) for site in self.sites}
        self.measures = Measures(self.sites, answered, interval=min(2.0, max(0.2, self.seconds / 600)))
        for load in self._all_loads():
            load.start()
        progress = report.Progress(self.seconds)
        self._disturb(progress)
        self.quiet_since = self.measures.now
        while self.measures.now < self.seconds:
            self._say(progress, "no more faults")
            time.sleep(min(1.0, self.seconds / 50))
        self.quiet_until = self.measures.now
        for site in self.sites:
            site.is_ending.set()
        for load in self._all_loads():
            load.join()
        self.measures.end()
        progress.end()

    def _disturb(self, progress) -> None:
        """Causes faults on the sites in turns, with a pause after each, and checks a sample after each."""
        until, gap = self.seconds * FAULTS_PART, min(10.0, self.seconds / 100)
        chance = random.Random(f"{self.seed} pauses")
        turn = 0
        while self.measures.now < until:
            site = self.sites[turn % len(self.sites)]
            turn += 1
            at = self.measures.now
            kind = self.faults[site.name].cause()
            self.caused[site.name, kind] += 1
            self.measures.mark(at, site.name, kind)
            self._say(progress, f"{site.name}: {kind}")
            self.sampled += sum(self._verify(site, load, SAMPLED_OF_EACH) for load in self.loads[site.name])
            pause = time.monotonic() + gap * chance.uniform(0.5, 1.5)
            while time.monotonic() < pause and self.measures.now < until:
                self._say(progress, f"{site.name}: {kind}")
                time.sleep(0.2)

    def _say(self, progress, what: str) -> None:
        problems = sum(len(site.problems) for site in self.sites)
        total = sum(self.answered(site.name) for site in self.sites)
        progress.say(self.measures.now, total, sum(self.caused.values()), problems, what)

    def _all_loads(self):
        return [load for loads in self.loads.values() for load in loads]

    def _verify(self, site: Site, load: Load, most: int | None = None) -> int:
        with load.lock:
            try:
                return load.verify(most)
            except Exception:
                site.problem(f"{load.name}: verification failed: {traceback.format_exc()}")
                return 0

    def check(self) -> None:
        """Verifies every record, ends each server, and runs the doctor."""
        print("verifying every acknowledged change", flush=True)
        with ThreadPoolExecutor() as pool:
            pairs = [(site, load) for site in self.sites for load in self.loads[site.name]]
            self.facts = sum(pool.map(lambda pair: self._verify(*pair), pairs))
        for site in self.sites:
            code = site.running.stop()
            if code != 0:
                site.problem(f"the last server ended with {code}")
            doctor = site.installation.run("doctor", "--deep")
            (self.folder / f"doctor-{site.name}.txt").write_text(doctor.out + doctor.err)
            if doctor.code != 0 or "FAILURE" in doctor.out:
                site.problem(f"doctor --deep ended with {doctor.code}: {doctor.out}{doctor.err}")

    @property
    def problems(self) -> list[str]:
        return [problem for site in self.sites for problem in site.problems]

    def end(self, is_kept: bool) -> None:
        """Ends the servers and databases; deletes the folder, or keeps it with a copy of both stores."""
        for site in self.sites:
            if site.running:
                (self.folder / f"server-{site.name}.log").write_text(site.running.said)
            site.end()
        if self.database:
            if is_kept:
                self.database.stop()
                shutil.copytree(self.database.folder / "data", self.folder / "postgres-data")
            self.database.end()
        if self.disk:
            if is_kept:
                shutil.copytree(self.disk, self.folder / "sqlite-data")
            subprocess.run(["umount", "--lazy", str(self.disk)], check=True)
        if not is_kept:
            shutil.rmtree(self.folder)


def main() -> int:
    seconds, seed = float(os.environ.get("SOAK_SECONDS") or 3600), os.environ.get("SOAK_SEED") or secrets.token_hex(4)
    engines = (os.environ.get("SOAK_ENGINES") or "sqlite,postgres").split(",")
    if set(engines) - {"sqlite", "postgres"} or seconds < 10:
        sys.exit("soak: SOAK_ENGINES is sqlite, postgres or both, and SOAK_SECONDS at least 10")
    folder = Path(os.environ.get("SOAK_FOLDER") or tempfile.mkdtemp(prefix="tenure-soak-"))
    folder.mkdir(exist_ok=not os.environ.get("SOAK_FOLDER"))
    print(f"soak: {seconds:.0f} s on {' and '.join(engines)}, SOAK_SEED={seed}, folder {folder}", flush=True)
    soak, is_good = Soak(folder, seconds, seed, engines), False
    try:
        soak.prepare()
        soak.run()
        soak.check()
        is_good = report.verdict(soak)
        if path := os.environ.get("SOAK_SVG"):
            Path(path).write_text(chart.svg(soak.measures, f"Soak of {seconds:.0f} s, seed {seed}"))
    finally:
        soak.end(is_kept=not is_good)
        if not is_good:
            print(f"soak: the folder is kept: {folder}", file=sys.stderr)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
