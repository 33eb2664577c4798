"""Checks the messages of `tenure serve` on a terminal if its log goes to a file."""

import json
import os
import pty
import socket
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from program import program


@contextmanager
def serving(home: Path, *options: str):
    """A server with standard output on a terminal and its log in a file; yields the process and the terminal."""
    terminal, end = pty.openpty()
    with open(home / "server.log", "wb") as log:
        process = subprocess.Popen(
            [str(program()), "serve", "--create", "--data", str(home / "data"), *options], stdin=subprocess.DEVNULL, stdout=end,
            stderr=log, env=os.environ | {"TERM": "xterm", "NO_COLOR": "1"})
    os.close(end)
    try:
        with os.fdopen(terminal, "rb", buffering=0) as shown:
            yield process, shown
    finally:
        process.terminate()
        process.wait(60)


def lines(shown, until: str = "\0") -> list[str]:
    """The terminal's lines, up to one that begins with a text, or to the end of the process."""
    text = b""
    while not any(line.startswith(until) for line in text.decode().splitlines()):
        try:
            part = shown.read(4096)
        except OSError:
            break
        if not part:
            break
        text += part
    return text.decode().splitlines()


def test_a_port_in_use_is_reported_on_the_terminal(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with serving(tmp_path, "--listen", f"127.0.0.1:{port}") as (process, shown):
            [line] = lines(shown)
            assert process.wait(60) == 1
    assert line.startswith(f"tenure serve: Another program already listens on 127.0.0.1:{port}. ")
    assert line in (tmp_path / "server.log").read_text()


@pytest.mark.parametrize("options, is_warned", [
    (["--listen", "0.0.0.0:0"], True), (["--listen", "127.0.0.1:0"], False),
    (["--listen", "0.0.0.0:0", "--trusted-proxy", "192.0.2.1"], False)])
def test_listening_on_a_public_address_without_a_trusted_proxy_gives_a_warning(tmp_path, options, is_warned):
    with serving(tmp_path, *options) as (_, shown):
        told = lines(shown, "tenure: ready on ")
    noted = [json.loads(line) for line in (tmp_path / "server.log").read_text().splitlines()]
    warned = [line["text"] for line in noted if "doesn't encrypt connections" in line.get("text", "")]
    assert told[-1].startswith("tenure: ready on ")
    assert told[:-1] == warned
    assert len(warned) == is_warned
