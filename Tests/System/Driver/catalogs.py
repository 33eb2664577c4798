"""Catalogs for tests. Each test has its own tenant, so tests share a server but no data."""

import itertools
import uuid

import secrecy

_numbers = itertools.count(1)


def fresh(word: str = "t") -> str:
    """A name that no other test has used."""
    return f"{word}{next(_numbers)}"


def fresh_key(prefix: str = "NOTE") -> str:
    """A new license key, in a form that another system might use."""
    return secrecy.keep(f"{prefix}-{uuid.uuid4().hex.upper()}")


def policy(id: str = "pro", **members) -> dict:
    return {"id": id, "activationLimit": 3, "entitlements": ["sync", "export"]} | members


def license(key: str, policy: str = "pro", **members) -> dict:
    return {"key": key, "policy": policy} | members


def product(id: str = "notes", policies: list | None = None, licenses: list | None = None, **members) -> dict:
    return {"id": id, "policies": policies or [policy()], "licenses": licenses or []} | members


def catalog(tenant: str, *products: dict) -> dict:
    return {"tenants": [{"id": tenant, "products": list(products) or [product()]}]}
