"""Tests moving a complete store between storage engines, and backups that either engine can restore."""

import os
import signal
import stat
import subprocess
import threading

import catalogs
import pytest
from catalogs import policy
from client import App
from crowd import wait_until
from database import SharedInstallation
from installation import Installation


def move(home, source: str, target: str, *options: str):
    there = Installation(home)
    words = [word for word in there.words("migrate-store", "--from", source, "--to", target, *options)]
    place = words.index("--data")
    return there.run_words(words[:place] + words[place + 2:])


def digests(output) -> dict:
    assert output.code == 0, output
    return {part["part"]: (part["rows"], part["sha256"]) for part in output.lines}


@pytest.fixture
def folder(home):
    """A vendor's installation on SQLite, with a license whose only activation is in use."""
    alone = Installation(home)
    alone.tenant, alone.key = catalogs.fresh(), catalogs.fresh_key()
    alone.apply(catalogs.catalog(alone.tenant, catalogs.product(
        policies=[policy("pro", activationLimit=1)], licenses=[catalogs.license(alone.key)])))
    with alone.serving() as server:
        alone.instance = App(server.client, alone.tenant, "notes").activated(alone.key, "first")
    return alone


@pytest.fixture
def shared(home, database, folder):
    """An installation on an empty database, with the master key of `folder`."""
    empty = SharedInstallation(home, database, database.new_database(), "mover")
    empty.master_key.write_text(folder.master_key.read_text())
    return empty


def test_a_store_moved_to_postgresql_still_serves_its_devices_and_can_be_moved_back(home, folder, shared):
    there = move(home, f"sqlite:{folder.data}", shared.url, "--json")
    # Move back before serving devices, because a server stores when it last saw a device.
    back = move(home, shared.url, f"sqlite:{home}/back", "--json")
    assert digests(back) == digests(there)
    again = move(home, f"sqlite:{folder.data}", f"sqlite:{home}/back", "--json")
    assert digests(again) == digests(there) and "already" in again.err
    with shared.serving() as server, shared.serving() as other:
        for client in server.client, other.client:
            app = App(client, folder.tenant, "notes")
            assert app.validate(folder.key, folder.instance).status == 200
            assert app.activate(folder.key, "second")["code"] == "activation_limit_reached"


def test_after_a_store_is_moved_to_postgresql_new_events_have_higher_numbers_than_the_moved_ones(home, folder, shared):
    move(home, f"sqlite:{folder.data}", shared.url)
    before = int(shared.sql("SELECT max(sequence) FROM events")[0])
    shared.do("license", "suspend", folder.key)
    assert int(shared.sql("SELECT min(sequence) FROM events WHERE kind = 'license.suspended'")[0]) > before


def test_after_a_killed_migrate_store_command_no_server_starts_until_the_command_is_repeated(home, folder, shared):
    folder.do("license", "issue", "--tenant", folder.tenant, "--product", "notes", "--policy", "pro",
              "--count", "30000", "--out", str(home / "keys.csv"))
    words = [folder.words()[0], "migrate-store", "--from", f"sqlite:{folder.data}", "--to", shared.url]
    mover = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: shared.sql("SELECT to_regclass('licenses') IS NOT NULL") == ["t"], 60)
    wait_until(lambda: shared.sql("SELECT count(*) > 0 FROM licenses") == ["t"], 60)
    mover.send_signal(signal.SIGKILL)
    assert mover.wait() == -signal.SIGKILL

    refused = shared.run("serve", "--listen", "127.0.0.1:0")
    assert refused.code == 1 and "interrupted" in refused.err
    assert digests(move(home, f"sqlite:{folder.data}", shared.url, "--json"))["licenses"][0] == 30_001
    assert shared.sql("SELECT count(*) FROM settings WHERE name = 'unfinished_copy'") == ["0"]
    with shared.serving() as server:
        assert App(server.client, folder.tenant, "notes").validate(folder.key, folder.instance).status == 200


def test_moving_a_store_to_a_database_that_is_already_initialized_is_refused_and_changes_nothing(home, folder, shared):
    shared.master_key.unlink()
    shared.do("init")
    refused = move(home, f"sqlite:{folder.data}", shared.url)
    assert refused.code == 1 and "was not changed" in refused.err
    assert shared.sql("SELECT count(*) FROM tenants") == ["0"]


def test_a_backup_while_two_servers_serve_is_consistent_and_can_be_restored(pair, home, database):
    key = pair.offer(policy(activationLimit=10_000))
    is_over, count, faults = threading.Event(), [0, 0], []

    def write(number: int) -> None:
        app = App(pair.servers[number].new_client(), pair.tenant, "notes")
        try:
            # A server accepts at most 600 activations of one license a minute.
            while not is_over.is_set() and count[number] < 500:
                count[number] += 1
                assert app.activate(key, f"device {number} {count[number]}").status == 200
        except Exception as fault:
            faults.append(fault)

    writers = [threading.Thread(target=write, args=(number,)) for number in (0, 1)]
    for writer in writers:
        writer.start()
    wait_until(lambda: all(number > 50 for number in count) or faults, 60)
    copy, before = home / "copy.sqlite", sum(count)
    pair.installation.do("backup", str(copy))
    after = sum(count)
    is_over.set()
    for writer in writers:
        writer.join()
    assert not faults
    assert after > before, "nothing was written during the backup"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [name for name in os.listdir(home) if name.startswith("copy.")] == ["copy.sqlite"]

    restored = SharedInstallation(home, database, database.new_database(), "restored")
    restored.do("restore", str(copy))
    activations, = restored.sql("SELECT count(*) FROM activations")
    assert int(activations) >= 100
    assert restored.sql("SELECT count(*) FROM events WHERE kind = 'activation.created'") == [activations]
    with restored.serving() as server:
        assert App(server.client, pair.tenant, "notes").activate(key, "after").status == 200
    refused = restored.run("restore", str(copy))
    assert refused.code == 1 and "was not changed" in refused.err

    folder = Installation(home, home / "folder")
    folder.data.mkdir(mode=0o700)
    folder.master_key.write_text(pair.installation.master_key.read_text())
    folder.do("restore", str(copy))
    with folder.serving() as server:
        assert App(server.client, pair.tenant, "notes").activate(key, "elsewhere").status == 200
