"""Tests the install verification tokens of restores, updates, installs and pages with a third-party library."""

import base64
import json
import re
import time
import urllib.parse
import uuid

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from shop import Shop

ENGINES = ("sqlite",)

OLD, NEW = 900000101, 900000102


@pytest.fixture
def shop(shared_installation, shared_server):
    shop = Shop(shared_installation, shared_server)
    for version in (OLD, NEW):
        shop.brought(version=version)
    shop.brought(item=shop.own, version=900000301)
    return shop


def part(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(shop, token: str) -> dict:
    """The claims of a token, after its format and signature have been checked against Apple's rules."""
    shown = shop.installation.do("marketplace", "show", "--tenant", shop.tenant, "--json").json["marketplaces"][0]
    key = serialization.load_pem_public_key(shown["distributionPublicKey"].encode())
    head, payload, signature = token.split(".")
    assert "=" not in token
    header = json.loads(part(head))
    assert list(header) == ["alg", "kid", "typ"] and (header["alg"], header["typ"]) == ("ES256", "JWT")
    uuid.UUID(header["kid"])
    raw = part(signature)
    assert len(raw) == 64, "r and s one after the other, not DER"
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key.verify(der, f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        key.verify(der, f"{head}.{payload}x".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(part(payload))
    assert set(told) == {"iss", "iat", "exp", "aud", "bid", "dtype", "nonce", "iid", "vid"}
    assert (told["aud"], told["iss"]) == ("AppleDownloadVerification-v1", str(shop.own))
    assert told["exp"] - told["iat"] == 600 and abs(told["iat"] - time.time()) < 60
    assert type(told["iat"]) is int and str(uuid.UUID(told["nonce"])).upper() == told["nonce"]
    return told


def test_install_verification_tokens_of_restores_updates_installs_and_pages_match_apples_format(shop):
    def asked(kind, version):
        answer = shop.offers(kind, version)
        assert answer.headers["cache-control"] == "no-store"
        [entry] = answer.json["restores" if kind == "restore" else "updates"]
        return claims(shop, entry["installVerificationToken"])

    restored, updated = asked("restore", OLD), asked("updates", OLD)
    installed = shop.server.client.post(
        f"/marketplace/{shop.tenant}/install-token", {"appleItemID": str(shop.item), "appleVersionID": str(OLD)})
    again = shop.server.client.post(
        f"/marketplace/{shop.tenant}/install-token", {"appleItemID": str(shop.item), "redownload": True})
    page = shop.server.client.ask("GET", f"/apps/{shop.tenant}/{shop.own}").body.decode()
    link = re.search(r'href="marketplace-kit://install\?([^"]*)"', page)[1].replace("&amp;", "&")
    shown = claims(shop, dict(urllib.parse.parse_qsl(link))["installVerificationToken"])
    told = [restored, updated, claims(shop, installed["installVerificationToken"]),
            claims(shop, again["installVerificationToken"]), shown]
    assert [(one["iid"], one["vid"], one["dtype"]) for one in told] == [
        (str(shop.item), str(OLD), "redownload"), (str(shop.item), str(NEW), "redownload"),
        (str(shop.item), str(OLD), "download"), (str(shop.item), str(NEW), "redownload"),
        (str(shop.own), "900000301", "download")]
    assert {one["bid"] for one in told} == {f"com.example.app{shop.item}", f"com.example.app{shop.own}"}
    assert len({one["nonce"] for one in told}) == len(told)
    assert installed["expiresAt"] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(told[2]["exp"]))
    assert installed["appShareURL"] == f"https://{shop.tenant}.example/apps/{shop.tenant}/{shop.item}"


def test_creating_install_verification_tokens_for_restores_and_pages_records_no_event(shop):
    before = shop.installation.do("status", "--json").json["latestEvent"]
    for _ in range(3):
        shop.offers("restore", OLD)
        shop.server.client.ask("GET", f"/apps/{shop.tenant}/{shop.own}")
    assert shop.installation.do("status", "--json").json["latestEvent"] == before
