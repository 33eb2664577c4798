"""Runs nginx with the configuration from the documentation."""

import os
import re
import socket
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path

from client import Client
from waiting import eventually

DOCUMENTATION = Path(__file__).resolve().parents[3] / "Documentation"


def documented(page: str, program: str = "nginx") -> str:
    """The configuration of nginx, or of another program, on a page of the documentation."""
    [shown] = re.findall(rf"```{program}\n(.*?)```", (DOCUMENTATION / page).read_text(), re.DOTALL)
    return shown


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def nginx(home: Path, configuration: str):
    """Runs nginx until the context ends, on a free port in place of `PORT`; yields a client for it."""
    port = free_port()
    folder = home / "nginx"
    folder.mkdir()
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{configuration.replace('PORT', str(port))}}}\n")
    process = subprocess.Popen(
        ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def is_listening() -> bool:
        assert process.poll() is None, process.stdout.read()
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        eventually(is_listening, bool)
        yield Client(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(timeout=30)
