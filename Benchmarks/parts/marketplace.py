"""Measures a marketplace's responses to devices: tokens for fifty apps at once, and the files of packages."""

import json
import os
import re
import shutil
import socket
import sys

from .load import as_fast_as_it_goes, run
from .seeds import HERE, PACKAGE, say

sys.path += [str(PACKAGE / "Tests/System/Driver"), str(PACKAGE / "Examples/app-store-connect")]

from nginx import documented, nginx
from packages import Package

APPS, READERS = 50, 500
LARGE, SPARSE = 100 << 20, 3 << 30
VERSION = 900000101
RESTORE = "/marketplace/acme/restore"


def measure_marketplace(bench, work, rounds, seconds):
    folder = work / "marketplace"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    items = [1_000_000_000 + place for place in range(APPS)]
    for item in items:
        shutil.rmtree(Package(folder / f"package-{item}", item, VERSION).folder / "variant")
    (folder / "catalog.json").write_text(json.dumps({"tenants": [{"id": "acme", "marketplace": {
        "name": "Bench Mart", "domain": "127.0.0.1", "appleItemID": "6497405838", "access": "open",
        "apps": [{"appleItemID": "4711", "name": "Large"}] + [
            {"appleItemID": str(item), "package": f"package-{item}", "packageURL": f"https://cdn.example/{item}"}
            for item in items]}}]}))
    data, shelf = folder / "data", folder / "shelf"
    program = bench.programs / "tenure"
    run([str(program), "apply", str(folder / "catalog.json"), "--data", str(data), "--packages", str(shelf)])
    restore(bench, folder, items, rounds, seconds)
    packages(bench, folder, rounds, seconds)
    shutil.rmtree(folder, ignore_errors=True)


def restore(bench, folder, items, rounds, seconds):
    """Restores fifty apps with one request, and compares the CPU time per app with that of a signature."""
    body = {"apps": [{"appleItemId": str(item), "appleVersionId": str(VERSION)} for item in items], "platform": "iOS",
            "osVersion": "18.2"}
    (folder / "restore").write_text(json.dumps(body) + "\n")
    server = bench.serve("marketplace", folder / "data", "--packages", folder / "shelf")
    answer = json.loads(run(["curl", "-sS", "-d", f"@{folder / 'restore'}", f"http://127.0.0.1:{server.port}{RESTORE}"]))
    if len(answer["restores"]) != APPS:
        raise SystemExit(f"bench: only {len(answer['restores'])} of {APPS} apps are given back")
    answers, floors = [], []
    for turn in range(-1, rounds):
        say("warming up" if turn < 0 else f"restore, round {turn + 1} of {rounds}")
        floor = json.loads(run([str(bench.programs / "bench-renewals"), "signature", str(seconds / 4)]))["es256"]
        figures = as_fast_as_it_goes(
            [server], HERE / "renew.lua", RESTORE, folder / "restore", seconds, 16, 1, None, [1])
        if turn >= 0:
            answers.append(figures)
            floors.append(floor)
    bench.stop_all()
    add = bench.report.add
    add("ES256 signature alone", floors, "us")
    add(f"restore of {APPS} apps: requests/s", [each["rate"] for each in answers], "/s")
    add(f"restore of {APPS} apps: CPU for each", [each["cpu"] / APPS for each in answers], "us")
    add(f"restore of {APPS} apps: p99, 16 busy clients", [each["p99"] / 1000 for each in answers], "ms")
    add(f"restore of {APPS} apps: CPU for each over a signature's", [
        each["cpu"] / APPS / floor for each, floor in zip(answers, floors)], "x", 1.5)


def packages(bench, folder, rounds, seconds):
    """Downloads a large file that nginx serves directly, that the server lets nginx send, and that the server sends."""
    package = Package(folder / "large", 4711, VERSION, assets={
        "variant/00000000-0000-4000-8000-000000000001.ipa": os.urandom(LARGE)})
    [path] = package.assets
    words = ["--data", str(folder / "data"), "--packages", str(folder / "shelf")]
    run([str(bench.programs / "tenure"), "marketplace", "ingest", str(package.folder), "--tenant", "acme", *words])
    place = f"acme/4711/{VERSION}/{path}"
    behind = bench.serve("accel", folder / "data", "--packages", folder / "shelf", "--accel", "/inner/")
    configuration = documented("packages.md")
    for shown, ours in (
            ("unix:/run/tenure/tenure.sock", f"127.0.0.1:{behind.port}"), ("listen 443 ssl;", "listen 127.0.0.1:PORT;"),
            ("/srv/tenure/packages", str(folder / "shelf")),
            ("    location / {", f"    location /own/ {{ alias {folder / 'shelf'}/; }}\n    location / {{")):
        configuration = configuration.replace(shown, ours)
    with nginx(folder, f"sendfile on;\n{configuration}") as front:
        rates = {name: [] for name in ("nginx", "accel")}
        for turn in range(-1, rounds):
            say("warming up" if turn < 0 else f"packages behind nginx, round {turn + 1} of {rounds}")
            for name, port, path in (
                    ("nginx", front.port, f"/own/{place}"), ("accel", front.port, f"/adp/{place}")):
                rate = transfer(port, path, seconds)
                if turn >= 0:
                    rates[name].append(rate)
    bench.stop_all()
    server = bench.serve("packages", folder / "data", "--packages", folder / "shelf")
    rates["server"] = [transfer(server.port, f"/adp/{place}", seconds) for _ in range(rounds)]
    os.truncate(folder / "shelf" / place, SPARSE)
    each = memory_of_readers(server, f"/adp/{place}")
    bench.stop_all()
    add = bench.report.add
    add("package of 100 MiB, nginx's own file", rates["nginx"], "MB/s")
    add("package of 100 MiB by --accel", rates["accel"], "MB/s")
    add("package of 100 MiB from the server itself", rates["server"], "MB/s")
    add("package by --accel over nginx's own file", [
        one / two for one, two in zip(rates["accel"], rates["nginx"])], "x", 0.8, least=True)
    add("package from the server itself over nginx's own file", [
        one / two for one, two in zip(rates["server"], rates["nginx"])], "x")
    add(f"{READERS} slow readers of 3 GiB: RssAnon of each", each, "KiB", 64)


def transfer(port, path, seconds):
    """The megabytes per second that two clients download."""
    text = run(["wrk", "-t1", "-c2", f"-d{seconds}s", "--timeout", "30s", f"http://127.0.0.1:{port}{path}"])
    if re.search(r"Non-2xx or 3xx responses", text):
        raise SystemExit(f"bench: the package was refused:\n{text}")
    value, unit = re.search(r"Transfer/sec:\s+([\d.]+)(KB|MB|GB)", text).groups()
    return float(value) * {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[unit] / 1e6


def memory_of_readers(server, path):
    """The server's memory, in KiB, for each client that reads the first bytes of a file and then stops."""
    before, readers = server.memory()[0], []
    try:
        for _ in range(READERS):
            reader = socket.create_connection(("127.0.0.1", server.port))
            readers.append(reader)
            reader.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            if b" 200 " not in reader.recv(256):
                raise SystemExit("bench: a slow reader was refused")
        return (server.memory()[0] - before) * 1024 / READERS
    finally:
        for reader in readers:
            reader.close()
