"""Measures the simulated device and the linter: a download with its digests checked, and a long manifest."""

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

from .load import run
from .seeds import PACKAGE, say

sys.path.append(str(PACKAGE / "Examples/app-store-connect"))

from packages import Package

ITEM, VERSION = 6483539426, 900000101
MOST_DOWNLOAD, MOST_MEMORY, MOST_LINT = 1.4, 32, 3
# The number of digests; it makes the manifest as long as the longest known one, 1.1 MB.
LONG = 16_000


def spent(words, folder):
    """The CPU seconds that a command used, and its peak memory in MB, sampled every few milliseconds."""
    process = os.posix_spawn(
        words[0], words, os.environ | {"HOME": str(folder)},
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    most = 0
    while True:
        ended, status, used = os.wait4(process, os.WNOHANG)
        if ended:
            break
        # Before exec, the child holds this process's memory, which `used.ru_maxrss` would include.
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        name = Path(f"/proc/{process}/comm").read_text().strip()
        if found and name == Path(words[0]).name:
            most = max(most, int(found[1]) / 1024)
        time.sleep(0.002)
    if status:
        raise SystemExit(f"bench: {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, most


def measure_device(bench, work, rounds, size):
    folder = work / "device"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    asset = "variant/00000000-0000-4000-8000-000000000001.ipa"
    package = Package(folder / "package", ITEM, VERSION, assets={asset: os.urandom(size)})
    (folder / "catalog.json").write_text(json.dumps({"tenants": [{"id": "acme", "marketplace": {
        "name": "Bench Mart", "domain": "127.0.0.1", "appleItemID": "6497405838", "access": "open",
        "apps": [{"appleItemID": str(ITEM), "name": "Large"}]}}]}))
    program = str(bench.programs / "tenure")
    data = ["--data", str(folder / "data"), "--packages", str(folder / "shelf")]
    run([program, "apply", str(folder / "catalog.json"), *data])
    run([program, "marketplace", "ingest", str(package.folder), "--tenant", "acme", *data])
    shutil.rmtree(package.folder)
    downloads(bench, folder, program, rounds, asset, size)
    manifests(bench, folder, program, rounds)
    shutil.rmtree(folder, ignore_errors=True)


def downloads(bench, folder, program, rounds, asset, size):
    server = bench.serve("device", folder / "data", "--packages", folder / "shelf")
    home = f"http://127.0.0.1:{server.port}"
    base = f"{home}/adp/acme/{ITEM}/{VERSION}"
    curl, digest, phone, file = shutil.which("curl"), shutil.which("sha256sum"), folder / "phone", folder / "file"
    figures = []
    for turn in range(rounds):
        say(f"device, download, round {turn + 1} of {rounds}")
        floor = spent([curl, "-sSf", "-o", str(file), f"{base}/{asset}"], folder)[0] + spent([digest, str(file)], folder)[0]
        file.unlink()
        shutil.rmtree(phone, ignore_errors=True)
        run([program, "device", "new", str(phone), "--server", home, "--model", "iPhone14,8"])
        least = spent([program, "device", "list", str(phone)], folder)[1]
        began = time.monotonic()
        cpu, memory = spent([program, "device", "install", str(phone), "--package", base], folder)
        figures.append((cpu / floor, memory - least, size / (time.monotonic() - began) / 1e6))
    bench.stop_all()
    add = bench.report.add
    name = f"device, download of {size >> 20} MiB with digests"
    add(f"{name}: CPU over curl's and sha256sum's", [figure[0] for figure in figures], "x", MOST_DOWNLOAD)
    add(f"{name}: most memory, beyond a command that lists", [figure[1] for figure in figures], "MB", MOST_MEMORY)
    add(f"{name}: rate", [figure[2] for figure in figures], "MB/s")


def manifests(bench, folder, program, rounds):
    """Lints a manifest with many digests; the CPU time, without the program's start, is compared with parsing JSON."""
    described = Package(folder / "long", ITEM, VERSION, sizes=[2500]).manifest
    details = described["variants"][0]["variantDetails"]
    details["compressedSize"] = LONG * 1000
    details["hashes"][0] |= {"chunkSize": 1000, "encryptedChunkDigests": [os.urandom(32).hex() for _ in range(LONG)]}
    text = json.dumps(described)
    manifest = folder / "manifest.json"
    manifest.write_text(text)
    ratios = []
    for turn in range(rounds):
        say(f"linter, round {turn + 1} of {rounds}")
        began = time.process_time()
        for _ in range(20):
            json.loads(text)
        floor = (time.process_time() - began) / 20
        start = min(spent([program, "--version"], folder)[0] for _ in range(3))
        lint = min(spent([program, "lint", str(manifest)], folder)[0] for _ in range(3))
        ratios.append((lint - start) / floor)
    bench.report.add(
        f"lint of a manifest of {len(text) / 1e6:.1f} MB: CPU over one reading as JSON", ratios, "x", MOST_LINT)
