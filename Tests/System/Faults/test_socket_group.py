"""Tests the group and the mode of the server's Unix socket, and the systemd unit that sets the group."""

import grp
import os
import re
import shlex
import stat
import subprocess
from pathlib import Path

import pytest
from catalogs import catalog
from program import program
from server import Server


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to any group")
@pytest.mark.parametrize("by", ["name", "number"])
def test_the_socket_belongs_to_the_given_group_and_has_the_mode_0660(installation, home, by):
    installation.apply(catalog("acme"))
    group = grp.getgrgid(1)
    socket = home / "tenure.sock"
    words = installation.words(
        "serve", "--listen", f"unix:{socket}", "--socket-group", group.gr_name if by == "name" else str(group.gr_gid))
    server = Server(words, str(home), installation.environment)
    try:
        assert server.address(60), server.said
        facts = socket.stat()
        assert facts.st_gid == group.gr_gid and stat.S_IMODE(facts.st_mode) == 0o660
    finally:
        server.discard()


UNIT = Path(__file__).parents[3] / "packaging/tenure.service"
DEFAULT = UNIT.with_name("tenure.default")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to any group")
def test_the_socket_of_the_systemd_unit_belongs_to_the_units_supplementary_group(installation, home):
    """Starts the unit's command, with the test's folders in place of the unit's."""
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and not line.startswith("#"))
    listen = re.search(r'^TENURE_LISTEN="(.*)"$', DEFAULT.read_text(), re.MULTILINE).group(1)
    assert lines["Environment"] == f'"TENURE_LISTEN={listen}"'
    places = {"/usr/local/bin/tenure": str(program()), "/var/lib/tenure": str(installation.data),
              "/run/tenure": str(home), "/etc/tenure": str(home)}
    line = lines["ExecStart"].replace("$TENURE_LISTEN", listen)
    for written, here in places.items():
        assert written in line
        line = line.replace(written, here)
    installation.apply(catalog("acme"), "--master-key-file", str(home / "master.key"))
    server = Server(shlex.split(line), str(home), installation.environment)
    try:
        assert server.address(60), server.said
        group = grp.getgrnam(lines["SupplementaryGroups"])
        assert (home / "tenure.sock").stat().st_gid == group.gr_gid
    finally:
        server.discard()


def test_systemd_analyze_rates_the_units_security_exposure_at_most_3_0():
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(UNIT)], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout[-300:]


@pytest.mark.parametrize("words", [
    ["serve", "--listen", "unix:x.sock", "--socket-group", "nobody-is-called-so"],
    ["serve", "--socket-group", "0"]])
def test_a_socket_group_that_is_unknown_or_given_without_a_unix_socket_is_refused(installation, words):
    installation.apply(catalog("acme"))
    output = installation.run(*words)
    assert output.code in (1, 2) and "group" in output.err
