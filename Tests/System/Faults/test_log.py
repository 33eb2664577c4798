"""Tests the server's log on standard error, and the documented list of reason codes."""

import json
import re
import socket
from pathlib import Path

from installation import Installation

PACKAGE = Path(__file__).resolve().parents[3]


def raw(server, sent: bytes) -> int:
    """Sends bytes on a new connection; returns the status of the first response."""
    with socket.create_connection((server.client.host, server.client.port), timeout=60) as client:
        client.sendall(sent)
        received = b""
        while b"\r\n" not in received and (part := client.recv(65536)):
            received += part
    return int(received.split(b" ")[1])


def test_every_line_of_a_servers_standard_error_is_a_json_object(home):
    installation = Installation(home)
    with installation.serving() as server:
        assert server.client.get("/health").status == 200
        server.says('"route":"/health"')
    lines = [line for line in server.said.splitlines() if not line.startswith("tenure: ready on ")]
    events = [json.loads(line)["event"] for line in lines]
    # The first start makes a master key and logs a notice.
    assert "notice" in events and "master key" in next(line for line in lines if "notice" in line)
    assert "request" in events and events[-1] == "stopped"


def test_requests_refused_before_a_handler_runs_are_counted_and_logged(home):
    with Installation(home).serving() as server:
        head = b"POST /acme/notes/activate HTTP/1.1\r\nHost: x\r\n"
        answered = [
            raw(server, b"GET /health HTTP/1.1\r\n\r\n"),
            raw(server, head + b"Expect: 100-continue\r\nContent-Length: 2000000\r\n\r\n"),
            raw(server, head + b"X: " + b"x" * 17_000 + b"\r\nContent-Length: 0\r\n\r\n"),
        ]
        assert answered == [400, 413, 431]
        metrics = server.client.get("/metrics").body.decode()
        for route, status in (
                ("/health", 400), ("/{tenant}/{product}/activate", 413), ("/{tenant}/{product}/activate", 431)):
            assert f'tenure_http_requests_total{{route="{route}",status="{status}"}} 1' in metrics
            assert server.says(f'"route":"{route}","status":{status}'), status


def test_error_codes_in_the_licensing_and_marketplace_sources_are_documented():
    printed = set(re.findall(r"^\| `(\w+)` \|", (PACKAGE / "Documentation/reasons.md").read_text("utf-8"), re.M))
    named = {}
    for path in (PACKAGE / "Sources").rglob("*.swift"):
        target = path.parts[len(PACKAGE.parts) + 2]
        if target.startswith(("TenureServer", "TenureLicensing", "TenureMarketplace")) or path.name == "Rejections.swift":
            for code in re.findall(r'\bcode: "(\w+)"', path.read_text("utf-8")):
                named[code] = path.name
    assert len(named) > 10
    assert {code: place for code, place in named.items() if code not in printed} == {}
