"""Tests ingests that are killed or lack disk space, and downloads by slow clients."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

from catalogs import fresh
from client import Client
from installation import Installation
from package import Package

KILLS = 40


def listed(installation: Installation, tenant: str, item: int) -> None:
    installation.apply({"tenants": [{"id": tenant, "marketplace": {
        "name": "Mart", "domain": f"{tenant}.example", "appleItemID": str(item),
        "apps": [{"appleItemID": str(item)}]}}]})


def served(client: Client, tenant: str, package: Package) -> dict[str, bytes] | None:
    """All files that the server serves of a package, by path; None if it serves no package."""
    base = f"/adp/{tenant}/{package.item}/{package.version}"
    manifest = client.ask("GET", f"{base}/manifest.json")
    if manifest.status == 404:
        return None
    assert manifest.status == 200, manifest
    files = {"manifest.json": manifest.body}
    named = json.loads(manifest.body)
    for path in ["signature"] + [asset["assetPath"] for asset in named["variants"] + named["deltas"]]:
        answer = client.ask("GET", f"{base}/{path}")
        assert answer.status == 200, (path, answer)
        files[path] = answer.body
    return files


def test_a_killed_ingest_leaves_the_former_or_the_new_package_complete(home):
    installation = Installation(home)
    tenant, item = fresh("kill"), 4711
    chance = random.Random(int(os.environ.get("TENURE_SEED", "1")))
    with installation.serving() as server:
        listed(installation, tenant, item)
        package = Package(home / "revision-0", item, 900000101, sizes=(6_000_000, 2_000_000), revision=0, digests=False)
        whole = package.files
        current = None
        revision = 0
        outcomes = {"former": 0, "new": 0}
        longest = 1.0
        for round in range(KILLS):
            words = installation.words("marketplace", "ingest", str(package.folder), "--tenant", tenant)
            start = time.monotonic()
            process = subprocess.Popen(
                words, cwd=home, env=installation.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=chance.uniform(0, longest))
                longest = min(longest, time.monotonic() - start)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            seen = served(server.client, tenant, package)
            assert seen in (current, whole), f"round {round}: neither the former nor the new package is served"
            outcomes["new" if seen == whole else "former"] += 1
            if seen == whole:
                current = whole
                revision += 1
                package = package.later(home / f"revision-{revision}", revision, deltas=(500_000,), digests=False)
                shutil.rmtree(home / f"revision-{revision - 1}")
                whole = package.files
        assert outcomes["former"] and outcomes["new"], outcomes
        output = installation.do("marketplace", "ingest", str(package.folder), "--tenant", tenant)
        assert output.code == 0
        assert served(server.client, tenant, package) == whole
        left = [path for path in (installation.data / "packages" / ".incoming").iterdir()]
        assert left == [], "a finished command leaves nothing of the killed ones"
        assert installation.run("doctor").code == 0


def test_an_ingest_of_a_package_larger_than_the_free_space_is_refused_before_copying(home):
    installation = Installation(home)
    listed(installation, "full", 4711)
    package = Package(home / "package", 4711, 900000101, sizes=(1000,))
    path = package.folder / package.variants[0]
    manifest = package.manifest
    size = shutil.disk_usage(home).free + (1 << 30)
    manifest["variants"][0]["variantDetails"] |= {"compressedSize": size, "hashes": []}
    (package.folder / "manifest.json").write_text(json.dumps(manifest))
    os.truncate(path, size)
    output = installation.run("marketplace", "ingest", str(package.folder), "--tenant", "full")
    assert output.code == 1 and "has room only for" in output.err and "Nothing was changed" in output.err
    assert list((installation.data / "packages" / ".incoming").glob("*")) == []


def rss_anon(pid: int) -> int:
    """The process's anonymous memory in bytes."""
    with open(f"/proc/{pid}/status") as status:
        [line] = [line for line in status if line.startswith("RssAnon:")]
    return int(line.split()[1]) << 10


def test_slow_downloads_use_at_most_64_kib_of_memory_each_and_block_no_other_request(home):
    """Starts five hundred downloads of three gigabytes without reading them to the end."""
    readers = 500
    installation = Installation(home)
    with installation.serving("--requests-in-flight", "16") as server:
        listed(installation, "slow", 4711)
        package = Package(home / "package", 4711, 900000101, sizes=(1000,), digests=False)
        package.assets[package.variants[0]] = bytes(1 << 20)
        package.write()
        installation.do("marketplace", "ingest", str(package.folder), "--tenant", "slow")
        # The stored file grows as a sparse file, so the test doesn't write three gigabytes.
        place = installation.data / "packages" / "slow" / "4711" / "900000101" / package.variants[0]
        os.truncate(place, 3 << 30)
        base = f"/adp/slow/4711/900000101/{package.variants[0]}"
        assert server.client.ask("HEAD", base).headers["content-length"] == str(3 << 30)
        before = rss_anon(server.pid)
        clients = [Client(server.address) for _ in range(readers)]
        try:
            heads = []
            for client in clients:
                client.connect()
                client._connection.request("GET", base)
                heads.append(client._connection.getresponse())
                assert heads[-1].status == 200
            each = (rss_anon(server.pid) - before) / readers
            assert each <= 64 << 10, f"{each / 1024:.1f} KiB for each"
            # There are many more downloads than allowed requests in flight.
            for _ in range(20):
                assert server.new_client().ask("GET", "/health").status == 200
            assert b"".join(head.read(1000) for head in heads[:5]) == bytes(5000)
        finally:
            for client in clients:
                client.close()
