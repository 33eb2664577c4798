"""Stores with many licenses in them, made once for each state of the schema and kept."""

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
    """A word that changes when the rows do that a seed of this size would have."""
    key = hashlib.sha256(str(count).encode())
    for source in sorted([*PACKAGE.glob(f"Sources/*/{engine}/Schema/*.swift"), *PACKAGE.glob("Sources/*/*/Tables/*.swift"),
                          *(HERE / "Seed").glob("*.swift"), HERE / "catalog.json"]):
        key.update(source.read_bytes())
    return key.hexdigest()[:12]


def seeded_folder(work, programs, count):
    """A data folder with so many licenses and activations."""
    folder = work / f"seed-{count}-{state_of('TenureSQLite', count)}"
    if folder.exists():
        return folder
    for old in work.glob(f"seed-{count}-*"):
        shutil.rmtree(old)
    say(f"seeding {count:,} licenses and activations (kept for next time)")
    fill_folder(work / "seeding", programs, count).rename(folder)
    return folder


def fill_folder(folder, programs, count):
    """A new data folder with so many licenses and activations, as these programs keep them."""
    shutil.rmtree(folder, ignore_errors=True)
    run([str(programs / "tenure"), "apply", str(HERE / "catalog.json"), "--data", str(folder)])
    run([str(programs / "bench-seed"), str(folder / "tenure.sqlite"), str(count), str(folder / "keys.txt")])
    return folder


def seeded_database(cluster, folder, programs, count):
    """A database with all that the seeded folder holds, as `tenure migrate-store` moves it."""
    state = hashlib.sha256(f"{folder.name} {state_of('TenurePostgres', count)}".encode()).hexdigest()[:12]
    name = f"seed_{count}_{state}"
    there = cluster.databases()
    if name in there:
        return name
    for old in there:
        if old.startswith(f"seed_{count}_"):
            cluster.drop(old)
    say(f"copying them to PostgreSQL (kept for next time; {4 * count:,} rows)")
    fill_database(cluster, "seeding", folder, programs)
    cluster.ask("postgres", f"ALTER DATABASE seeding RENAME TO {name}")
    return name


def fill_database(cluster, name, folder, programs):
    """A new database with all that a folder holds."""
    cluster.drop(name)
    cluster.ask("postgres", f"CREATE DATABASE {name}")
    run([str(programs / "tenure"), "migrate-store", "--from", f"sqlite:{folder}", "--to", cluster.url(name)])
    cluster.ask(name, "VACUUM (FREEZE, ANALYZE)", "CHECKPOINT")
    return name
