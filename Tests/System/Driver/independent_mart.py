"""A marketplace that uses none of the project's code, with one app and one account.

Without a fault, it behaves correctly. With a fault (see `independent_faults.py`), it does one thing wrong. Every
response and every document passes through `bend` under a name, where the fault may change it.

    python3 independent_mart.py --port 8090 [--fault config.https]
"""

import base64
import hashlib
import json
import os
import signal
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, padding as block_padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
ITEM, VERSION, OLD, OWN = "6483539426", "868272229", "868184258", "6497405838"
ASSET = "e8c2d337-40a2-46fa-a8d5-2d22b98b1eef"
BYTES, CHUNK = bytes(range(256)) * 40, 4096
ACCOUNT, PASSWORD, BEARER = "ada", "correct horse battery staple", "bearer-of-ada"


def text64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def seconds() -> int:
    return int(time.time())


@cache
def made_key(name: str, bits: int):
    return rsa.generate_private_key(65537, bits)


def rsa_key(name: str, bits: int = 3072):
    return made_key(name, bits)


@cache
def point_key(name: str):
    return ec.generate_private_key(ec.SECP256R1())


@cache
def certificate(name: str, bits: int = 3072, days: int = 365) -> x509.Certificate:
    """A certificate for the key of that name; it has expired if `days` is negative."""
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    end = datetime.now(timezone.utc) + timedelta(days=days)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject)
    builder = builder.public_key(rsa_key(name, bits).public_key()).serial_number(x509.random_serial_number())
    return builder.not_valid_before(end - timedelta(days=730)).not_valid_after(end).sign(
        rsa_key(name, bits), hashes.SHA256())


@dataclass
class Reply:
    """An HTTP response."""
    status: int = 200
    body: bytes = b""
    fields: dict = field(default_factory=dict)

    @classmethod
    def json(cls, document, status: int = 200, **fields: str) -> "Reply":
        return cls(status, json.dumps(document).encode(), {"Content-Type": "application/json"} | fields)


class Refused(Exception):
    """A refused request, with its error response."""

    def __init__(self, status: int, document: dict, **fields: str):
        self.reply = Reply.json(document, status, **fields)


@dataclass
class Ask:
    """An HTTP request."""
    method: str
    path: str
    fields: dict
    body: bytes
    query: dict


