"""Tests that idle connections leave enough file descriptors for the store."""

import socket
from contextlib import ExitStack

from catalogs import catalog, fresh_key, license, product
from client import App, Client


def test_idle_connections_leave_file_descriptors_for_the_store(installation):
    key = fresh_key()
    installation.apply(catalog("acme", product(licenses=[license(key)])))
    # The soft and hard limits are equal, so the server can't raise its limit.
    limited = type(installation)(installation.home, installation.data, ["prlimit", "--nofile=160:160"])
    with limited.serving() as server, ExitStack() as open_ones:
        for _ in range(150):
            one = open_ones.enter_context(socket.socket())
            one.settimeout(5)
            one.connect((server.client.host, server.client.port))
        # A command writes to the store while all these connections are open.
        client = Client(f"http://{server.client.host}:{server.client.port}")
        app = App(server.client, "acme", "notes")
        assert installation.do("license", "suspend", key).code == 0
        open_ones.close()
        assert app.activate(key)["code"] == "license_suspended"
        client.close()
        assert "Too many open files" not in server.said and "store_" not in server.said


def test_a_server_raises_its_soft_limit_of_open_files_to_the_hard_limit(installation):
    limited = type(installation)(installation.home, installation.data, ["prlimit", "--nofile=80:4096"])
    installation.apply(catalog("acme", product()))
    with limited.serving() as server:
        line, = [
            line for line in open(f"/proc/{server.pid}/limits", encoding="ascii") if line.startswith("Max open files")]
        assert line.split()[3:5] == ["4096", "4096"]
