"""Measures offline content: renewals, Kollus's callbacks and a device's library.

Each cost is compared with the cost of the signatures, statements or appends that the operation needs at least.
"""

import hashlib
import http.client
import json
import secrets
import shutil
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from .load import run
from .process import cpu_between
from .seeds import HERE, say

CONTENTS = 100
# Each POST renews all licenses of one holder; in all, these are 10,000.
HOLDERS = 100
CHECKS, CHECK_POSTS = 10, 2_000
RATE = 500
KEY = "bench-kollus-security-key-32-byte"
FORM = "application/x-www-form-urlencoded"
COMPLETION_BYTES = 110


def measure_contents(bench, rounds, small, large, seconds):
    measure_renewals(bench, rounds, small, large, seconds)
    measure_kollus(bench, rounds, small, seconds)
    measure_library(bench, rounds, 1_000 if large < 100_000 else 10_000)


def catalog():
    """A catalog with a course of 100 content items; each license lasts 30 days and three plays."""
    contents = [f"c{number:03}" for number in range(CONTENTS)]
    return {"tenants": [{"id": "acme", "name": "Acme", "content": {
        "policies": [{"id": "rental", "expiresAfterDays": 30, "grantedPlays": 3, "deviceLimit": 3}],
        "items": [{"id": content, "title": f"Lesson {content}", "policy": "rental"} for content in contents],
        "courses": [{"id": "all", "title": "All", "items": contents}],
        "kollus": {"securityKey": KEY, "customKey": "bench"}}}]}


