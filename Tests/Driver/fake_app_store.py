"""App Store Connect as far as packages are fetched from it: on loopback, and misbehaving on demand."""

import base64
import hashlib
import io
import json
import re
import threading
import time
import uuid
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


@dataclass
class Version:
    """A version of a package as it can be fetched."""

    package: object
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    parent: str = field(default_factory=lambda: str(uuid.uuid4()))
    number: int = 1
    state: str = "COMPLETED"


class FakeAppStore:
    """A server of the test's own; `misbehave` takes what the next answers to a path do instead of answering well."""

    def __init__(self, home):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_file = home / "AuthKey_TEST.p8"
        self.key_file.write_bytes(self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        self.issuer, self.key_id = str(uuid.uuid4()), "TESTKEY123"
        self.versions: dict[str, Version] = {}
        self.asked: list[tuple[str, dict]] = []
        self.blobs: dict[str, bytes] = {}
        self.tricks: list[tuple[re.Pattern, object]] = []
        self.pace: float = 0
        self.links = 0
        self.dead_links: set[int] = set()
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                fake._answer(self)

            def log_message(self, *words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self):
        self._server.shutdown()
        self._server.server_close()

    def has(self, package, **members) -> Version:
        version = Version(package, **members)
        self.versions[version.id] = version
        for path in package.assets:
            self.blobs[path] = hashlib.sha256(path.encode()).digest() * 4
        return version

    def misbehave(self, pattern: str, *tricks):
        """What the next answers to paths of a pattern do: a status with fields, or a function of the handler."""
        with self._lock:
            self.tricks += [(re.compile(pattern), trick) for trick in tricks]

    def count(self, pattern: str) -> int:
        return sum(1 for path, _ in self.asked if re.search(pattern, path))

    # What it answers

    def _answer(self, handler):
        path = handler.path
        with self._lock:
            self.asked.append((path, dict(handler.headers)))
            place = next((place for place, (pattern, _) in enumerate(self.tricks) if pattern.search(path)), None)
            trick = None if place is None else self.tricks.pop(place)[1]
        if callable(trick):
            return trick(handler)
        if trick:
            status, fields, *body = trick
            return self._send(handler, status, body[0] if body else b"{}", fields)
        if path.startswith("/v1/"):
            if not self._is_let_in(handler):
                return self._send(handler, 401, b'{"errors":[{"code":"NOT_AUTHORIZED"}]}')
            return self._resource(handler, path.split("?")[0])
        return self._file(handler, path)

    def _is_let_in(self, handler) -> bool:
        """Whether the bearer is a token of the key's, for App Store Connect, and short-lived."""
        bearer = handler.headers.get("Authorization", "")
        if not bearer.startswith("Bearer "):
            return False
        head, payload, signature = bearer.removeprefix("Bearer ").split(".")
        raw = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (head, payload, signature)]
        claims, header = json.loads(raw[1]), json.loads(raw[0])
        r, s = int.from_bytes(raw[2][:32]), int.from_bytes(raw[2][32:])
        self.key.public_key().verify(
            encode_dss_signature(r, s), f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
        return (
            header == {"alg": "ES256", "typ": "JWT", "kid": self.key_id} and claims["iss"] == self.issuer
            and claims["aud"] == "appstoreconnect-v1" and claims["exp"] - claims["iat"] <= 1200)

    def _resource(self, handler, path):
        kind, _, name = path.removeprefix("/v1/").partition("/")
        if kind == "alternativeDistributionPackageVersions" and name in self.versions:
            return self._json(handler, {"data": [self._version(self.versions[name])]})
        if kind == "alternativeDistributionPackages":
            parent = name.removesuffix("/versions")
            found = [one for one in self.versions.values() if one.parent == parent]
            return self._json(handler, {"data": [self._version(one) for one in found], "links": {}})
        for folder, kinds in (("variant", "Variants"), ("delta", "Deltas")):
            if kind == f"alternativeDistributionPackage{kinds}":
                path = f"{folder}/{name}.ipa"
                if path in self.blobs:
                    return self._json(handler, {"data": {"id": str(uuid.uuid4()), "type": "x", "attributes": {
                        "url": self._link(path), "urlExpirationDate": "2030-01-01T00:00:00Z",
                        "alternativeDistributionKeyBlob": base64.b64encode(self.blobs[path]).decode()}}})
        return self._send(handler, 404, b'{"errors":[{"code":"NOT_FOUND"}]}')

    def _version(self, one: Version) -> dict:
        return {"id": one.id, "type": "alternativeDistributionPackageVersions", "attributes": {
            "url": self._link(f"zip/{one.id}"), "urlExpirationDate": "2030-01-01T00:00:00Z",
            "version": str(one.number), "state": one.state, "fileChecksum": "x"}}

    def _link(self, path: str) -> str:
        with self._lock:
            self.links += 1
            return f"{self.url}/files/{self.links}/{path}"

    def _json(self, handler, value):
        self._send(handler, 200, json.dumps(value).encode(), {"X-Rate-Limit": "user-hour-lim:3500;user-hour-rem:500;"})

    def zip(self, one: Version) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("manifest.json", "signature"):
                archive.writestr(name, one.package.files[name])
        return out.getvalue()

    def data(self, path: str) -> bytes | None:
        if path.startswith("zip/"):
            return self.zip(self.versions[path.removeprefix("zip/")])
        return next((one.package.assets[path] for one in self.versions.values() if path in one.package.assets), None)

    def _file(self, handler, path):
        _, _, number, name = path.split("/", 3)
        assert "Authorization" not in handler.headers, "the bearer went to a link"
        data = None if int(number) in self.dead_links else self.data(name)
        if data is None:
            return self._send(handler, 403, b"<expired/>")
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        start, status, fields = 0, 200, {"ETag": tag, "Accept-Ranges": "bytes"}
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        if asked and handler.headers.get("If-Range", tag) == tag:
            start, status = int(asked[1]), 206
            if start >= len(data):
                return self._send(handler, 416, b"", {"Content-Range": f"bytes */{len(data)}"})
            fields["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        return self._send(handler, status, data[start:], fields, pace=self.pace)

    def _send(self, handler, status, body=b"", fields=None, pace: float = 0, cut: int | None = None):
        try:
            handler.send_response(status)
            for name, value in ({"Content-Type": "application/json"} | (fields or {})).items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            body = body if cut is None else body[:cut]
            for at in range(0, len(body), 500 if pace else 1 << 20):
                handler.wfile.write(body[at:at + (500 if pace else 1 << 20)])
                if pace:
                    handler.wfile.flush()
                    time.sleep(pace)
            if cut is not None:
                handler.wfile.flush()
                handler.close_connection = True
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True

    # Tricks

    def cut(self, count: int):
        """Breaks off a file after so many bytes."""
        def trick(handler):
            name = handler.path.split("/", 3)[3]
            data = self.data(name)
            tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
            asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
            start = int(asked[1]) if asked else 0
            fields = {"ETag": tag} | (
                {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if asked else {})
            self._send(handler, 206 if asked else 200, data[start:], fields, cut=count)
        return trick

    def damaged(self, at: int):
        """Gives a file with one byte that is wrong."""
        def trick(handler):
            data = bytearray(self.data(handler.path.split("/", 3)[3]))
            data[at] ^= 1
            self._send(handler, 200, bytes(data), {"ETag": '"damaged"'})
        return trick

    def longer(self, count: int):
        """Gives more than the manifest says."""
        def trick(handler):
            self._send(handler, 200, self.data(handler.path.split("/", 3)[3]) + b"x" * count)
        return trick

    def elsewhere(self, times: int = 1):
        """Redirects, so often in a row."""
        def trick(handler):
            if times > 1:
                self.misbehave(r"^/files/", self.elsewhere(times - 1))
            self._send(handler, 302, b"", {"Location": handler.path})
        return trick
