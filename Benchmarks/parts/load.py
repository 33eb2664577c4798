"""Puts load on a server, at full speed or at a fixed rate."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from .process import cpu_between

MICROSECONDS = {"us": 1, "ms": 1000, "s": 1_000_000}


def run(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: {words[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def as_fast_as_it_goes(servers, script, path, keys, seconds, connections, seed, cluster=None, more=()):
    """Keeps every connection busy; returns requests per second, CPU microseconds per request, and latencies.

    Several servers share the connections: their CPU times are added, and the latencies are those of the slowest one.
    With a cluster, the result includes the CPU time of the database's processes per request.
    """
    before = [server.threads() for server in servers]
    database = cluster.cpu() if cluster else 0
    shares = [[server, script, path, keys, seconds, connections // len(servers), seed * len(servers) + place, more]
              for place, server in enumerate(servers)]
    with ThreadPoolExecutor(len(servers)) as side_by_side:
        found = list(side_by_side.map(lambda share: drive(*share), shares))
    requests = sum(each["requests"] for each in found)
    used = [cpu_between(early, server.threads()) for early, server in zip(before, servers)]
    figures = {"requests": requests, "rate": sum(each["rate"] for each in found),
               "cpu": sum(spent for spent, _ in used) / requests, "evenness": used[0][1]}
    if cluster:
        figures["database cpu"] = (cluster.cpu() - database) / 1000 / requests
    for share in ("p50", "p99"):
        figures[share] = max(each[share] for each in found)
    return figures


def drive(server, script, path, keys, seconds, connections, seed, more=()):
    """Runs one client program against one server and returns its figures."""
    text = run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script),
                f"http://127.0.0.1:{server.port}{path}", "--", str(keys), str(seed), *map(str, more)])
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    broken = re.search(r"Socket errors: (.*)", text)
    if refused or broken:
        raise SystemExit(f"bench: {server.name} did not answer everything with 200:\n{text}")
    figures = {"requests": int(re.search(r"(\d+) requests in", text)[1]),
               "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])}
    for share in ("50", "99"):
        value, unit = re.search(rf"{share}%\s+([\d.]+)(us|ms|s)", text).groups()
        figures[f"p{share}"] = float(value) * MICROSECONDS[unit]
    return figures


def bare_rate(program, database, batch, seconds):
    """Activations per second of a bare loop with `batch` activations per commit."""
    return json.loads(run([str(program), str(database), str(max(1, round(batch))), str(seconds)]))["rate"]


def at_a_rate(program, server, path, keys, rate, seconds, connections=64):
    """Sends requests at a fixed rate; returns latencies in microseconds, counted from when each request was due."""
    before = server.threads()
    figures = json.loads(run([str(program), str(server.port), path, str(rate), str(seconds), str(connections), str(keys)]))
    figures["cpu"] = cpu_between(before, server.threads())[0] / figures["requests"]
    if figures["notOK"]:
        raise SystemExit(f"bench: {server.name} refused {figures['notOK']} requests")
    return figures