class IndependentMart:
    """The marketplace, which listens on its own port until `end` is called."""

    def __init__(self, fault: str | None = None, port: int = 0, domain: str = "mart.example"):
        self.domain, self.bends, self.asked = domain, {}, []
        self.licenses: dict[int, tuple[bytes, int]] = {}
        self.sessions: dict[tuple, list[int]] = {}
        self.codes: dict[str, tuple[str, str]] = {}
        self.redeemed, self.refreshing = set(), {}
        if fault:
            from independent_faults import FAULTS
            self.bends = FAULTS[fault]
        mart = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize, disable_nagle_algorithm = -1, True

            def do(self):
                parts = urllib.parse.urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                ask = Ask(self.command, parts.path, {k.lower(): v for k, v in self.headers.items()}, body,
                          dict(urllib.parse.parse_qsl(parts.query)))
                mart.asked.append(ask)
                reply = mart.answer(ask)
                if reply is None:
                    self.close_connection = True
                    return
                self.send_response_only(reply.status)
                fields = {"Content-Length": str(len(reply.body))} | reply.fields
                for name, value in fields.items():
                    if value is not None:
                        self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD" and reply.status != 304:
                    self.wfile.write(reply.body)

            do_GET = do_HEAD = do_POST = do

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def bend(self, name: str, value, *about):
        """The value, changed if the fault has a function of that name."""
        return self.bends[name](value, *about) if name in self.bends else value

    def answer(self, ask: Ask) -> Reply | None:
        if ask.path.startswith("/adp/"):
            name = {"ipa": "asset", "json": "manifest", "signature": "signature"}
            return self.bend("package " + name.get(ask.path.split("/")[-1].split(".")[-1], "other"), self.package(ask), ask)
        routes = {
            "/.well-known/marketplace-kit": self.kit, "/.well-known/oauth-authorization-server": self.metadata,
            "/signing.cer": self.certificate, "/encryption.cer": self.certificate, "/license": self.license,
            "/license/renew": self.renew, "/restore": self.offers, "/updates": self.offers,
            "/authorize": self.authorize, "/token": self.token}
        try:
            route = routes.get(ask.path)
            reply = route(ask) if route else Reply.json({"title": "There is nothing here."}, 404)
        except Refused as refused:
            reply = refused.reply
        except (ValueError, KeyError, TypeError):
            reply = Reply.json({"title": "The request cannot be read."}, 400)
        return self.bend("reply " + ask.path if route else "reply nothing", reply, ask)

    def admit(self, ask: Ask):
        """Raises `Refused` unless the request carries the account's bearer token."""
        shown = ask.fields.get("authorization")
        if shown == "Bearer " + BEARER:
            return
        if shown is None:
            raise Refused(401, {"title": "Sign in."}, **{"WWW-Authenticate": "Bearer"})
        raise Refused(403, {"title": "That token is not valid."})

    def configuration(self) -> dict:
        home = f"https://{self.domain}"
        return {
            "license": {
                "dynamicLicenseURL": home + "/license", "licenseRenewalURL": home + "/license/renew",
                "licenseResolutionURL": home + "/resolve", "signingCertificateURL": home + "/signing.cer",
                "encryptionCertificateURL": home + "/encryption.cer"},
            "restore": home + "/restore", "updates": {"url": home + "/updates", "pollingInterval": 24}}

    def kit(self, ask: Ask) -> Reply:
        is_here = ask.fields.get("host") == self.domain
        return Reply.json(self.bend("configuration", self.configuration())) if is_here else Reply(404)

    def metadata(self, _) -> Reply:
        home = f"https://{self.domain}"
        return Reply.json(self.bend("metadata", {
            "issuer": home, "authorization_endpoint": home + "/authorize", "token_endpoint": home + "/token",
            "code_challenge_methods_supported": ["S256"], "grant_types_supported": ["authorization_code", "refresh_token"],
            "response_types_supported": ["code"]}))

    def served(self, name: str) -> x509.Certificate:
        return self.bend("certificate " + name, certificate(name))

    def certificate(self, ask: Ask) -> Reply:
        served = self.served(ask.path[1:].removesuffix(".cer"))
        return Reply(200, served.public_bytes(serialization.Encoding.DER), {"Content-Type": "application/pkix-cert"})

    # Packages

    def manifest(self) -> dict:
        target = [{"device": "iPhone15,5", "os": "17.4"}]
        return {
            "manifestSchemaVersion": "1.0", "distributionPackageRevision": 1, "appleItemId": ITEM,
            "bundleId": "com.example.game", "shortVersionString": "2.0", "bundleVersion": "20", "appleVersionId": VERSION,
            "platforms": ["ios"], "minimumSystemVersions": {"ios": "17.4"}, "requiredDeviceCapabilities": ["arm64"],
            "appInstallDeterminants": [], "hasMessagesExtension": False, "isLaunchProhibited": False, "deltas": [],
            "variants": [{
                "publicId": ASSET, "assetPath": f"variant/{ASSET}.ipa", "installTargets": target,
                "variantDetails": {
                    "compressedSize": len(BYTES), "uncompressedSize": 20_000, "hashes": [{
                        "algorithm": "sha256", "chunkSize": CHUNK, "encryptedChunkDigests": [
                            hashlib.sha256(BYTES[at:at + CHUNK]).hexdigest() for at in range(0, len(BYTES), CHUNK)]}]}}]}

    def package(self, ask: Ask) -> Reply:
        base = f"/adp/{ITEM}/{VERSION}"
        if ask.path == base + "/manifest.json":
            return Reply.json(self.bend("manifest", self.manifest()))
        if ask.path == base + "/signature":
            return Reply(200, b"signed by nobody", {"Content-Type": "application/octet-stream"})
        if ask.path != f"{base}/variant/{ASSET}.ipa":
            return Reply(404)
        tag = f'"{hashlib.sha256(BYTES).hexdigest()[:16]}"'
        fields = {"ETag": tag, "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
        if ask.fields.get("if-none-match") == tag:
            return Reply(304, b"", fields | {"Content-Length": None})
        asked = ask.fields.get("range")
        if not asked:
            return Reply(200, BYTES, fields)
        first, last = asked.removeprefix("bytes=").split("-")
        first, last = int(first), min(int(last or len(BYTES)), len(BYTES) - 1)
        if first >= len(BYTES):
            return Reply(416, b"", fields | {"Content-Range": f"bytes */{len(BYTES)}"})
        return Reply(206, BYTES[first:last + 1], fields | {"Content-Range": f"bytes {first}-{last}/{len(BYTES)}"})

    # Offers

    def install_token(self) -> str:
        header = self.bend("token header", {"alg": "ES256", "kid": "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6", "typ": "JWT"})
        claims = self.bend("token claims", {
            "iss": OWN, "iat": seconds(), "exp": seconds() + 600, "aud": "AppleDownloadVerification-v1",
            "bid": "com.example.game", "dtype": "redownload", "nonce": str(uuid.uuid4()), "iid": ITEM, "vid": VERSION})
        signed = f"{text64(json.dumps(header).encode())}.{text64(json.dumps(claims).encode())}"
        der = point_key(self.bend("token key", "distribution")).sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = utils.decode_dss_signature(der)
        signature = self.bend("token signature", r.to_bytes(32) + s.to_bytes(32), der)
        return self.bend("token", f"{signed}.{text64(signature)}")

    def entry(self, is_update: bool) -> dict:
        entry = {
            "appleItemId": ITEM, "appleVersionId": VERSION, "installVerificationToken": self.install_token(),
            "alternativeDistributionPackage": f"https://{self.domain}/adp/{ITEM}/{VERSION}"}
        return entry | ({"bundleVersion": "20", "shortVersionString": "2.0"} if is_update else {})

    def offers(self, ask: Ask) -> Reply:
        self.admit(ask)
        question = json.loads(ask.body)
        is_update = ask.path == "/updates"
        fits = [int(part) for part in question["osVersion"].split(".")] >= [17, 4]
        offers, failures = [], []
        for app in question["apps"]:
            item, version = str(app["appleItemId"]), str(app["appleVersionId"])
            is_offered = int(version) < int(VERSION) if is_update else version == VERSION
            if item == ITEM and fits and is_offered:
                offers.append(self.entry(is_update))
            elif not is_update or item != ITEM:
                failures.append({
                    "appleItemId": item, "appleVersionId": version,
                    "failure": {"code": 404, "description": "App unavailable."}})
        name = ask.path[1:]
        document = {"updates" if is_update else "restores": offers, "failures": failures}
        return Reply.json(self.bend(name, document, question, self))

    # Licenses

    def opened(self, ask: Ask, member: str) -> tuple[dict, dict]:
        """Decrypts the request inside its envelope; every defect gets the same response."""
        self.admit(ask)
        question = json.loads(ask.body)
        try:
            wrapped = base64.b64decode(question["licenseKey"], validate=True)
            secret = rsa_key("encryption").decrypt(wrapped, OAEP)
            cipher = Cipher(algorithms.AES(secret[:16]), modes.CBC(secret[16:])).decryptor()
            padded = cipher.update(base64.b64decode(question[member], validate=True)) + cipher.finalize()
            unpadder = block_padding.PKCS7(128).unpadder()
            return question, json.loads(unpadder.update(padded) + unpadder.finalize())
        except ValueError as error:
            raise Refused(*self.bend("defect", (400, {"title": "The envelope does not open."}), error, question)) from None

    def signed(self, action: str, request: dict, licenses: list[dict], **lists) -> Reply:
        """A signed response with these licenses; the list may be empty."""
        payload = self.bend(action + " payload", {
            "v": 1, "requestID": request["requestID"], "deviceID": request["deviceID"], "licenses": licenses}, request)
        name = self.bend("certificate name", "signing")
        served = self.served(name)
        thumb = text64(served.fingerprint(hashes.SHA256()))
        header = {"alg": "RS256", "typ": "tenure-simulated-app-license", "x5t#S256": thumb}
        signed = f"{text64(json.dumps(header).encode())}.{text64(json.dumps(payload).encode())}"
        key = rsa_key(self.bend(action + " key", name), served.public_key().key_size)
        compact = f"{signed}.{text64(key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"
        document = {"license": base64.b64encode(compact.encode()).decode()} | lists
        return Reply.json(self.bend(action, document, request))

    def granted(self, id: int) -> dict:
        digest = hashlib.sha256(b"key blob").hexdigest()
        return {"licenseID": str(id), "issuedTime": seconds(), "duration": 30 * 86400, "revokedAppleItemIDs": [],
                "appKeys": [{"appleItemID": ITEM, "keyBlobSHA256": digest}]}

    def license(self, ask: Ask) -> Reply:
        question, request = self.opened(ask, "licenseRequest")
        if request["action"] != "create":
            raise Refused(400, {"title": "That is no request for licenses."})
        wanted = [str(item) for item in request["appleItemIDs"] if str(item) in question["appsById"]]
        named = (request["requestID"], request["deviceID"])
        if ITEM in wanted and named not in self.sessions:
            id = self.bend("license id", int.from_bytes(os.urandom(6)) + 1)
            self.sessions[named] = [id]
            self.licenses[id] = (request["deviceID"], int(ITEM))
        ids = self.bend("license ids", self.sessions.get(named, []))
        return self.signed("license", request, [self.granted(id) for id in ids],
                           unlicensedApps=[item for item in wanted if item != ITEM])

    def renew(self, ask: Ask) -> Reply:
        _, request = self.opened(ask, "renewalRequest")
        if request["action"] != "renew":
            return self.bend("renewal of nothing", Reply.json({"title": "That is no renewal."}, 400), request, self)
        good = [id for id in map(int, request["licenseIDs"])
                if self.bend("renews", self.licenses.get(id, (None,))[0] == request["deviceID"], id in self.licenses)]
        return self.signed("renewal", request, [self.granted(id) for id in good],
                           ineligibleLicenses=[str(id) for id in request["licenseIDs"] if int(id) not in good])

    # Signing in

    def authorize(self, ask: Ask) -> Reply:
        asked = ask.query if ask.method == "GET" else dict(urllib.parse.parse_qsl(ask.body.decode()))
        method = asked.get("code_challenge_method")
        if self.bend("challenge", method != "S256" or not asked.get("code_challenge"), method):
            return Reply(400, b"<p>Your app is out of date.</p>", {"Content-Type": "text/html"})
        if ask.method == "GET":
            hidden = "".join(
                f'<input type="hidden" name="{name}" value="{value}">'
                for name, value in asked.items() if name != "login_hint")
            page = (f'<!DOCTYPE html><form method="post" action="/authorize">{hidden}'
                    '<input type="email" name="who"><input type="password" name="word"><button>Sign in</button></form>')
            return Reply(200, page.encode(), {"Content-Type": "text/html"})
        if (asked.get("who"), asked.get("word")) != (ACCOUNT, PASSWORD):
            return Reply(403, b"<p>No.</p>", {"Content-Type": "text/html"})
        code = text64(os.urandom(16))
        self.codes[code] = (asked["code_challenge"], asked["client_id"])
        handed = self.bend("handed over", {"code": code, "state": asked["state"]})
        return Reply(302, b"", {"Location": "app-distribution-oauth:?" + urllib.parse.urlencode(handed)})

    def token(self, ask: Ask) -> Reply:
        asked = dict(urllib.parse.parse_qsl(ask.body.decode()))
        if asked.get("grant_type") == "refresh_token":
            known = self.refreshing.get(asked["refresh_token"])
            if known is None or self.bend("was refreshed", known):
                raise Refused(400, {"error": "invalid_grant"})
            self.refreshing[asked["refresh_token"]] = True
        else:
            code = asked.get("code")
            if code not in self.codes and code not in self.redeemed:
                raise Refused(self.bend("unknown code", 400), {"error": "invalid_grant"})
            self.redeemed.add(code)
            challenge, client = self.codes.get(code, (None, None))
            if not self.bend("keeps codes", False):
                self.codes.pop(code, None)
            digest = text64(hashlib.sha256(asked.get("code_verifier", "").encode()).digest())
            if challenge is None or not self.bend("verified", digest == challenge) or client != asked.get("client_id"):
                raise Refused(400, {"error": "invalid_grant"})
        fresh = text64(os.urandom(16))
        self.refreshing[fresh] = False
        return Reply.json(self.bend("tokens", {
            "access_token": BEARER, "token_type": "Bearer", "expires_in": 3600, "refresh_token": fresh}),
            **{"Cache-Control": "no-store", "Pragma": "no-cache"})


def public_key() -> bytes:
    """The public key that verifies install tokens, as PEM."""
    return point_key("distribution").public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault")
    options = parser.parse_args()
    started = IndependentMart(options.fault, options.port)
    print(f"{started.url}, domain {started.domain}, app {ITEM}", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