def seeded(bench, work, licenses):
    """A data folder with this many content licenses; it is reused until the catalog, tables or seed program change."""
    key = hashlib.sha256(f"{licenses} {json.dumps(catalog())}".encode())
    tables = HERE.parent.glob("Sources/*/TenureContentServer/Tables/*.swift")
    for source in sorted([*(HERE / "Contents").glob("*.swift"), *tables]):
        key.update(source.read_bytes())
    folder = work / f"contents-{licenses}-{key.hexdigest()[:12]}"
    if folder.exists():
        return folder
    for old in work.glob(f"contents-{licenses}-*"):
        shutil.rmtree(old)
    say(f"seeding {licenses:,} licenses of contents (kept for next time)")
    made = work / "seeding-contents"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    (made / "catalog.json").write_text(json.dumps(catalog()))
    run([str(bench.programs / "tenure"), "apply", str(made / "catalog.json"), "--data", str(made)])
    run([str(bench.programs / "bench-contents"), "seed", str(made / "tenure.sqlite"), str(licenses // CONTENTS),
         str(made / "holders.jsonl")])
    made.rename(folder)
    return folder


class Caller:
    """One connection that sends requests one after the other, and measures the server's CPU time for them."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def ask(self, path, body, headers):
        self.connection.request("POST", path, body, headers)
        answer = self.connection.getresponse()
        told = answer.read()
        if answer.status != 200:
            raise SystemExit(f"bench: {self.server.name} answered {answer.status}: {told[:200]!r}")
        return told

    def spent(self, path, asks):
        """Sends the requests; returns the CPU microseconds per request and the last response."""
        before = self.server.threads()
        told = b""
        for body, headers in asks:
            told = self.ask(path, body, headers)
        return cpu_between(before, self.server.threads())[0] / len(asks), told


def renewal(holder, version):
    body = {"requestId": secrets.token_urlsafe(18), "when": "always",
            "items": [{"license": license, "version": version} for license in holder["licenses"]]}
    return json.dumps(body).encode(), {
        "Authorization": f"Bearer {holder['token']}", "Content-Type": "application/json"}


def measure_renewals(bench, rounds, small, large, seconds):
    """Renews 10,000 licenses, 100 per POST, on a small store and on a large one."""
    stores, holders = {}, {}
    for name, count in (("small", small), ("large", large)):
        stores[name] = bench.copy(seeded(bench, bench.work, count), f"contents-{name}")
        lines = (stores[name] / "holders.jsonl").read_text().splitlines()
        # Holders from the whole table. If the store has enough holders, each round uses new ones.
        some = [json.loads(line) for line in lines[::max(1, len(lines) // (HOLDERS * (rounds + 1)))]]
        holders[name] = some
    servers = {name: bench.serve(f"contents-{name}", folder) for name, folder in stores.items()}
    callers = {name: Caller(server) for name, server in servers.items()}
    versions = {name: [1] * len(some) for name, some in holders.items()}
    bare = bench.copy(seeded(bench, bench.work, small), "contents-bare")
    program = [str(bench.programs / "bench-bare-contents")]
    spent, floors = {"small": [], "large": []}, []
    for turn in range(-1, rounds):
        say("warming up" if turn < 0 else f"renewals of contents, round {turn + 1} of {rounds}")
        for name, some in holders.items():
            asks = []
            for place in range(HOLDERS):
                at = ((turn + 1) * HOLDERS + place) % len(some)
                asks.append(renewal(some[at], versions[name][at]))
                versions[name][at] += 1
            each, told = callers[name].spent("/content/acme/v1/renewals", asks)
            items = json.loads(told)["items"]
            if [item["outcome"] for item in items] != ["renewed"] * CONTENTS:
                raise SystemExit("bench: not all contents were renewed")
            if turn >= 0:
                spent[name].append(each / CONTENTS)
        kept = kept_reply_bytes(stores["small"])
        sign = json.loads(run([str(bench.programs / "bench-contents"), "sign", str(seconds / 4)]))["sign"]
        loop = json.loads(run([*program, "renew", str(bare / "tenure.sqlite"), str(kept), str(seconds / 2)]))
        if turn >= 0:
            floors.append((sign, loop["cpu"] / CONTENTS))
    add = bench.report.add
    add("contents, one signature", [sign for sign, _ in floors], "us")
    add("contents, bare statements of a renewal, 100 to a commit", [loop for _, loop in floors], "us")
    for name, count in (("small", small), ("large", large)):
        add(f"contents, renewal at {count:,}: CPU per item", spent[name], "us")
    add("contents, renewal: CPU over signature and bare statements",
        [each / sum(floor) for each, floor in zip(spent["small"], floors)], "x", 1.5)
    add(f"contents, renewal: CPU at {large:,} over {small:,}",
        [many / few for many, few in zip(spent["large"], spent["small"])], "x", 1.3)
    bench.stop_all()
    for folder in (*stores.values(), bare):
        shutil.rmtree(folder, ignore_errors=True)


def measure_kollus(bench, rounds, count, seconds):
    """Measures Kollus's callbacks on stores without renewals, because stored replies slow down the lookups."""
    folder, bare = (bench.copy(seeded(bench, bench.work, count), name) for name in ("kollus", "kollus-bare"))
    server = bench.serve("kollus", folder)
    holders = [json.loads(line) for line in (folder / "holders.jsonl").read_text().splitlines()[:HOLDERS]]
    measure_checks(bench, rounds, Caller(server), holders, folder, bare, seconds)
    measure_completions(bench, rounds, server, folder, seconds)
    bench.stop_all()
    for made in (folder, bare):
        shutil.rmtree(made, ignore_errors=True)


def kept_reply_bytes(folder):
    """The average size of a stored reply, in bytes."""
    with sqlite3.connect(f"file:{folder / 'tenure.sqlite'}?mode=ro", uri=True) as store:
        return int(store.execute("SELECT avg(length(reply)) FROM content_replies").fetchone()[0])


def callback_path(bench, folder):
    return json.loads(run([str(bench.programs / "tenure"), "content", "callback", "--tenant", "acme", "--json",
                           "--data", str(folder)]))["path"]


def form(items):
    return urlencode({"items": json.dumps(items)}).encode()


def checks_of(holder, turn):
    """Ten checks before playback, as a player sends them: numbers are strings."""
    return form([{"kind": "3", "media_content_key": f"c{number:03}", "client_user_id": holder["holder"],
                  "player_id": holder["player"], "device_name": "Tablet", "session_key": f"s{turn}", "start_at": "7",
                  "localtime": "1795000000", "content_expired": "0", "check_expired": "0", "reset_req": "0"}
                 for number in range(CHECKS)])


def measure_checks(bench, rounds, caller, holders, folder, bare, seconds):
    """Measures POSTs of ten checks (kind 3).

    The floor is the same HTTP stack with one HMAC and a constant response, plus the bare statements.
    """
    path = callback_path(bench, folder)
    headers = {"Content-Type": FORM}
    asks = [(checks_of(holders[place % len(holders)], place), headers) for place in range(CHECK_POSTS)]
    # The first check in an hour also stores when the device was last seen.
    _, told = caller.spent(path, asks[:len(holders)])
    floor = Caller(bench.start("kollus-floor", [
        bench.programs / "bench-floor", "127.0.0.1:0", str(len(told)), "hmac"]))
    program = [str(bench.programs / "bench-bare-contents"), "checks", str(bare / "tenure.sqlite"), str(seconds / 2)]
    figures = []
    for turn in range(-1, rounds):
        say("warming up" if turn < 0 else f"Kollus's checks, round {turn + 1} of {rounds}")
        each = (caller.spent(path, asks)[0], floor.spent(path, asks)[0], json.loads(run(program))["cpu"])
        if turn >= 0:
            figures.append(each)
    add = bench.report.add
    for place, label in enumerate(("CPU per POST", "floor, CPU per POST", "bare statements of a POST")):
        add(f"Kollus, ten checks: {label}", [each[place] for each in figures], "us")
    add("Kollus, ten checks: CPU over floor and bare statements",
        [mine / (stack + loop) for mine, stack, loop in figures], "x", 1.6)


@contextmanager
def locked(database):
    """Holds the store's write lock on another connection."""
    store = sqlite3.connect(database, isolation_level=None)
    store.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        store.rollback()
        store.close()


def measure_completions(bench, rounds, server, folder, seconds):
    """Reports completed downloads at a fixed rate while the store is locked, and compares with bare synced appends."""
    path = callback_path(bench, folder)
    forms = folder / "completions.forms"
    told, bare = [], []
    for turn in range(rounds):
        say(f"Kollus's completions, round {turn + 1} of {rounds}")
        forms.write_bytes(b"\n".join(form([{
            "kind": "2", "media_content_key": "c001", "client_user_id": f"u{turn}-{number}", "player_id": "p"}])
            for number in range(int(RATE * seconds))))
        with locked(folder / "tenure.sqlite"):
            # The first completion detects that the store doesn't respond, so it isn't measured.
            Caller(server).ask(path, form([{
                "kind": "2", "media_content_key": "c001", "client_user_id": f"first-{turn}", "player_id": "p"}]),
                {"Content-Type": FORM})
            load = json.loads(run([str(bench.programs / "bench-load"), str(server.port), path, str(RATE),
                                   str(seconds), "32", str(forms)]))
        if load["notOK"]:
            raise SystemExit("bench: a completion was not answered with 200")
        told.append(load)
        bare.append(json.loads(run([
            str(bench.programs / "bench-bare-contents"), "append", str(folder / "appended"), str(COMPLETION_BYTES),
            str(int(RATE * seconds))])))
        entered(bench, server)
    add = bench.report.add
    for share in ("p50", "p99"):
        add(f"Kollus, completions at {RATE}/s without the store: {share}", [each[share] for each in told], "us")
        add(f"bare append with its sync: {share}", [each[share] for each in bare], "us")
    add("Kollus, completions without the store: p99 over the bare append's",
        [mine["p99"] / loop["p99"] for mine, loop in zip(told, bare)], "x", 5)


def entered(bench, server):
    """Waits until all completions of the journal have been written to the store."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    while True:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        if "\ntenure_kollus_completions_waiting 0" in text:
            return connection.close()


def measure_library(bench, rounds, count):
    """Measures a device's library of many content items."""
    program = str(bench.programs / "bench-content-client")
    folder = Path(bench.work / "library")

    def ask(verb, name, contents=count):
        said = run([program, verb, str(folder / name), str(contents)])
        return json.loads(said) if said.strip() else None

    figures = {verb: [] for verb in ("open", "renew", "beat")}
    memory = []
    for turn in range(rounds):
        say(f"library of {count:,} contents, round {turn + 1} of {rounds}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        ask("fill", "full")
        ask("fill", "empty", 0)
        memory.append((ask("memory", "full")["kilobytes"] - ask("memory", "empty")["kilobytes"]) / 1024)
        for verb in figures:
            figures[verb].append(ask(verb, "full"))
    shutil.rmtree(folder, ignore_errors=True)
    add = bench.report.add
    opened, renewed, beats = figures["open"], figures["renew"], figures["beat"]
    add(f"library, opening {count:,} contents", [each["open"] for each in opened], "ms")
    add("library, reading and decrypting as much", [each["read"] for each in opened], "ms")
    add("library, opening over reading and decrypting", [each["open"] / each["read"] for each in opened], "x", 3)
    add(f"library, where {count:,} contents stand", [each["status"] for each in opened], "ms", 20)
    add(f"library, memory of {count:,} contents", memory, "MB", 12)
    add("library, renewal of one of many: time", [each["renewal"] for each in renewed], "us")
    add("library, renewal of one of many: CPU", [each["cpu"] for each in renewed], "us")
    add("library, one verification", [each["verification"] for each in renewed], "us")
    add("library, its share of bare appends", [each["append"] for each in renewed], "us")
    add("library, renewal over verification and bare appends",
        [each["renewal"] / (each["verification"] + each["append"]) for each in renewed], "x", 1.5)
    add("library, a beat", [each["beat"] for each in beats], "us")
    add("library, a bare append with its sync", [each["append"] for each in beats], "us")
    add("library, a beat over a bare append", [each["beat"] / each["append"] for each in beats], "x", 1.3)
