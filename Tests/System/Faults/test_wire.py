"""Tests a server that receives hostile bytes."""

import errno
import json
import re
import socket

import pytest
from waiting import eventually

WAIT_SECONDS = 60


def exchange(server, sent: bytes) -> bytes:
    """Sends bytes and reads until the server closes the connection, possibly before it has read all of them."""
    with socket.create_connection((server.client.host, server.client.port), timeout=WAIT_SECONDS) as raw:
        received = b""
        try:
            raw.sendall(sent)
            raw.shutdown(socket.SHUT_WR)
            while part := raw.recv(65536):
                received += part
        except OSError as gone:
            if gone.errno not in (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN):
                raise
        return received


def statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1.1 (\d{3}) ", received)]


def problems(received: bytes) -> list[tuple[int, str]]:
    """The status and code of each response; each has one head, and a JSON problem as its body."""
    found = []
    while received:
        head, _, rest = received.partition(b"\r\n\r\n")
        lines = head.decode("ascii").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:])
        assert len(fields) == len(lines) - 1 and fields["content-type"].startswith("application/problem+json"), head
        length = int(fields["content-length"])
        problem = json.loads(rest[:length])
        assert str(problem["status"]) == lines[0].split()[1] and "x-request-id" in fields, received
        found.append((problem["status"], problem["code"]))
        received = rest[length:]
    return found


def assert_refused(received: bytes, status: int) -> None:
    """Checks that the connection got one problem of that status and was closed."""
    assert [found for found, _ in problems(received)] == [status], received
    assert b"\r\nConnection: close\r\n" in received, received


