"""Loads on a server: as fast as it goes, and at a fixed rate."""

import json
import re
import subprocess

from .process import cpu_between

MICROSECONDS = {"us": 1, "ms": 1000, "s": 1_000_000}


def run(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: {words[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def as_fast_as_it_goes(server, script, path, keys, seconds, connections, seed):
    """Requests per second, CPU microseconds for each, and latencies with every connection always busy."""
    before = server.threads()
    text = run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script),
                f"http://127.0.0.1:{server.port}{path}", "--", str(keys), str(seed)])
    spent, evenness = cpu_between(before, server.threads())
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    broken = re.search(r"Socket errors: (.*)", text)
    if refused or broken:
        raise SystemExit(f"bench: {server.name} did not answer everything with 200:\n{text}")
    requests = int(re.search(r"(\d+) requests in", text)[1])
    figures = {"requests": requests, "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
               "cpu": spent / requests, "evenness": evenness}
    for share in ("50", "99"):
        value, unit = re.search(rf"{share}%\s+([\d.]+)(us|ms|s)", text).groups()
        figures[f"p{share}"] = float(value) * MICROSECONDS[unit]
    return figures


def at_a_rate(program, server, path, keys, rate, seconds):
    """Latencies in microseconds when requests are due one after the other, counted from when each was due."""
    before = server.threads()
    figures = json.loads(run([str(program), str(server.port), path, str(rate), str(seconds), "64", str(keys)]))
    figures["cpu"] = cpu_between(before, server.threads())[0] / figures["requests"]
    if figures["notOK"]:
        raise SystemExit(f"bench: {server.name} refused {figures['notOK']} requests")
    return figures
