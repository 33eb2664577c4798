"""Tests data folders that the program can't use, and ports that are in use."""

import os
import socket
import stat

import pytest
from catalogs import catalog
from installation import Installation
from waiting import eventually

STRANGER = 54321
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")


def refused(installation: Installation, *words: str) -> str:
    """Runs a command that must fail without crashing; returns its error, before or after which the log may have lines."""
    output = installation.run(*words)
    assert output.code == 1 and output.out == "", output
    errors = [line for line in output.err.splitlines() if line.startswith(f"tenure {words[0]}: ")]
    assert len(errors) == 1 and "Fatal" not in output.err, output
    return errors[0]


def serve_refused(installation: Installation, address: str = "127.0.0.1:0") -> str:
    return refused(installation, "serve", "--create", "--listen", address)


def as_stranger(home) -> Installation:
    """An installation in the same folder, used by another user."""
    home.chmod(0o755)
    words = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
    return Installation(home, runs_as=words)


def test_files_in_the_data_folder_are_accessible_to_their_owner_only(installation):
    installation.apply(catalog("acme"))
    with installation.serving():
        modes = {
            path.name: stat.S_IMODE(path.stat().st_mode) for path in [installation.data, *installation.data.iterdir()]}

    assert modes.pop("data") == 0o700
    assert modes.pop("master.key") == 0o400
    assert set(modes.values()) == {0o600} and "tenure.sqlite" in modes


def test_a_data_folder_that_is_a_file_is_refused(installation):
    installation.data.write_text("mine")

    assert "not a folder" in serve_refused(installation)
    assert installation.data.read_text() == "mine"


def missing(installation: Installation) -> None:
    pass


def empty(installation: Installation) -> None:
    installation.data.mkdir(mode=0o700)


def with_other_files(installation: Installation) -> None:
    empty(installation)
    (installation.data / "lost+found").mkdir()


def without_bytes(installation: Installation) -> None:
    empty(installation)
    installation.database.touch(0o600)


NO_DATABASE = [missing, empty, with_other_files, without_bytes]


@pytest.mark.parametrize("prepare", NO_DATABASE)
def test_a_server_without_a_database_does_not_start_and_creates_no_file(installation, prepare):
    prepare(installation)
    before = sorted(path.name for path in installation.home.rglob("*"))

    said = refused(installation, "serve", "--listen", "127.0.0.1:0")
    assert f"no database in {installation.data}" in said
    assert all(f"`{command}`" in said for command in ("tenure init", "tenure apply FILE", "tenure serve --create"))
    assert "no database in" in installation.run("license", "list").err
    assert "no database in" in installation.run("doctor").out
    assert sorted(path.name for path in installation.home.rglob("*")) == before


@pytest.mark.parametrize("prepare", NO_DATABASE)
def test_init_creates_an_installation_on_which_a_server_starts(installation, prepare):
    prepare(installation)
    installation.do("init")
    done = installation.run_words(["timeout", "-s", "TERM", "30", "sh", "-c", """
        "$@" >ready & server=$!
        until grep -q ready ready; do kill -0 $server || exit 1; done
        kill -TERM $server; wait $server""", "sh", *installation.words("serve", "--listen", "127.0.0.1:0")])
    assert done.code == 0, done


@pytest.mark.parametrize("prepare", NO_DATABASE)
def test_a_dry_run_of_apply_creates_nothing(installation, prepare):
    prepare(installation)
    before = sorted(path.name for path in installation.home.rglob("*"))
    assert "+ tenant acme" in installation.apply(catalog("acme"), "--dry-run").out
    assert sorted(path.name for path in installation.home.rglob("*")) == before


@pytest.mark.parametrize("words", [["init"], ["serve", "--create", "--listen", "127.0.0.1:0"]])
def test_init_and_serve_fail_on_a_write_ahead_log_without_its_database_and_keep_the_log(installation, words):
    without_bytes(installation)
    log = installation.data / "tenure.sqlite-wal"
    log.write_bytes(b"changes")

    assert "its log" in refused(installation, *words)
    assert log.read_bytes() == b"changes"


def test_a_data_folder_in_a_missing_folder_is_refused(home):
    assert "cannot be created" in serve_refused(Installation(home, home / "no" / "such" / "place"))


def test_commands_fail_if_the_data_folder_is_missing_and_do_not_create_it(installation):
    for words in (["license", "list"], ["key", "list"], ["backup", "copy.sqlite"], ["license", "revoke", "KEY"]):
        assert installation.run(*words).code == 1
    assert not installation.data.exists()


@needs_root
def test_another_users_data_folder_is_refused(home):
    mine = Installation(home)
    mine.apply(catalog("acme"))
    stranger = as_stranger(home)
    before = {path.name: path.read_bytes() for path in mine.data.iterdir()}

    mine.data.chmod(0o755)
    assert "belongs to user 0" in serve_refused(stranger)
    assert stranger.run("license", "list").code == 1
    mine.data.chmod(0o700)
    assert serve_refused(stranger)
    assert {path.name: path.read_bytes() for path in mine.data.iterdir()} == before


