"""Measures one app's refreshes while a client attacks the server.

Run as a program, this file is the attacking client: `attacks.py NAME PORT CONNECTIONS`. It attacks until it is killed.
"""

import base64
import http.client
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time

BRACKETS = "[" * 240_000
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
# Each attack and its number of connections, which is more than one client would normally open.
ATTACKS = {
    "deep JSON": 16,
    "bodies half sent": 200,
    "answers never read": 1_000,
    "wrong sign-ins": 32,
    "invented trials": 32,
    "changes at once": 600,
}


def asked_again_and_again(port, make):
    """Sends one request after the other without a pause, and reconnects whenever the connection closes."""
    while True:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            while True:
                path, body, headers = make()
                client.request("POST", path, body, headers)
                client.getresponse().read()
        except (OSError, http.client.HTTPException):
            client.close()
            time.sleep(0.01)


def held(port, text, reads):
    """Sends the bytes and keeps the connection open; reads the response only if `reads` is true."""
    while True:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            try:
                client.connect(("127.0.0.1", port))
                client.sendall(text)
                while reads and client.recv(1):
                    pass
                time.sleep(3600)
            except OSError:
                time.sleep(0.05)


def attack(name, port):
    """Runs one connection of an attack; never returns."""
    if name == "deep JSON":
        asked_again_and_again(port, lambda: ("/marketplace/acme/licenses", BRACKETS, JSON))
    elif name == "bodies half sent":
        head = b"POST /acme/notes/validate HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
        held(port, head + b"Content-Length: 1000000\r\n\r\n" + b"x" * 999_999, True)
    elif name == "answers never read":
        held(port, b"GET /openapi.json HTTP/1.1\r\nHost: t\r\n\r\n" * 4, False)
    elif name == "wrong sign-ins":
        asked_again_and_again(
            port, lambda: ("/resolve/acme/sign-in", f"account=a{secrets.token_hex(4)}&password=wrong-{time.time()}", FORM))
    elif name == "invented trials":
        def trial():
            nonce = base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")
            return "/v1/acme/notes/leases/trial", json.dumps({"nonce": nonce, "device": secrets.token_hex(32)}), JSON
        asked_again_and_again(port, trial)
    elif name == "changes at once":
        key = os.environ["BENCH_KEY"]
        asked_again_and_again(port, lambda: (
            "/acme/notes/activate",
            json.dumps({"license_key": key, "instance_name": "x", "machine_hash": secrets.token_hex(32)}), JSON))


def refreshes(port, path, body, seconds):
    """Sends one refresh after the other; returns the sorted durations in milliseconds and the number of failures."""
    times, failed = [], 0
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        client.request("POST", path, body, JSON)
        answer = client.getresponse()
        answer.read()
        failed += answer.status != 200
        times.append((time.monotonic() - began) * 1000)
        time.sleep(0.005)
    client.close()
    return sorted(times), failed


def measure_attacks(bench, folder, path, body, key, seconds):
    """Measures refreshes without an attack, then under each attack, each time on a new server."""
    add = bench.report.add
    for name in [None, *ATTACKS]:
        server = bench.serve("attacked", folder)
        stranger = name and subprocess.Popen(
            [sys.executable, __file__, name, str(server.port), str(ATTACKS[name])], stdin=subprocess.DEVNULL,
            env=os.environ | {"BENCH_KEY": key})
        try:
            if name:
                time.sleep(2)
            times, failed = refreshes(server.port, path, body, seconds)
        finally:
            if stranger:
                stranger.kill()
                stranger.wait()
        label = f"refresh under attack: {name}" if name else "refresh, without other load"
        add(f"{label}: median", times[len(times) // 2], "ms", 100 if name else None)
        add(f"{label}: p99", times[len(times) * 99 // 100], "ms")
        add(f"{label}: not answered", failed, "", 0)
        add(f"{label}: RssAnon", server.memory()[0], "MB")
        bench.stop_all()


if __name__ == "__main__":
    threading.stack_size(256 << 10)
    for _ in range(int(sys.argv[3])):
        threading.Thread(target=attack, args=(sys.argv[1], int(sys.argv[2])), daemon=True).start()
    time.sleep(3600)
