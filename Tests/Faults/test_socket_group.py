"""Who may connect to the socket."""

import grp
import os
import stat

import pytest
from catalogs import catalog
from server import Server


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to any group")
@pytest.mark.parametrize("by", ["name", "number"])
def test_a_group_may_connect_and_others_may_not(installation, home, by):
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


@pytest.mark.parametrize("words", [
    ["serve", "--listen", "unix:x.sock", "--socket-group", "nobody-is-called-so"],
    ["serve", "--socket-group", "0"]])
def test_a_group_that_means_nothing_is_refused(installation, words):
    installation.apply(catalog("acme"))
    output = installation.run(*words)
    assert output.code in (1, 2) and "group" in output.err
