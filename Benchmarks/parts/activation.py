"""Measures durable activations, which are limited by the disk."""

from .load import as_fast_as_it_goes, bare_rate
from .process import commits
from .refresh import ACTIVATE
from .seeds import HERE, say

CLIENTS = 256


def measure_activation(bench, engines):
    """Compares durable activations with a bare loop on an equal database, at the server's batch size."""
    product, bare = bench.work / "large", bench.copy(bench.seeded(bench.large), "bare")
    kinds = {"SQLite": ([bench.serve("activation", product)], "bench-bare", bare / "tenure.sqlite",
                        lambda: commits(product / "tenure.sqlite"))}
    if "PostgreSQL" in engines:
        bench.cluster.copy(bench.seeded_database(), "bare")
        first, second = (bench.serve_shared(f"activation-{place}", "large") for place in ("first", "second"))
        seeded_events = bench.cluster.ask("large", "SELECT max(sequence) FROM events")[0][0]

        def commits_in_postgres():
            # Events of one commit share a transaction number, and only activations write events here.
            return int(bench.cluster.ask(
                "large", f"SELECT count(DISTINCT xmin::text) FROM events WHERE sequence > {seeded_events}")[0][0])

        loop = ("bench-bare-postgres", bench.cluster.url("bare"), commits_in_postgres)
        kinds |= {"PostgreSQL": ([first], *loop), "PostgreSQL, two servers": ([first, second], *loop)}
    rounds = {label: [] for label in kinds}
    for turn in range(-1, bench.rounds):
        say("warming up" if turn < 0 else f"activation, round {turn + 1} of {bench.rounds}")
        for label, (servers, loop, database, commits_now) in kinds.items():
            before = commits_now()
            figures = as_fast_as_it_goes(
                servers, HERE / "devices.lua", ACTIVATE, product / "keys.txt", bench.seconds, CLIENTS, turn + 100,
                None if label == "SQLite" else bench.cluster)
            figures["batch"] = figures["requests"] / max(commits_now() - before, 1)
            figures["bare"] = bare_rate(bench.programs / loop, database, figures["batch"], bench.seconds)
            if turn >= 0:
                rounds[label].append(figures)
    memory = kinds["SQLite"][0][0].memory()
    bench.stop_all()
    add = bench.report.add
    for label, each_round in rounds.items():
        label, target = f"activation, {label}", 0.85 if label == "SQLite" else 0.8
        add(f"{label}: rate, {CLIENTS} clients", [each["rate"] for each in each_round], "/s")
        add(f"{label}: changes in a commit", [each["batch"] for each in each_round], "")
        add(f"{label}: bare loop at that batch", [each["bare"] for each in each_round], "/s")
        add(f"{label}: rate over the bare loop's", [each["rate"] / each["bare"] for each in each_round], "x", target,
            least=True)
        add(f"{label}: CPU per request", [each["cpu"] for each in each_round], "us")
        if "database cpu" in each_round[0]:
            add(f"{label}: CPU in the database", [each["database cpu"] for each in each_round], "us")
        add(f"{label}: p50", [each["p50"] / 1000 for each in each_round], "ms")
        add(f"{label}: p99", [each["p99"] / 1000 for each in each_round], "ms")
    add("activation, SQLite: RssAnon", memory[0], "MB", 48)