SMUGGLED = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
UNCLEAR = {
    "length and chunks": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
    "a list of lengths": b"Content-Length: 2, 40\r\n\r\n{}",
    "a signed length": b"Content-Length: +2\r\n\r\n{}",
    "a negative length": b"Content-Length: -1\r\n\r\n{}",
    "a hexadecimal length": b"Content-Length: 0x2\r\n\r\n{}",
    "an enormous length": b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    "an unknown coding": b"Transfer-Encoding: gzip\r\n\r\n{}",
    "a hidden coding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a coding behind a space": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "two codings": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("fault", UNCLEAR)
def test_a_request_with_ambiguous_framing_is_refused_and_nothing_after_it_is_read(vendor, fault):
    received = exchange(
        vendor.server, b"POST /x/y/activate HTTP/1.1\r\nHost: x\r\n" + UNCLEAR[fault] + SMUGGLED)

    assert_refused(received, 400)


GOOD = b"POST /nothing/is/here HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
NOT_HTTP = {
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    "NULs": (b"\x00" * 100, 400),
    "no path": (b"GET\r\n\r\n", 400),
    "no version": (b"GET /\r\n\r\n", 400),
    "a bad length": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n{}", 400),
    "an empty length": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n{}", 400),
    "two long lengths": (
        b"POST / HTTP/1.1\r\nHost: x\r\n" + (b"Content-Length: " + b"3" * 18 + b"\r\n") * 2 + b"\r\n", 400),
    "an unknown version": (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 505),
    "a newer version": (b"GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "a version that is none": (b"GET / HTTQ/1.1\r\nHost: x\r\n\r\n", 400),
    "a malformed escape": (b"GET /health/%zz HTTP/1.1\r\nHost: x\r\n\r\n", None),
    "a long path": (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", 431),
    "a long field": (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 100_000 + b"\r\n\r\n", 431),
    "many fields": (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 1_000 + b"\r\n", 431),
    "many cookies": (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a=b;" * 1_000 + b"\r\n\r\n", 431),
    "many query items": (b"GET /?" + b"a&" * 1_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
    "a folded field": (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400),
    "a field folded by a tab": (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc\r\n\r\n", 400),
    "a NUL in the path": (b"GET /heal\x00th HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a NUL in a field": (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n", 400),
    "a NUL in a name": (b"GET / HTTP/1.1\r\nHost: x\r\nA\x00b: c\r\n\r\n", 400),
    "a bare line feed": (b"GET / HTTP/1.1\nHost: x\n\n", 400),
    "a bare carriage return": (b"GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 400),
    "a second space": (b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "no name": (b"GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400),
    "no chunk size": (CHUNKED + b"zz\r\n\r\n", 400),
    "an empty chunk size": (CHUNKED + b"\r\n\r\n", 400),
    "a huge chunk size": (CHUNKED + b"ffffffffffffffff1\r\n\r\n", 400),
    "a chunk that goes on": (CHUNKED + b"2\r\nabc\r\n0\r\n\r\n", 400),
    "a chunk without its end": (CHUNKED + b"2\r\nab2\r\nab\r\n0\r\n\r\n", 400),
    "a bare line feed in chunks": (CHUNKED + b"2\nab\n0\n\n", 400),
    "a chunk extension": (CHUNKED + b"2;a=b\r\nab\r\n0\r\n\r\n", 400),
    "a trailer": (CHUNKED + b"2\r\nab\r\n0\r\nA: b\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400),
}


@pytest.mark.parametrize("after", [b"", GOOD], ids=["first", "kept"])
@pytest.mark.parametrize("fault", NOT_HTTP)
def test_a_malformed_oversized_or_unsupported_request_gets_one_error_response(vendor, fault, after):
    sent, status = NOT_HTTP[fault]
    received = exchange(vendor.server, after + sent + (SMUGGLED if status else b""))

    found = problems(received)
    if after:
        assert found.pop(0)[0] == 404, received
    if status:
        assert [refused for refused, _ in found] == [status] and b"\r\nConnection: close\r\n" in received, received
    else:
        # Without an expected status, the request is HTTP and its end is clear, so the connection continues.
        assert len(found) == 1 and found[0][0] in (400, 404), received


@pytest.mark.parametrize("size", [1, 7])
@pytest.mark.parametrize("fault", ["a bad length", "a folded field", "an unknown version", "a NUL in a field"])
def test_an_invalid_request_is_refused_with_the_same_status_if_it_arrives_in_pieces(vendor, fault, size):
    sent, status = NOT_HTTP[fault]
    before, received = counted(vendor, status), b""
    with socket.create_connection((vendor.server.client.host, vendor.server.client.port), timeout=WAIT_SECONDS) as raw:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        whole = GOOD + sent
        try:
            for start in range(0, len(whole), size):
                raw.sendall(whole[start:start + size])
            while part := raw.recv(65536):
                received += part
        except OSError as gone:
            assert gone.errno in (errno.EPIPE, errno.ECONNRESET), gone

    # The server closes with unread bytes, which causes a TCP reset. The reset may discard responses that weren't read yet.
    assert [found for found, _ in problems(received)] in ([404, status], [404], []), received
    eventually(lambda: counted(vendor, status), lambda count: count == before + 1)


def counted(vendor, status: int) -> float:
    """The server's count of responses with this status."""
    text = vendor.server.client.get("/metrics").body.decode()
    return sum(
        float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
        if line.startswith("tenure_http_requests_total{") and f'status="{status}"' in line)


def test_a_request_with_an_unsupported_http_version_is_counted_and_logged(vendor):
    before = counted(vendor, 505)
    received = exchange(vendor.server, b"GET /health HTTP/3.7\r\nHost: x\r\n\r\n")
    id = received.decode().lower().split("x-request-id: ")[1].split("\r\n")[0]

    assert counted(vendor, 505) == before + 1
    assert vendor.server.says(id)
    line = json.loads(next(line for line in vendor.server.said.splitlines() if id in line))
    assert (line["event"], line["status"], line["method"], line["route"]) == ("request", 505, "GET", "/health")


@pytest.mark.parametrize("sent", [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x00" * 100, b"GET\r\n\r\n", b"hello\r\n\r\n", b"\r\n" * 1000,
    b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 100_000 + b"\r\n\r\n",
    b"POST /x/y/activate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    b"POST /x/y/activate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n\r\n",
], ids=[
    "TLS", "NULs", "no path", "a word", "empty lines", "HTTP/9.9", "HTTP/2", "long path", "many fields", "long field",
    "no chunk size", "huge chunk size"])
def test_a_server_still_serves_requests_after_malformed_input(vendor, sent):
    received = exchange(vendor.server, sent)

    assert all(400 <= status < 600 for status in statuses(received)), received
    assert vendor.server.client.get("/health").status == 200


def test_hundreds_of_silent_clients_block_no_other_client(vendor):
    key = vendor.offer_license()
    client = vendor.server.client
    silent = []
    try:
        for number in range(400):
            raw = socket.create_connection((client.host, client.port), timeout=WAIT_SECONDS)
            silent.append(raw)
            raw.sendall([b"", b"POST /a/b/activate HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"][number % 2])
        assert vendor.app().activate(key).status == 200
    finally:
        for raw in silent:
            raw.close()


def test_an_activation_succeeds_after_clients_disconnected_in_the_middle_of_requests(vendor):
    key = vendor.offer_license({"id": "many", "activationLimit": 10_000})
    client = vendor.server.client
    body = b'{"license_key": "%s", "instance_name": "gone"}' % key.encode()
    request = (
        f"POST /{vendor.tenant}/notes/activate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    for length in range(0, len(request) + 1, 7):
        with socket.create_connection((client.host, client.port), timeout=WAIT_SECONDS) as raw:
            raw.sendall(request[:length])

    assert vendor.app().activate(key).status == 200
    assert client.get("/metrics").status == 200
