"""Measures the client in an app: its speed, its work on the main actor, its requests and its size."""

import json
import re
import socket
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

from .load import run
from .seeds import say

DIALECTS = ("tenure", "keylight")
# No server listens here, so a launch that sent a request would fail at once.
NOWHERE = "http://127.0.0.1:1"
REFRESHES = 20
# In seconds: the wait until the runtime has ended its idle threads, and the time in which wake-ups are counted.
SETTLING, WATCHED = 8, 10
MOST_LAUNCH, MOST_STRETCH, MOST_SILENT = 2, 1, 5
SILENT_LAUNCHES = 5


def measure_client(bench, folder, rounds, launches):
    """Measures an app on a real server, over both dialects, from its first activation until a few days later."""
    key = (folder / "keys.txt").open().readline().split()[0]
    clock = folder / "clock"
    clock.write_text("0")
    server = bench.serve("client", folder, "--clock", clock)
    url = f"http://127.0.0.1:{server.port}"
    program = bench.programs / "bench-client"

    def ask(verb, dialect, at, *words):
        return json.loads(run([str(word) for word in (program, verb, at, dialect, folder / f"app-{dialect}", *words)]))

    activations, launched, refreshed, requests = ({dialect: [] for dialect in DIALECTS} for _ in range(4))
    for turn in range(rounds):
        say(f"client, round {turn + 1} of {rounds}")
        for dialect in DIALECTS:
            activations[dialect].append(ask("activate", dialect, url, REFRESHES, key))
            launched[dialect].append(ask("launch", dialect, NOWHERE, launches))
    say("client, doing nothing")
    wakes = idle(bench, program, url, folder, key)
    for turn in range(rounds):
        say(f"client, refresh, round {turn + 1} of {rounds}")
        for dialect in DIALECTS:
            before = answered(url)
            refreshed[dialect].append(ask("refresh", dialect, url, REFRESHES, clock))
            requests[dialect].append((answered(url) - before) / REFRESHES)
    silent = {dialect: [] for dialect in DIALECTS}
    with socket.create_server(("127.0.0.1", 0), backlog=512) as nobody:
        # The kernel accepts the connections, but no request is ever read or answered.
        nowhere = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        for turn in range(rounds):
            say(f"client, silent server, round {turn + 1} of {rounds}")
            for dialect in DIALECTS:
                # Launches and the other dialect's refreshes move the clock; without a refresh, the lease would expire.
                ask("refresh", dialect, url, 1, clock)
                silent[dialect].append(ask("silent", dialect, nowhere, SILENT_LAUNCHES, clock))
    bench.stop_all()

    add = bench.report.add
    for dialect in DIALECTS:
        label = f"client, {dialect}"

        def add_milliseconds(name, each_round, figure, target=None):
            add(f"{label}: {name}", [each[figure] / 1000 for each in each_round[dialect]], "ms", target)

        add_milliseconds("first launch of a process", launched, "first", MOST_LAUNCH)
        add_milliseconds("launch, p50", launched, "p50", MOST_LAUNCH)
        add_milliseconds("launch, p99", launched, "p99", MOST_LAUNCH)
        add_milliseconds("launch, silent server, old answer, p99", silent, "p99", MOST_SILENT)
        add_milliseconds("activation, p50", activations, "p50")
        add_milliseconds("refresh, p50", refreshed, "p50")
        add_milliseconds("main actor, first launch of a process", launched, "first work", MOST_STRETCH)
        add_milliseconds("main actor, CPU, first launch of a process", launched, "first CPU", MOST_STRETCH)
        for name, act in (("launch", launched), ("activation", activations), ("refresh", refreshed)):
            add_milliseconds(f"main actor, {name}", act, "work", MOST_STRETCH)
            add_milliseconds(f"main actor, CPU, {name}", act, "CPU", MOST_STRETCH)
        add(f"{label}: requests for a refresh", requests[dialect], "", 1)
        add(f"{label}: wake-ups in {WATCHED} idle seconds", max(0, wakes[dialect] - wakes["nothing"]), "", 0)
    add(f"Swift's own wake-ups in {WATCHED} idle seconds", wakes["nothing"], "")
    small, large = (weight(bench.programs / name, folder) for name in ("bench-hello", "bench-hello-client"))
    add("hello world", small, "MiB")
    add("hello world with the client", large, "MiB")
    add("growth by the client", large - small, "MiB")


def answered(url):
    """The number of requests that a server has answered, except requests for metrics."""
    with urlopen(f"{url}/metrics") as answer:
        lines = re.findall(r"^tenure_http_requests_total\{(.*)\} (\d+)$", answer.read().decode(), re.MULTILINE)
    return sum(int(count) for labels, count in lines if "metrics" not in labels)


def idle(bench, program, url, folder, key):
    """The kernel's number of context switches of each idle app, by app."""
    apps = {}
    try:
        for name, words in {"nothing": ["nothing", url, "tenure", folder],
                            **{dialect: ["idle", url, dialect, folder / f"app-{dialect}", key]
                               for dialect in DIALECTS}}.items():
            apps[name] = subprocess.Popen(
                [program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            if apps[name].stdout.readline() != "idle\n":
                raise SystemExit("bench: bench-client did not get to idle")
        time.sleep(SETTLING)
        before = {name: switches(app.pid) for name, app in apps.items()}
        time.sleep(WATCHED)
        return {name: switches(app.pid) - before[name] for name, app in apps.items()}
    finally:
        for app in apps.values():
            app.kill()
            app.wait()
            app.stdout.close()


def switches(pid):
    """The number of context switches of all threads of a process."""
    count = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        count += sum(int(number) for number in re.findall(r"ctxt_switches:\s+(\d+)", (task / "status").read_text()))
    return count


def weight(program, folder):
    """The size of a program without its symbols, in mebibytes."""
    stripped = folder / program.name
    run(["strip", "-o", str(stripped), str(program)])
    return stripped.stat().st_size / (1 << 20)
