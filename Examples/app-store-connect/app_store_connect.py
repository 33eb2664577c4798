#!/usr/bin/env python3
"""A small App Store Connect for trying out a marketplace: it listens on loopback, accepts tokens signed by its own key,
serves packages of random bytes, and notifies a marketplace of them. It needs Python and the command `openssl`.

    app_store_connect.py serve FOLDER               creates a key and an issuer in FOLDER, and serves until it is killed
    app_store_connect.py publish FOLDER ...         creates a version of a package, and notifies a marketplace
    app_store_connect.py takedown FOLDER ...        takes down a package or a whole app
    app_store_connect.py open FOLDER ...            offers a package or app again that was taken down
"""

import argparse
import base64
import datetime
import hashlib
import hmac
import io
import json
import re
import subprocess
import threading
import urllib.error
import urllib.request
import uuid
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from packages import Package, Written

@dataclass
class Version:
    """A version of a package that the server offers."""

    package: object
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    parent: str = field(default_factory=lambda: str(uuid.uuid4()))
    number: int = 1
    state: str = "COMPLETED"
    checksum: str | None = None


class AppStoreConnect:
    """Serves the resources of packages to bearers of tokens signed by one key, and the files behind their links."""

    KEY_ID = "TESTKEY123"

    def __init__(self, home: Path, port: int = 0):
        self.home = home
        home.mkdir(exist_ok=True)
        self.key_file = home / f"AuthKey_{self.KEY_ID}.p8"
        if not self.key_file.exists():
            made = subprocess.run(
                ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
                capture_output=True, check=True).stdout
            self.key_file.write_bytes(made)
            self.key_file.chmod(0o600)
        self._public = home / "public.pem"
        subprocess.run(
            ["openssl", "pkey", "-in", self.key_file, "-pubout", "-out", self._public], check=True)
        issuer = home / "issuer"
        if not issuer.exists():
            issuer.write_text(str(uuid.uuid4()) + "\n")
        self.issuer, self.key_id = issuer.read_text().strip(), self.KEY_ID
        self.versions: dict[str, Version] = {}
        self.blobs: dict[str, bytes] = {}
        self.asked: list[tuple[str, dict]] = []
        self.asset_checksums: dict[str, str] = {}
        self.dead_links: set[int] = set()
        self.pace: float = 0
        self.links = 0
        self._known: dict[str, bool] = {}
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                fake.answer(self)

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def has(self, package, **members) -> Version:
        version = Version(package, **members)
        self.versions[version.id] = version
        for path in package.assets:
            self.blobs[path] = hashlib.sha256(path.encode()).digest() * 4
        return version

    def look(self) -> None:
        """Loads the versions that were published to the folder since the last call."""
        for file in sorted(self.home.glob("*.json")):
            if file.stem not in self.versions:
                facts = json.loads(file.read_text())
                self.has(
                    Written(self.home / file.stem), id=file.stem, parent=facts["package"], number=facts["number"])

    # Requests

    def answer(self, handler) -> None:
        path = handler.path
        with self._lock:
            self.asked.append((path, dict(handler.headers)))
        if not path.startswith("/v1/"):
            return self._file(handler, path)
        if not self._is_let_in(handler):
            return self.send(handler, 401, b'{"errors":[{"code":"NOT_AUTHORIZED"}]}')
        self.look()
        return self._resource(handler, path.split("?")[0])

    def _is_let_in(self, handler) -> bool:
        """Whether the bearer token is signed by the key, is for App Store Connect, and is valid for at most 20 minutes."""
        bearer = handler.headers.get("Authorization", "")
        if not bearer.startswith("Bearer ") or bearer.count(".") != 2:
            return False
        head, payload, signature = bearer.removeprefix("Bearer ").split(".")
        raw = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (head, payload, signature)]
        claims, header = json.loads(raw[1]), json.loads(raw[0])
        return (
            header == {"alg": "ES256", "typ": "JWT", "kid": self.key_id} and claims["iss"] == self.issuer
            and claims["aud"] == "appstoreconnect-v1" and claims["exp"] - claims["iat"] <= 1200
            and self._is_signed(bearer.removeprefix("Bearer "), f"{head}.{payload}".encode(), raw[2]))

    def _is_signed(self, token: str, signed: bytes, signature: bytes) -> bool:
        if token not in self._known:
            name = self.home / f"{uuid.uuid4()}.sig"
            name.write_bytes(der(signature))
            found = subprocess.run(
                ["openssl", "dgst", "-sha256", "-verify", self._public, "-signature", name], input=signed,
                capture_output=True)
            name.unlink()
            self._known[token] = len(signature) == 64 and found.returncode == 0
        return self._known[token]

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
                    told = {"fileChecksum": self.asset_checksums[path]} if path in self.asset_checksums else {}
                    return self._json(handler, {"data": {"id": str(uuid.uuid4()), "type": "x", "attributes": told | {
                        "url": self._link(path), "urlExpirationDate": "2030-01-01T00:00:00Z",
                        "alternativeDistributionKeyBlob": base64.b64encode(self.blobs[path]).decode()}}})
        return self.send(handler, 404, b'{"errors":[{"code":"NOT_FOUND"}]}')

    def _version(self, one: Version) -> dict:
        checksum = one.checksum or hashlib.md5(self.zip(one)).hexdigest()
        return {"id": one.id, "type": "alternativeDistributionPackageVersions", "attributes": {
            "url": self._link(f"zip/{one.id}"), "urlExpirationDate": "2030-01-01T00:00:00Z",
            "version": str(one.number), "state": one.state, "fileChecksum": checksum}}

    def _link(self, path: str) -> str:
        with self._lock:
            self.links += 1
            return f"{self.url}/files/{self.links}/{path}"

    def _json(self, handler, value):
        self.send(handler, 200, json.dumps(value).encode(), {"X-Rate-Limit": "user-hour-lim:3500;user-hour-rem:500;"})

    def zip(self, one: Version) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("manifest.json", "signature"):
                archive.writestr(zipfile.ZipInfo(name), one.package.files[name], zipfile.ZIP_DEFLATED)
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
            return self.send(handler, 403, b"<expired/>")
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        start, status, fields = 0, 200, {"ETag": tag, "Accept-Ranges": "bytes"}
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        if asked and handler.headers.get("If-Range", tag) == tag:
            start, status = int(asked[1]), 206
            if start >= len(data):
                return self.send(handler, 416, b"", {"Content-Range": f"bytes */{len(data)}"})
            fields["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        return self.send(handler, status, data[start:], fields, pace=self.pace)

    def send(self, handler, status, body=b"", fields=None, pace: float = 0, cut: int | None = None):
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
                    threading.Event().wait(pace)
            if cut is not None:
                handler.wfile.flush()
                handler.close_connection = True
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True


def der(signature: bytes) -> bytes:
    """Converts a signature of two 32-byte numbers to DER, which `openssl` expects."""
    parts = b""
    for half in (signature[:32], signature[32:64]):
        number = half.lstrip(b"\0") or b"\0"
        number = (b"\0" if number[0] > 127 else b"") + number
        parts += bytes((2, len(number))) + number
    return bytes((0x30, len(parts))) + parts


def signature(secret: str, body: bytes) -> str:
    """The value of a notification's `x-apple-signature` header."""
    return "hmacsha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


# Commands

def tell(arguments, kind: str, attributes: dict) -> None:
    """Sends a notification and prints the status of the response."""
    now = datetime.datetime.now(datetime.UTC).isoformat()
    body = json.dumps({"data": {
        "type": kind, "version": 1, "id": str(uuid.uuid4()), "timestamp": now, "attributes": {
            "marketplaceAppId": arguments.marketplace, "appId": arguments.item, "eventTimestamp": now} | attributes,
    }}).encode()
    secret = Path(arguments.secret_file).read_text().strip()
    request = urllib.request.Request(
        arguments.notify, body, {"x-apple-signature": signature(secret, body), "Content-Type": "application/json"})
    try:
        status = urllib.request.urlopen(request, timeout=30).status
    except urllib.error.HTTPError as error:
        status = error.code
    print(f"told of {kind}: {status}")


def serve(arguments) -> None:
    fake = AppStoreConnect(Path(arguments.folder), arguments.port)
    if arguments.seconds:
        threading.Timer(arguments.seconds, fake.server.shutdown).start()
    print(f"App Store Connect, for trying out, on {fake.url}", flush=True)
    # This file is written last, because scripts wait for it before they read the output.
    (fake.home / "url").write_text(fake.url + "\n")
    fake.server.serve_forever()


def publish(arguments) -> None:
    home, version = Path(arguments.folder), str(uuid.uuid4())
    package = arguments.package or str(uuid.uuid4())
    Package(
        home / version, int(arguments.item), int(arguments.version), sizes=(arguments.size, arguments.size * 2),
        deltas=(arguments.delta,) if arguments.delta else (), bundle=arguments.bundle, short=arguments.short,
        is_marketplace=arguments.item == arguments.marketplace)
    facts = json.dumps({"package": package, "number": 1})
    (home / f".{version}").write_text(facts)
    (home / f".{version}").rename(home / f"{version}.json")
    print(f"package {package}\nversion {version}")
    if arguments.notify:
        tell(arguments, "AlternativeDistributionPackageVersionAvailable", {
            "alternativeDistributionPackageId": package, "alternativeDistributionPackageVersionId": version,
            "alternativeDistributionPackageVersionNum": "1"})


def takedown(arguments) -> None:
    if arguments.package:
        tell(arguments, "AppVersionsUnavailable", {"alternativeDistributionPackageIds": [arguments.package]})
    else:
        tell(arguments, "AppUnavailable", {})


def reopen(arguments) -> None:
    for file in sorted(Path(arguments.folder).glob("*.json")):
        facts = json.loads(file.read_text())
        if facts["package"] == arguments.package:
            tell(arguments, "AlternativeDistributionPackageVersionAvailable", {
                "alternativeDistributionPackageId": arguments.package,
                "alternativeDistributionPackageVersionId": file.stem, "alternativeDistributionPackageVersionNum": "1"})


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = reader.add_subparsers(required=True, metavar="COMMAND")
    for name, act in (("serve", serve), ("publish", publish), ("takedown", takedown), ("open", reopen)):
        command = commands.add_parser(name)
        command.set_defaults(act=act)
        command.add_argument("folder", metavar="FOLDER", help="where key, names and packages are")
        if name == "serve":
            command.add_argument("--port", type=int, default=0, help="0 for any; it stands in FOLDER/url")
            command.add_argument("--seconds", type=int, default=0, help="ends by itself after so long; 0 for never")
            continue
        command.add_argument("--item", required=True, help="Apple's number of the app")
        command.add_argument("--marketplace", default="6497405838", help="Apple's number of the marketplace app")
        command.add_argument("--notify", metavar="URL", help="tells the marketplace there", required=name != "publish")
        command.add_argument("--secret-file", metavar="FILE", help="what notifications are signed with")
        command.add_argument("--package", metavar="UUID", help="which package", required=name == "open")
        if name == "publish":
            command.add_argument("--version", required=True, help="Apple's number of the app's version")
            command.add_argument("--short", required=True, help="the version for people, such as 1.2")
            command.add_argument("--bundle", required=True, help="such as com.example.game")
            command.add_argument("--size", type=int, default=500_000, help="bytes of the smaller of two variants")
            command.add_argument(
                "--delta", type=int, default=0, help="bytes of a delta from the version before; 0 for none")
    arguments = reader.parse_args()
    arguments.act(arguments)


if __name__ == "__main__":
    main()
