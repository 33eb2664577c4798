"""Measures renewals of app licenses."""

import json
import shutil

from .load import as_fast_as_it_goes, run
from .seeds import HERE, say

RENEW = "/marketplace/acme/licenses/renew"
MANY_IDS = 200
# The number of requests to encrypt per round, by the number of licenses in each request.
REQUESTS = {1: 3_000, MANY_IDS: 1_200}


def measure_renewals(bench):
    """Compares renewals of app licenses, with one id and with many, with the RSA work of a request."""
    program = bench.programs / "bench-renewals"
    folder = bench.work / "renewals"
    shutil.rmtree(folder, ignore_errors=True)
    run([str(bench.programs / "tenure"), "apply", str(HERE / "marketplace.json"), "--data", str(folder)])
    for ids, each_round in REQUESTS.items():
        say(f"sealing requests of {ids} licenses")
        run([str(program), "bodies", str(folder / "tenure.sqlite"), str(each_round * (bench.rounds + 1)), str(ids),
             str(folder / f"bodies-{ids}")])
    server = bench.serve("renewals", folder)
    rounds = {ids: [] for ids in REQUESTS}
    floors = []
    for turn in range(-1, bench.rounds):
        say("warming up" if turn < 0 else f"renewal, round {turn + 1} of {bench.rounds}")
        floor = json.loads(run([str(program), "envelope", str(bench.seconds / 2)]))
        for ids, each_round in REQUESTS.items():
            figures = as_fast_as_it_goes(
                [server], HERE / "renew.lua", RENEW, folder / f"bodies-{ids}", bench.seconds, 16, turn + 1, None,
                [each_round])
            if turn >= 0:
                rounds[ids].append(figures)
        if turn >= 0:
            floors.append(floor)
    bench.stop_all()
    shutil.rmtree(folder, ignore_errors=True)
    add = bench.report.add
    add("renewal: RSA decryption alone", [each["decrypt"] for each in floors], "us")
    add("renewal: RSA signature alone", [each["sign"] for each in floors], "us")
    for ids, each_round in rounds.items():
        label = "renewal of 1 license" if ids == 1 else f"renewal of {ids} licenses"
        add(f"{label}: requests/s", [each["rate"] for each in each_round], "/s")
        add(f"{label}: CPU per request", [each["cpu"] for each in each_round], "us")
        add(f"{label}: p99, 16 busy clients", [each["p99"] / 1000 for each in each_round], "ms")
    add("renewal of 1 license: CPU over the RSA's", [
        each["cpu"] / (floor["decrypt"] + floor["sign"]) for each, floor in zip(rounds[1], floors)], "x", 1.18)
    further = [(many["cpu"] - one["cpu"]) / (MANY_IDS - 1) for many, one in zip(rounds[MANY_IDS], rounds[1])]
    add(f"renewal of {MANY_IDS} licenses: CPU for each further one", further, "us")
    add(f"renewal of {MANY_IDS} licenses: each further one over an Ed25519 signature",
        [each / floor["ed25519"] for each, floor in zip(further, floors)], "x", 1.2)
