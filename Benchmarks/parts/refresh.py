"""Measures the most frequent requests of a license server: refreshes of leases, at full speed and at a fixed rate."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from .load import as_fast_as_it_goes, at_a_rate, run
from .seeds import HERE, say

VALIDATE, LEASE, ACTIVATE = "/acme/notes/validate", "/v1/acme/notes/leases/renew", "/acme/notes/activate"
RATE, ACTIVATIONS, COLD_RATE = 5_000, 300, 500
CLIENTS = 64
# The largest ratios that are accepted; see Documentation/performance.md.
OVER_FLOOR, LARGE_OVER_SMALL, BESIDE_ACTIVATIONS, START = 1.6, 1.3, 2, 3


def measure_refresh(bench, engines):
    """Compares refreshes with their floor, a large database with a small one, and PostgreSQL with SQLite."""
    large = bench.copy(bench.seeded(bench.large), "large")
    store = bench.serve("large", large)
    idle = store.memory()
    loads = {
        "floor": ([floor_of(bench, "floor", store, *first_refresh(large))], VALIDATE, large),
        "refresh": ([store], VALIDATE, large),
        "lease floor": ([floor_of(bench, "lease-floor", store, *first_lease(large))], LEASE, large),
        "lease": ([store], LEASE, large),
    }
    if bench.small < bench.large:
        small = bench.copy(bench.seeded(bench.small), "small")
        loads["small"] = ([bench.serve("small", small)], VALIDATE, small)
    if "PostgreSQL" in engines:
        database = bench.cluster.copy(bench.seeded_database(), "large")
        first, second = (bench.serve_shared(f"postgres-{place}", database) for place in ("first", "second"))
        loads |= {"postgres": ([first], VALIDATE, large), "two": ([first, second], VALIDATE, large)}
    found = {name: [] for name in loads}
    for turn in range(-1, bench.rounds):
        say("warming up" if turn < 0 else f"refresh, round {turn + 1} of {bench.rounds}")
        for name, (servers, path, folder) in loads.items():
            figures = as_fast_as_it_goes(
                servers, HERE / "devices.lua", path, folder / "keys.txt",
                bench.warming_seconds if turn < 0 else bench.seconds, CLIENTS, turn + 2,
                bench.cluster if name in ("postgres", "two") else None)
            if turn >= 0:
                found[name].append(figures)
    report_speed(bench, found)
    bench.report.add("idle: RssAnon", idle[0], "MB", 8)
    bench.report.add("idle: RssAnon and RssFile", sum(idle), "MB")
    anonymous, file = store.memory()
    bench.report.add("under load: RssAnon", anonymous, "MB", 48)
    bench.report.add("under load: RssFile", file, "MB")
    paced(bench, loads["floor"][0][0], store, large / "keys.txt")
    bench.stop_all()


def first_refresh(folder):
    key, instance = (folder / "keys.txt").open().readline().split()[:2]
    return VALIDATE, '{"license_key":"%s","instance_id":"%s"}' % (key, instance)


def first_lease(folder):
    key, instance, device = (folder / "keys.txt").open().readline().split()
    return LEASE, '{"nonce":"%s","device":"%s","licenseKey":"%s","activation":"%s"}' % ("A" * 22, device, key, instance)


def floor_of(bench, name, server, path, body):
    """Starts a server whose responses are as long as this server's response to the request."""
    answer = run(["curl", "-sS", "-H", "Content-Type: application/json", "-d", body,
                  f"http://127.0.0.1:{server.port}{path}"])
    return bench.start(name, [bench.programs / "bench-floor", "127.0.0.1:0", len(answer)])


