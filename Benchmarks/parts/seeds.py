"""Creates stores with many licenses, once for each version of the schema; later runs reuse them."""

import hashlib
import shutil
import sys
from pathlib import Path

from .load import run

PACKAGE = Path(__file__).resolve().parents[2]
HERE = PACKAGE / "Benchmarks"


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def state_of(engine, count):
    """A hash that changes with the schema, the seed program, the catalog and the number of licenses."""
    key = hashlib.sha256(str(count).encode())
    for source in sorted([*PACKAGE.glob(f"Sources/*/{engine}/Schema/*.swift"), *PACKAGE.glob("Sources/*/*/Tables/*.swift"),
                          *(HERE / "Seed").glob("*.swift"), HERE / "catalog.json"]):
        key.update(source.read_bytes())
    return key.hexdigest()[:12]


def seeded_folder(work, programs, count):
    """A data folder with this many licenses and activations."""
    folder = work / f"seed-{count}-{state_of('TenureSQLite', count)}"
    if folder.exists():
        return folder
    for old in work.glob(f"seed-{count}-*"):
        shutil.rmtree(old)
    say(f"seeding {count:,} licenses and activations (kept for next time)")
    fill_folder(work / "seeding", programs, count).rename(folder)
    return folder


def fill_folder(folder, programs, count):
    """Makes a new data folder with this many licenses and activations, in the format of these programs."""
    shutil.rmtree(folder, ignore_errors=True)
    run([str(programs / "tenure"), "apply", str(HERE / "catalog.json"), "--data", str(folder)])
    run([str(programs / "bench-seed"), str(folder / "tenure.sqlite"), str(count), str(folder / "keys.txt")])
    return folder


def seeded_database(cluster, folder, programs, count):
    """A database with everything in the seeded folder, copied by `tenure migrate-store`."""
    state = hashlib.sha256(f"{folder.name} {state_of('TenurePostgres', count)}".encode()).hexdigest()[:12]
    name = f"seed_{count}_{state}"
    there = cluster.databases()
    if name in there:
        return name
    for old in there:
        if old.startswith(f"seed_{count}_"):
            cluster.drop(old)
    say(f"copying them to PostgreSQL (kept for next time; {5 * count:,} rows)")
    fill_database(cluster, "seeding", folder, programs)
    cluster.ask("postgres", f"ALTER DATABASE seeding RENAME TO {name}")
    return name


def fill_database(cluster, name, folder, programs):
    """Makes a new database with everything in a data folder."""
    cluster.drop(name)
    cluster.ask("postgres", f"CREATE DATABASE {name}")
    run([str(programs / "tenure"), "migrate-store", "--from", f"sqlite:{folder}", "--to", cluster.url(name)])
    cluster.ask(name, "VACUUM (FREEZE, ANALYZE)", "CHECKPOINT")
    return name
