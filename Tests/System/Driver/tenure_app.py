"""An app that speaks the Tenure dialect and verifies the responses with third-party libraries.

The only source for this code is `Documentation/leases.md`.
"""

import hashlib
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

import jwt
from client import Answer, Client
from jwcrypto import jwk, jws

SKEW = 300
WHITE_SPACE = " \t\n\v\f\r"


class Refused(Exception):
    """A statement that must not be trusted."""


def new_nonce() -> str:
    return urlsafe_b64encode(os.urandom(24)).rstrip(b"=").decode()


def key_hash(key: str) -> str:
    normal = "".join(letter for letter in key if letter not in WHITE_SPACE)
    return hashlib.sha256("".join(c.upper() if c.isascii() else c for c in normal).encode()).hexdigest()


@dataclass
class Trusted:
    """The keys that an app trusts, as JWKs by key id."""

    keys: dict[str, dict]

    def read(self, statement: str, kind: str) -> dict:
        """The payload of a statement that PyJWT and jwcrypto both verify with a trusted key; its type must match."""
        header = jwt.get_unverified_header(statement)
        key = self.keys.get(header.get("kid"))
        if key is None:
            raise Refused("unknown key")
        if header != {"alg": "EdDSA", "typ": f"tenure-{kind}+jwt", "kid": header["kid"]}:
            raise Refused("header")
        try:
            said = jwt.decode(
                statement, jwt.PyJWK(key).key, algorithms=["EdDSA"],
                options={"verify_exp": False, "verify_iat": False, "require": ["iat", "exp"]})
        except jwt.InvalidTokenError as error:
            raise Refused(str(error)) from error
        other = jws.JWS()
        other.allowed_algs = ["EdDSA"]
        other.deserialize(statement)
        other.verify(jwk.JWK(**key))
        assert json.loads(other.payload) == said
        return said

    def adopt(self, keyset: dict) -> None:
        """Trusts the keys of a keyset, which the caller has verified with a key trusted before."""
        for key in keyset["keys"]:
            if self.keys.setdefault(key["kid"], key)["x"] != key["x"]:
                raise Refused("another key under a trusted name")


@dataclass
class TenureApp:
    """An app of one product on one device."""

    client: Client
    tenant: str
    device: str
    trusted: Trusted
    product: str = "notes"

    def ask(self, verb: str, kind: str, key: str | None = None, **members) -> tuple[Answer, dict, dict | None]:
        """Sends a request; returns the response, its verified statement, and the verified lease of a refusal."""
        nonce = members.pop("nonce", None) or new_nonce()
        body = {"nonce": nonce, "device": self.device} | ({"licenseKey": key} if key else {}) | members
        answer = self.client.post(f"/v1/{self.tenant}/{self.product}/leases/{verb}", body)
        assert answer.headers["cache-control"] == "no-store", answer
        bound = {"nonce": nonce, "device": self.device, "keyHash": key_hash(key) if key else None}
        if activation := members.get("activation"):
            bound["activation"] = activation
        if answer.status == 200:
            return answer, self.believe(answer[kind], kind, bound), None
        said = self.believe(answer["refusal"], "refusal", bound)
        assert [reason["code"] for reason in said["reasons"]] == answer.codes
        assert [reason.get("evidence", {}) for reason in said["reasons"]] == [
            reason["evidence"] for reason in answer["reasons"]]
        lease = answer.json.get("lease")
        return answer, said, self.believe(lease, "lease", bound) if lease else None

    def fetch(self, what: str) -> dict:
        """Fetches the product's terms or the keyset, and returns the verified statement."""
        nonce = new_nonce()
        kids = ",".join(sorted(self.trusted.keys))
        answer = self.client.get(f"/v1/{self.tenant}/{self.product}/leases/{what}?nonce={nonce}&kid={kids}")
        assert answer.status == 200, answer
        return self.believe(answer[what], what, {"nonce": nonce, "device": None, "keyHash": None, "activation": None})

    def believe(self, statement: str, kind: str, bound: dict) -> dict:
        """The payload of a statement, with its signature and its bound members verified."""
        said = self.trusted.read(statement, kind)
        for member, value in ({"v": 1, "tenant": self.tenant, "product": self.product} | bound).items():
            if said[member] != value:
                raise Refused(member)
        assert said["iat"] < said["exp"]
        return said


def pinned(vendor) -> Trusted:
    """The keys that the vendor published when the app was built."""
    keys = {}
    for key in vendor.keyset()["keys"]:
        raw = urlsafe_b64decode(key["public_key"].translate(str.maketrans("+/", "-_")))
        keys[key["kid"]] = {
            "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": urlsafe_b64encode(raw).rstrip(b"=").decode()}
    return Trusted(keys)


def app(vendor, device: str = "a") -> TenureApp:
    """An app on a device of that name."""
    digest = hashlib.sha256(f"{vendor.tenant}|notes|{device}".encode()).hexdigest()
    return TenureApp(vendor.server.client, vendor.tenant, digest, pinned(vendor))
