"""A device that requests app licenses, with a third-party cryptography library and none of the server's code."""

import base64
import hashlib
import json
import os
import secrets
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, padding as block_padding
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from client import Answer, Client


def path_of(url: str) -> str:
    """The part of a URL after the host."""
    return "/" + url.split("://", 1)[1].split("/", 1)[1]


def decoded(text: str) -> bytes:
    """Decodes base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Phone:
    """One device with a fixed id, which uses one marketplace."""

    def __init__(self, client: Client, host: str, token: str | None = None):
        self.client, self.host, self.token = client, host, token
        self.id = os.urandom(16)

    @property
    def configuration(self) -> dict:
        answer = self.client.get("/.well-known/marketplace-kit", {"Host": self.host})
        assert answer.status == 200, answer
        return answer.json

    def certificate(self, name: str) -> x509.Certificate:
        answer = self.client.get(path_of(self.configuration["license"][name]))
        assert answer.status == 200, answer
        return x509.load_der_x509_certificate(answer.body)

    def request(self, action: str, items=(), licenses=(), number: int | None = None) -> dict:
        """The request that goes into the envelope."""
        return {
            "v": 1, "action": action, "requestID": str(number or secrets.randbits(63)),
            "requestTime": int(time.time()), "requestVersion": 1, "deviceID": base64.b64encode(self.id).decode(),
            "appleItemIDs": [str(item) for item in items], "licenseIDs": [str(license) for license in licenses]}

    def seal(self, plaintext: bytes, key: bytes | None = None) -> tuple[str, str]:
        """The envelope: the encrypted request and the wrapped key, both in base64."""
        secret = key or os.urandom(32)
        padder = block_padding.PKCS7(128).padder()
        cipher = Cipher(algorithms.AES(secret[:16]), modes.CBC(secret[16:])).encryptor()
        sealed = cipher.update(padder.update(plaintext) + padder.finalize()) + cipher.finalize()
        wrapped = self.certificate("encryptionCertificateURL").public_key().encrypt(
            secret, padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None))
        return base64.b64encode(sealed).decode(), base64.b64encode(wrapped).decode()

    def ask(self, apps: dict, number: int | None = None, sealed_items=None, version_name="appleVersionId") -> Answer:
        """Requests licenses for apps, given as {item: (version, asset)}."""
        items = apps.keys() if sealed_items is None else sealed_items
        request, key = self.seal(json.dumps(self.request("create", items, (), number)).encode())
        return self.post("dynamicLicenseURL", {
            "licenseRequest": request, "licenseKey": key,
            "appsById": {
                str(item): {version_name: version, "assetPublicId": asset}
                for item, (version, asset) in apps.items()}})

    def renew(self, *licenses, number: int | None = None) -> Answer:
        request, key = self.seal(json.dumps(self.request("renew", (), licenses, number)).encode())
        return self.post("licenseRenewalURL", {"renewalRequest": request, "licenseKey": key})

    def post(self, url: str, members: dict) -> Answer:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return self.client.post(path_of(self.configuration["license"][url]), members, headers)

    def read(self, answer: Answer) -> dict:
        """Verifies a response's signature with the served certificate, and returns the signed payload."""
        assert answer.status == 200, answer
        compact = base64.b64decode(answer["license"], validate=True).decode()
        header, payload, signature = compact.split(".")
        certificate = self.certificate("signingCertificateURL")
        certificate.public_key().verify(
            decoded(signature), f"{header}.{payload}".encode(), padding.PKCS1v15(), hashes.SHA256())
        head = json.loads(decoded(header))
        assert head["alg"] == "RS256" and head["typ"] == "tenure-simulated-app-license"
        assert decoded(head["x5t#S256"]) == certificate.fingerprint(hashes.SHA256())
        body = json.loads(decoded(payload))
        assert base64.b64decode(body["deviceID"]) == self.id
        return body


def blob_digest(blob: bytes) -> str:
    return hashlib.sha256(blob).hexdigest()
