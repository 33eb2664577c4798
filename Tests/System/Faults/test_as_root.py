"""Runs commands of `Documentation/operations.md` as root; the server's user can't read root's own folders."""

import json
import os
import stat

import pytest
from catalogs import catalog
from installation import Installation

SERVER = 54321
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def installation(home):
    """An installation whose data folder belongs to the server's user."""
    home.chmod(0o755)
    installation = Installation(home)
    installation.data.mkdir(mode=0o700)
    os.chown(installation.data, SERVER, SERVER)
    return installation


@pytest.fixture
def secret(home):
    """A folder that only root may read."""
    folder = home / "root"
    folder.mkdir(mode=0o700)
    return folder


def facts(path):
    found = path.stat()
    return found.st_uid, stat.S_IMODE(found.st_mode)


def test_the_master_key_and_the_catalog_may_be_in_a_folder_that_only_root_may_read(installation, secret):
    key, file = secret / "master.key", secret / "catalog.json"
    file.write_text(json.dumps(catalog("acme")))
    file.chmod(0o600)

    installation.do("apply", str(file), "--master-key-file", str(key))
    assert facts(key) == (SERVER, 0o400)
    installation.do("license", "list", "--master-key-file", str(key))
    assert {path.stat().st_uid for path in installation.data.iterdir()} == {SERVER}


def test_backups_are_written_to_a_folder_that_only_root_may_read_and_restored_from_it(installation, secret):
    installation.apply(catalog("acme"))
    copy = secret / "copy.sqlite"

    # A killed backup leaves a file as large as the store. Later, the next backup must delete it.
    (installation.data / ".backup-4194305").write_bytes(b"left")
    installation.do("backup", str(copy))
    assert facts(copy) == (SERVER, 0o600)
    assert "already exists" in installation.run("backup", str(copy)).err
    installation.do("restore", str(copy), "--replace")
    installation.do("license", "list")
    assert not [path for path in installation.data.iterdir() if "brought" in path.name or path.name.startswith(".")]


def test_a_file_of_license_keys_can_be_written_to_a_folder_that_only_root_may_read(installation, secret):
    installation.apply(catalog("acme"))
    out = secret / "keys.csv"

    installation.do("license", "issue", "--tenant", "acme", "--product", "notes", "--policy", "pro", "--count", "3", "--out", str(out))
    assert facts(out) == (SERVER, 0o600) and len(out.read_text().splitlines()) == 4


def tasks(process):
    return os.listdir(f"/proc/{process}/task")


def test_a_server_started_by_root_drops_all_capabilities(installation, secret):
    """No thread of a running server has a capability. An earlier version left one to a thread for a while."""
    installation.apply(catalog("acme"))
    with installation.serving() as server:
        statuses = [open(f"/proc/{server.pid}/task/{thread}/status").read() for thread in tasks(server.pid)]
    held = {
        (line.split()[0], line.split()[1])
        for status in statuses for line in status.splitlines() if line.startswith(("CapEff", "CapPrm", "Uid:"))
    }
    assert held == {("CapEff:", "0" * 16), ("CapPrm:", "0" * 16), ("Uid:", str(SERVER))}


def test_the_error_of_a_backup_names_the_file_that_even_root_can_not_create(installation):
    installation.apply(catalog("acme"))
    output = installation.run("backup", "/proc/copy.sqlite")
    assert output.code == 1 and "/proc/copy.sqlite" in output.err.splitlines()[-1]


def test_a_program_whose_home_folder_belongs_to_another_user_warns_and_ignores_the_contexts_there(installation, home):
    """If root starts a program as the server's user but with root's HOME, the program ignores the contexts there."""
    folder = home / ".config/tenure"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "config.json").write_text('{"contexts": {"shop": {"tenant": "other"}}, "current": "shop"}')
    (folder / "config.json").chmod(0o600)
    installation.apply(catalog("acme"), "--master-key-file", str(installation.data / "master.key"))
    server = Installation(home, installation.data, runs_as=[
        "setpriv", f"--reuid={SERVER}", f"--regid={SERVER}", "--clear-groups"])
    for mode in (0o700, 0o755):
        folder.parent.chmod(mode)
        output = server.run("license", "list", "--master-key-file", str(installation.data / "master.key"))
        assert output.code == 0, output
        assert sum(str(folder / "config.json") in line for line in output.err.splitlines()) == 1
    named = server.run("license", "list", "--context", "shop")
    assert named.code == 2 and "config.json" in named.err
    with server.serving("--master-key-file", str(installation.data / "master.key")) as running:
        assert running.client.get("/health").status == 200


def test_contexts_that_belong_to_another_user_are_refused_with_a_remedy(installation, home):
    """If sudo keeps HOME, the contexts belong to another user but would select the store that root changes."""
    folder = home / ".config/tenure"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"contexts": {"shop": {"tenant": "acme"}}, "current": "shop"}')
    os.chown(folder / "config.json", SERVER, SERVER)
    output = installation.run("license", "list")
    assert output.code == 2 and f"belongs to user {SERVER}" in output.err and "sudo add -H" in output.err
