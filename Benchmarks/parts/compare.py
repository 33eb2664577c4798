"""Compares two versions of the server, which take turns on stores of the same size and under the same loads."""

import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from .load import as_fast_as_it_goes, run
from .refresh import (
    ACTIVATE, ACTIVATIONS, LEASE, RATE, VALIDATE, first_lease, first_refresh, floor_of, refreshes_at_rate,
    refreshes_beside_activations)
from .seeds import HERE, PACKAGE, fill_database, fill_folder, say

VERSIONS = ("base", "this")
# Each version's programs create its stores, because before the first release, versions can't open each other's.
PROGRAMS = ["tenure", "bench-seed", "bench-renewals"]
WORSE = 1.05


def base_programs(base, work):
    """The folder with the base's programs; `base` is such a folder, or a commit that is built here."""
    if all((Path(base) / program).is_file() for program in PROGRAMS):
        return Path(base)
    commit = run(["git", "-C", str(PACKAGE), "rev-parse", "--verify", f"{base}^{{commit}}"]).strip()
    tree = work / f"base-{commit[:12]}"
    if not tree.exists():
        run(["git", "clone", "--quiet", "--no-checkout", str(PACKAGE), str(tree)])
        run(["git", "-C", str(tree), "checkout", "--quiet", commit])
    say(f"building {commit[:12]}")
    build = ["swift", "build", "-c", "release", "--package-path", str(tree)]
    for program in PROGRAMS:
        subprocess.run([*build, "--product", program], check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    return Path(run([*build, "--show-bin-path"]).strip())


class Comparison:
    """The figures of both versions by round; a ratio compares the two versions within one round."""

    def __init__(self):
        self.figures = {}

    def add(self, name, version, value):
        self.figures.setdefault(name, {each: [] for each in VERSIONS})[version].append(value)

    def rows(self):
        for name, both in self.figures.items():
            ratios = sorted(this / base for base, this in zip(both["base"], both["this"]) if base)
            if ratios:
                yield (name, statistics.median(both["base"]), statistics.median(both["this"]),
                       statistics.median(ratios), ratios)

    def is_worse(self, ratios):
        """Whether the median and the lower quartile of the ratios are both worse by more than 5 percent."""
        return statistics.median(ratios) > WORSE and ratios[len(ratios) // 4] > WORSE


def compare(bench, base, work, rounds, seconds, renewals_each, licenses):
    """Runs the loads on both versions in turns, and returns the names of the figures that got worse."""
    programs = {"base": base_programs(base, work), "this": bench.programs}
    found = Comparison()
    bench.cluster.start()
    say(f"seeding {licenses:,} licenses and activations")
    seeds, databases = {}, {}
    for version in VERSIONS:
        seeds[version] = fill_folder(work / f"compare-seed-{version}", programs[version], licenses)
        databases[version] = fill_database(
            bench.cluster, f"compare_seed_{version}", seeds[version], programs[version])

    def start(version, name, *words):
        return bench.start(f"{name}-{version}", [programs[version] / "tenure", "serve", "--listen", "127.0.0.1:0", *words])

    for engine in ("SQLite", "PostgreSQL"):
        servers, cluster = {}, None
        for version in VERSIONS:
            if engine == "SQLite":
                servers[version] = start(version, "sqlite", "--data", bench.copy(seeds[version], f"compare-{version}"))
            else:
                cluster = bench.cluster
                cluster.copy(databases[version], f"compare_{version}")
                servers[version] = start(version, "postgres", "--store", cluster.url(f"compare_{version}"),
                                         "--master-key-file", seeds[version] / "master.key")
            found.add(f"{engine}: RssAnon idle, MB", version, servers[version].memory()[0])
        floors = floors_of(bench, servers["this"], seeds["this"]) if engine == "SQLite" else {}
        at_full_speed(engine, servers, floors, seeds, cluster, found, rounds, seconds)
        for version in VERSIONS:
            found.add(f"{engine}: RssAnon under load, MB", version, servers[version].memory()[0])
        if engine == "SQLite":
            at_fixed_rates(bench, servers, floors[VALIDATE], seeds, found, rounds)
        bench.stop_all()
    renewals(bench, programs, start, found, work, rounds, seconds, renewals_each)
    for turn in range(rounds):
        for version in VERSIONS:
            server = start(version, "start", "--data", work / f"compare-{version}")
            found.add("start to ready, ms", version, server.seconds_to_ready * 1000)
            bench.stop_all()
    for version in VERSIONS:
        shutil.rmtree(work / f"compare-{version}", ignore_errors=True)
        shutil.rmtree(seeds[version], ignore_errors=True)
        for database in (f"compare_{version}", databases[version]):
            bench.cluster.drop(database)
    for name, before, now, _, ratios in found.rows():
        bench.report.add(f"{name} (base {before:.4g}, this {now:.4g})", ratios, "x", WORSE)
    return [name for name, _, _, _, ratios in found.rows() if found.is_worse(ratios)]


def floors_of(bench, server, folder):
    """Starts a floor for the refreshes of each dialect; returns the floors by path."""
    return {path: floor_of(bench, f"floor-{place}", server, path, body)
            for place, (path, body) in enumerate((first_refresh(folder), first_lease(folder)))}


def at_full_speed(engine, servers, floors, seeds, cluster, found, rounds, seconds):
    """Compares refreshes and activations with busy clients, and refreshes with their floors."""
    loads = [(f"refresh, {clients} clients", VALIDATE, clients) for clients in (1, 8, 64)]
    loads += [("refresh, Tenure dialect, 64 clients", LEASE, 64)]
    loads += [(f"activation, {clients} clients", ACTIVATE, clients) for clients in (1, 16, 64, 256)]
    for label, path, clients in loads:

        def measure(server, version, turn):
            return as_fast_as_it_goes([server], HERE / "devices.lua", path, seeds[version] / "keys.txt", seconds, clients,
                                      turn + 2 + 1000 * clients, cluster)

        for turn in range(-1, rounds):
            say(f"{engine}, {label}: " + ("warming up" if turn < 0 else f"round {turn + 1} of {rounds}"))
            floor = measure(floors[path], "this", turn)["cpu"] if path in floors and clients == 64 else None
            # The order alternates, because the first version runs on a colder processor.
            for version in VERSIONS if turn % 2 else reversed(VERSIONS):
                figures = measure(servers[version], version, turn)
                if turn < 0:
                    continue
                found.add(f"{engine}, {label}: CPU, us", version, figures["cpu"])
                found.add(f"{engine}, {label}: time between answers, us", version, 1_000_000 / figures["rate"])
                if floor:
                    found.add(f"{engine}, {label}: CPU over the floor's", version, figures["cpu"] / floor)
                if cluster:
                    found.add(f"{engine}, {label}: database's CPU, us", version, figures["database cpu"])


def at_fixed_rates(bench, servers, floor, seeds, found, rounds):
    """Compares the slowest refreshes at a fixed rate, alone and during activations."""
    for turn in range(rounds):
        say(f"{RATE:,} a second, round {turn + 1} of {rounds}")
        least = refreshes_at_rate(bench, floor, seeds["this"] / "keys.txt")["p99"]
        for version in VERSIONS if turn % 2 else reversed(VERSIONS):
            for measure, label in ((refreshes_at_rate, ""), (refreshes_beside_activations, f" beside {ACTIVATIONS} activations/s")):
                p99 = measure(bench, servers[version], seeds[version] / "keys.txt")["p99"]
                found.add(f"refresh at {RATE:,}/s{label}: p99, us", version, p99)
                found.add(f"refresh at {RATE:,}/s{label}: p99 over the floor's", version, p99 / least)


def renewals(bench, programs, start, found, work, rounds, seconds, renewals_each):
    """Compares renewals of app licenses with one id and with many. Each version receives each request once."""
    folders = {version: work / f"compare-renewals-{version}" for version in VERSIONS}
    for version, folder in folders.items():
        shutil.rmtree(folder, ignore_errors=True)
        run([str(programs[version] / "tenure"), "apply", str(HERE / "marketplace.json"), "--data", str(folder)])
        for ids, count in renewals_each.items():
            run([str(programs[version] / "bench-renewals"), "bodies", str(folder / "tenure.sqlite"),
                 str(count * (rounds + 1)), str(ids), str(folder / f"bodies-{ids}")])
    servers = {version: start(version, "renewals", "--data", folder) for version, folder in folders.items()}
    for ids, count in renewals_each.items():
        for turn in range(-1, rounds):
            say(f"renewal of {ids}: " + ("warming up" if turn < 0 else f"round {turn + 1} of {rounds}"))
            for version in VERSIONS if turn % 2 else reversed(VERSIONS):
                figures = as_fast_as_it_goes(
                    [servers[version]], HERE / "renew.lua", "/marketplace/acme/licenses/renew",
                    folders[version] / f"bodies-{ids}", seconds, 16, turn + 1, None, [count])
                if turn >= 0:
                    found.add(f"SQLite, renewal of {ids}: CPU, us", version, figures["cpu"])
    bench.stop_all()
    for folder in folders.values():
        shutil.rmtree(folder, ignore_errors=True)