@needs_root
def test_a_data_folder_that_the_user_may_not_create_is_refused(home):
    assert "Permission denied" in serve_refused(as_stranger(home))


@needs_root
def test_a_program_started_by_root_runs_as_the_owner_of_the_data_folder(home):
    home.chmod(0o755)
    installation = Installation(home)
    installation.data.mkdir(mode=0o700)
    os.chown(installation.data, STRANGER, STRANGER)
    installation.apply(catalog("acme"))
    with installation.serving() as server:
        assert server.client.get("/acme/notes/config").status == 200
        assert {path.stat().st_uid for path in installation.data.iterdir()} == {STRANGER}
    as_stranger(home).do("license", "list")


@needs_root
@pytest.mark.parametrize("mode", [0o400, 0o000])
def test_a_database_without_write_permission_is_refused(home, mode):
    stranger = as_stranger(home)
    stranger.data.mkdir(mode=0o700)
    os.chown(stranger.data, STRANGER, STRANGER)
    stranger.apply(catalog("acme"))
    stranger.database.chmod(mode)
    before = stranger.database.read_bytes()

    assert "may not open" in serve_refused(stranger)
    assert stranger.run("license", "list").code == 1
    assert stranger.database.read_bytes() == before
    stranger.database.chmod(0o600)
    stranger.do("license", "list")


@needs_root
@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_data_folder_without_write_permission_is_refused(home, mode):
    stranger = as_stranger(home)
    stranger.data.mkdir(mode=0o700)
    os.chown(stranger.data, STRANGER, STRANGER)
    stranger.apply(catalog("acme"))
    stranger.data.chmod(mode)

    serve_refused(stranger)
    stranger.data.chmod(0o700)
    stranger.do("license", "list")


def test_a_second_server_on_a_data_folder_is_refused(installation):
    installation.apply(catalog("acme"))
    with installation.serving() as server:
        assert "Another server is running" in serve_refused(installation)
        assert server.client.get("/acme/notes/config").status == 200
    with installation.serving() as server:
        assert server.client.get("/acme/notes/config").status == 200


def test_a_port_in_use_is_refused(installation, shared_server):
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as taken:
        ports = [taken.getsockname()[1], shared_server.client.port]
        for port in ports:
            said = serve_refused(installation, f"127.0.0.1:{port}")
            assert f"127.0.0.1:{port}" in said
    assert shared_server.client.get("/health").status == 200


def test_listening_on_an_address_of_another_host_is_refused(installation):
    assert "192.0.2.1" in serve_refused(installation, "192.0.2.1:0")


def test_doctor_the_readiness_check_and_the_log_warn_of_a_store_without_a_tenant(installation):
    installation.do("init")

    findings = installation.do("doctor", "--json").lines
    [warning] = [finding for finding in findings if finding["subject"] == "tenants"]
    assert warning["level"] == "warning" and "tenure apply FILE" in warning["cure"]
    with installation.serving() as server:
        assert "has no tenant" in server.client.get("/ready").json["warning"]
        assert server.says("has no tenant")
        installation.apply(catalog("acme"))
        eventually(lambda: server.client.get("/ready").json, lambda ready: "warning" not in ready)
    assert "tenants" not in [finding["subject"] for finding in installation.do("doctor", "--json").lines]


def test_doctor_reports_a_data_folder_that_other_users_may_write_or_read(installation):
    installation.apply(catalog("acme"))
    installation.data.chmod(0o777)
    assert "may write in" in installation.do("doctor").out
    installation.data.chmod(0o755)
    assert "may read" in installation.do("doctor").out


@needs_root
def test_doctor_recommends_chown_and_no_restore_for_a_file_of_another_owner(home):
    stranger = as_stranger(home)
    stranger.data.mkdir(mode=0o700)
    os.chown(stranger.data, STRANGER, STRANGER)
    stranger.apply(catalog("acme"))
    os.chown(stranger.database, 0, 0)

    doctor = stranger.run("doctor")
    assert doctor.code == 1 and "chown -R" in doctor.out and "tenure restore" not in doctor.out


@needs_root
def test_contexts_are_saved_in_a_folder_that_their_owner_can_not_list(home):
    stranger, folder = as_stranger(home), home / ".config" / "tenure"
    folder.mkdir(parents=True)
    os.chown(folder, STRANGER, STRANGER)
    folder.chmod(0o300)

    def run(*words: str):
        words = [word for word in stranger.words(*words) if word not in ("--data", str(stranger.data))]
        return stranger.run_words(words)

    for name in ("shop", "shelf"):
        added = run("context", "add", name, "--store", "postgres:///tenure")
        assert added.code == 0, added
    listed = run("context", "list")
    assert listed.code == 0 and "shop" in listed.out and "shelf" in listed.out, listed
    assert [path.name for path in folder.iterdir()] == ["config.json"]
