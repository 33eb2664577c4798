"""Installs, upgrades, removes and purges the Debian package in empty systems."""

import shutil
import stat
import subprocess

import pytest
from empty_system import EmptySystem
from release import PACKAGE

# A script that replaces systemctl, which can't run in a folder. The script appends its arguments to a file.
RECORDER = "#!/bin/sh\necho \"$@\" >> /var/log/systemctl\n"


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def system(request, release, tmp_path_factory) -> EmptySystem:
    """A system with the package installed, that seems to be booted with systemd."""
    system = EmptySystem(request.param, tmp_path_factory.mktemp("root") / "system", "systemd")
    recorder = system.folder / "usr/bin/systemctl"
    recorder.unlink()
    recorder.write_text(RECORDER)
    recorder.chmod(0o755)
    (system.folder / "run/systemd/system").mkdir(parents=True)
    shutil.copy(release.debian_package, system.folder / "first.deb")
    system.run("apt-get", "update")
    system.run("apt-get", "install", "-y", "--no-install-recommends", "/first.deb")
    return system


def calls(system) -> list[str]:
    """The calls of systemctl since the last call of this function, without queries."""
    log = system.folder / "var/log/systemctl"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return [line for line in lines if line.split()[-1].startswith("tenure") and "is-" not in line and "show" not in line]


def facts(system, path: str) -> str:
    return system.run("stat", "-c", "%U:%G %a", path).strip()


def next_version(unpacked, folder, *, default: str = ""):
    """A package that is newer than the release's, and whose configuration file ends with `default`."""
    shutil.copytree(unpacked, folder / "next")
    with (folder / "next/packaging/tenure.default").open("a") as file:
        file.write(default)
    made = subprocess.run(
        [PACKAGE / "Scripts/debian-package", folder / "next", "99.0", "Tenure <tenure@example.com>", folder],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "SOURCE_DATE_EPOCH": "1800000000"}, check=True,
        capture_output=True, text=True)
    return made.stdout.strip()


def test_lintian_reports_no_error_for_the_debian_package(release):
    done = subprocess.run(
        ["lintian", "--fail-on", "error", "--tag-display-limit", "0", release.debian_package], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout


def test_installing_the_debian_package_starts_no_server_and_creates_the_configuration_and_data_folders(system):
    assert calls(system) == []
    assert not list((system.folder / "etc/systemd/system").rglob("tenure*"))
    assert facts(system, "/etc/tenure") == "root:tenure 750"
    assert facts(system, "/var/lib/tenure") == "tenure:tenure 700"
    assert "www-data" in system.run("id", "-nG", "tenure")
    system.run("systemd-analyze", "verify", "--man=no", "tenure.service")


def test_a_server_runs_as_the_user_tenure_on_an_installation_that_root_created(system):
    shutil.copy(PACKAGE / "Examples/catalog.json", system.folder / "root/catalog.json")
    key = ("--data", "/var/lib/tenure", "--master-key-file", "/etc/tenure/master.key")
    system.run("tenure", "init", *key)
    system.run("tenure", "apply", "/root/catalog.json", *key)
    assert facts(system, "/etc/tenure/master.key") == "tenure:tenure 400"
    # Run the unit's own command in its environment until the socket exists.
    unit = (system.folder / "lib/systemd/system/tenure.service").read_text()
    [command] = [line.removeprefix("ExecStart=") for line in unit.splitlines() if line.startswith("ExecStart=")]
    script = f"""
        install -d -o tenure -g tenure /run/tenure
        set -a; . /etc/default/tenure; set +a
        setpriv --reuid=tenure --regid=tenure --init-groups {command} >/tmp/ready &
        until grep -q 'ready on unix:/run/tenure/tenure.sock' /tmp/ready; do kill -0 $! || exit 9; sleep 0.1; done
        stat -c '%U:%G %a' /run/tenure/tenure.sock; kill $!; wait $!"""
    assert "tenure:www-data 660" in system.run("sh", "-ec", script)


def test_an_upgrade_of_the_debian_package_keeps_an_edited_configuration_and_restarts_the_server(system, unpacked, tmp_path):
    configuration = system.folder / "etc/default/tenure"
    edited = configuration.read_text().replace('#TENURE_BASE_URL="https://licenses.example.com"', 'TENURE_BASE_URL="https://licenses.example"')
    assert edited != configuration.read_text()
    configuration.write_text(edited)
    shutil.copy(next_version(unpacked, tmp_path, default="# New in this version.\n"), system.folder / "next.deb")
    calls(system)
    system.run("dpkg", "--force-confdef", "-i", "/next.deb")
    assert configuration.read_text() == edited
    assert "99.0" in system.run("dpkg-query", "-W", "tenure")
    assert [line.split()[-2:] for line in calls(system)] == [["try-restart", "tenure.service"]]


def test_removing_the_debian_package_stops_the_server_and_keeps_the_data(system):
    calls(system)
    system.run("apt-get", "remove", "-y", "tenure")
    assert [line.split()[-2:] for line in calls(system)] == [["stop", "tenure.service"]]
    assert not (system.folder / "usr/bin/tenure").exists()
    assert (system.folder / "etc/default/tenure").exists()
    assert (system.folder / "var/lib/tenure/tenure.sqlite").exists()


def test_purging_the_debian_package_keeps_the_master_key_and_the_data_and_names_their_folders(system):
    said = system.run("apt-get", "purge", "-y", "tenure")
    for path in ("/var/lib/tenure", "/etc/tenure"):
        assert f"tenure: {path} is kept" in said
    assert (system.folder / "var/lib/tenure/tenure.sqlite").exists()
    key = (system.folder / "etc/tenure/master.key").stat()
    assert stat.S_IMODE(key.st_mode) == 0o400
    assert not (system.folder / "etc/default/tenure").exists()