def report_speed(bench, found):
    add = bench.report.add
    labels = {
        "floor": "floor", "refresh": f"refresh, {bench.large:,}", "small": f"refresh, {bench.small:,}",
        "lease floor": "floor, Tenure dialect", "lease": "refresh, Tenure dialect",
        "postgres": "refresh, PostgreSQL", "two": "refresh, PostgreSQL, two servers"}
    for name, rounds in found.items():
        label = labels[name]
        add(f"{label}: CPU per request", [each["cpu"] for each in rounds], "us")
        if "database cpu" in rounds[0]:
            add(f"{label}: CPU in the database", [each["database cpu"] for each in rounds], "us")
        add(f"{label}: requests/s", [each["rate"] for each in rounds], "/s")
        add(f"{label}: p50, {CLIENTS} busy clients", [each["p50"] for each in rounds], "us")
        add(f"{label}: p99, {CLIENTS} busy clients", [each["p99"] for each in rounds], "us")
    for name, other, label, target in (
            ("refresh", "floor", "refresh: CPU over the floor's", OVER_FLOOR),
            ("lease", "lease floor", "refresh, Tenure dialect: CPU over the floor's", OVER_FLOOR),
            ("refresh", "small", f"refresh: CPU at {bench.large:,} over {bench.small:,}", LARGE_OVER_SMALL),
            ("postgres", "refresh", "refresh, PostgreSQL: server's CPU over SQLite's", 1.5),
            ("two", "refresh", "refresh, PostgreSQL, two servers: their CPU over SQLite's", 1.5)):
        if name in found:
            add(label, [one["cpu"] / two["cpu"] for one, two in zip(found[name], found[other])], "x", target)
    add("refresh: quieter event thread's share of the busier's", [each["evenness"] for each in found["refresh"]], "x",
        0.5, least=True)


def refreshes_at_rate(bench, server, keys, rate=RATE):
    return at_a_rate(bench.programs / "bench-load", server, VALIDATE, keys, rate, bench.seconds)


def refreshes_beside_activations(bench, server, keys):
    with ThreadPoolExecutor(1) as other:
        activations = other.submit(at_a_rate, bench.programs / "bench-load", server, ACTIVATE, keys, ACTIVATIONS,
                                   bench.seconds + 1, 16)
        time.sleep(0.5)
        figures = refreshes_at_rate(bench, server, keys)
        figures["activation p99"] = activations.result()["p99"]
    return figures


def paced(bench, floor, store, keys):
    """Refreshes at a fixed rate: the floor, the server, and the server while devices are also activated."""
    kinds = {
        "floor": lambda: refreshes_at_rate(bench, floor, keys),
        "refresh": lambda: refreshes_at_rate(bench, store, keys),
        "refresh beside activations": lambda: refreshes_beside_activations(bench, store, keys),
    }
    found = {name: [] for name in kinds}
    for turn in range(bench.rounds):
        say(f"{RATE:,} a second, round {turn + 1} of {bench.rounds}")
        for name, measure in kinds.items():
            found[name].append(measure())
    add = bench.report.add
    for name, rounds in found.items():
        for share in ("p50", "p99"):
            add(f"{name} at {RATE:,}/s: {share}", [each[share] / 1000 for each in rounds], "ms")
        if name != "refresh beside activations":
            add(f"{name} at {RATE:,}/s: CPU per request", [each["cpu"] for each in rounds], "us")
    add(f"{ACTIVATIONS} activations/s beside them: p99",
        [each["activation p99"] / 1000 for each in found["refresh beside activations"]], "ms")
    for name in ("refresh", "refresh beside activations"):
        add(f"{name} at {RATE:,}/s: p99 over the floor's",
            [one["p99"] / two["p99"] for one, two in zip(found[name], found["floor"])], "x", BESIDE_ACTIVATIONS)


def measure_start(bench):
    """Compares the time until the server is ready with that of a program that opens the store and reads one row."""
    folder = bench.work / "large"
    times, floors = [], []
    for _ in range(max(bench.rounds, 3)):
        began = time.monotonic()
        run([str(bench.programs / "bench-bare"), str(folder / "tenure.sqlite")])
        floors.append((time.monotonic() - began) * 1000)
        times.append(bench.serve("start", folder).seconds_to_ready * 1000)
        bench.stop_all()
    bench.report.add(f"start to ready, {bench.large:,}", times, "ms")
    bench.report.add("opening the store and reading a row", floors, "ms")
    bench.report.add(
        "start to ready over opening the store", [one / two for one, two in zip(times, floors)], "x", START)


def measure_cold(bench):
    """Refreshes right after a start, with no part of the database in memory."""
    folder = bench.work / "large"
    found = []
    for turn in range(bench.rounds):
        say(f"cold cache, round {turn + 1} of {bench.rounds}")
        with (folder / "tenure.sqlite").open("rb") as database:
            os.fsync(database.fileno())
            os.posix_fadvise(database.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        found.append(refreshes_at_rate(bench, bench.serve("cold", folder), folder / "keys.txt", COLD_RATE))
        bench.stop_all()
    for share in ("p50", "p99"):
        bench.report.add(f"refresh at {COLD_RATE}/s, cold cache: {share}", [each[share] / 1000 for each in found], "ms")
