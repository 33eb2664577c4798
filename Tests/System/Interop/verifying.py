"""Verifies Tenure's signatures; written from the published formats alone (lease v3, cfg1)."""

import base64
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

WHITE_SPACE = " \t\n\v\f\r"


def lease_text(lease: dict) -> str:
    """The signed text of a lease."""
    entitlements = ",".join(sorted(lease["entitlements"]))
    return "|".join([
        "v3", lease["kid"], lease["licenseKeyHash"], lease["instanceId"], str(lease["issuedAt"]),
        str(lease["expiresAt"]), lease["status"], entitlements])


def config_text(config: dict, tenant: str, product: str) -> str:
    """The signed text of a product's configuration, for the tenant and product that the client requested."""
    enabled = "true" if config["free_tier_enabled"] else "false"
    return "|".join([
        "cfg1", config["kid"], tenant, product, str(config["issued_at"]), str(config["expires_at"]),
        str(config["trial_duration_days"]), enabled])


def is_signed(text: str, signed: dict, keyset: dict) -> bool:
    """Whether the published key named by `kid` verifies the signature."""
    keys = {key["kid"]: key for key in keyset["keys"]}
    key = keys.get(signed["kid"])
    if key is None:
        return False
    assert key["alg"] == "ed25519"
    raw = base64.b64decode(key["public_key"], validate=True)
    signature = base64.b64decode(signed["signature"], validate=True)
    assert (len(raw), len(signature)) == (32, 64)
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, text.encode())
    except InvalidSignature:
        return False
    return True


def is_lease_signed(lease: dict, keyset: dict) -> bool:
    return is_signed(lease_text(lease), lease, keyset)


def key_hash(key: str) -> str:
    """The hash of a license key in a lease: SHA-256 of its normal form, in hexadecimal."""
    normal = "".join(letter for letter in key if letter not in WHITE_SPACE)
    raised = "".join(letter.upper() if letter.isascii() else letter for letter in normal)
    return hashlib.sha256(raised.encode()).hexdigest()


def machine_hash(tenant: str, product: str, hardware: str) -> str:
    """The hash by which a device identifies itself."""
    return hashlib.sha256(f"keylight-keyless-machine-v1|{tenant}|{product}|{hardware}".encode()).hexdigest()
